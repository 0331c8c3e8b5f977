//! One client over a pair of byte streams, such as the standard ones of a process (SPEC 11.4).

use std::io;
use std::pin::pin;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::timeout;

use super::open::Open;
use super::stream::Stream;
use crate::server::Server;

/// How long calls that are dropped may take to say so.
const PARTING: Duration = Duration::from_millis(500);

/// Serves the client at standard input and output, until it closes its side. Nothing else may write to standard output.
///
/// Calls that go on then have a second to end; after that they are stopped, and what they run with them. So they are when
/// the future is dropped; a process that a signal ends drops nothing, so a program that runs long skills names the signal
/// by [`Server::until`].
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
    let open = Open::default();
    let transport = Stream::new(read, write, closed, open.clone());
    let end = server.shared.end.clone();
    let server = Server { closed: Some(seen), ..server.session() };
    let begun = tokio::select! {
        begun = server.serve(transport) => begun,
        () = end.signal() => return Ok(()),
    };
    let running = match begun {
        Ok(running) => running,
        // A client that goes before it has asked anything is no fault of the server.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(io::Error::other(error.to_string())),
    };
    let token = running.cancellation_token();
    let mut served = pin!(running.waiting());
    tokio::select! {
        done = &mut served => return done.map(drop).map_err(io::Error::other),
        () = end.signal() => open.end(),
    }
    drop(timeout(end.grace, open.idle()).await);
    token.cancel();
    drop(timeout(PARTING, served).await);
    Ok(())
}
