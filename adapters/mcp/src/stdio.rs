//! One client over a pair of byte streams, such as the standard ones of a process (SPEC 11.4).

use std::io;

use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use crate::server::Server;

/// Serves the client at standard input and output, until it closes its side. Nothing else may write to standard output.
///
/// Calls that go on then have a second to end; after that they are stopped, and what they run with them. So they are when
/// the future is dropped; a process that a signal ends drops nothing, so a program that runs long skills waits for the
/// signal beside this, as the `skills` command does.
///
/// # Errors
/// Those of the streams.
pub async fn stdio(server: Server) -> io::Result<()> {
    let (read, write) = rmcp::transport::stdio_pipes();
    serve(server, read, write).await
}

/// Serves the client at the other end of two streams, as [`stdio`] does: one message a line, at most 16 MiB long.
///
/// # Errors
/// Those of the streams.
pub async fn serve(
    server: Server,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let (closed, seen) = watch::channel(false);
    let transport = Awaiting { inner: AsyncRwTransport::new_server(read, write), has_begun: false, closed };
    let server = Server { closed: Some(seen), ..server };
    match server.serve(transport).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // A client that goes before it has asked anything is no fault of the server.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}

/// Passes over what comes before the first request, since rmcp would end the session for a notification there, and tells
/// when the client closes its side.
struct Awaiting<R: AsyncRead, W: AsyncWrite> {
    inner: AsyncRwTransport<RoleServer, R, W>,
    has_begun: bool,
    closed: watch::Sender<bool>,
}

impl<R, W> Transport<RoleServer> for Awaiting<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.inner.receive().await else {
                self.closed.send_replace(true);
                return None;
            };
            self.has_begun |= matches!(message, JsonRpcMessage::Request(_));
            if self.has_begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.inner.close().await
    }
}
