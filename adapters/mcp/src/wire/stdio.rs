//! One client over a pair of byte streams, such as the standard ones of a process (SPEC 11.4).

use std::io;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use super::stream::Stream;
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
/// What is no message, or too long, is answered by an error of the protocol, with the `id` of the request if it has one,
/// and the session goes on.
///
/// # Errors
/// Those of the streams.
pub async fn serve(
    server: Server,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let (closed, seen) = watch::channel(false);
    let transport = Stream::new(read, write, closed);
    let server = Server { closed: Some(seen), ..server.session() };
    match server.serve(transport).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // A client that goes before it has asked anything is no fault of the server.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}
