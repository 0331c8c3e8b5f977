//! Serves one client over a pair of byte streams, such as standard input and output.

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

/// How long dropped calls may take to clean up.
const CLEANUP_TIMEOUT: Duration = Duration::from_millis(500);

/// Serves the client at standard input and output until it closes its side. Nothing else may write to
/// standard output.
///
/// Active calls then have one second to end before they are stopped. The same happens if the future is
/// dropped. If a signal ends the process, no future is dropped. So a program with long-running skills
/// should pass the signal to [`Server::until`].
///
/// # Errors
/// The errors of the streams.
pub async fn stdio(server: Server) -> io::Result<()> {
    let (read, write) = rmcp::transport::stdio_pipes();
    serve(server, read, write).await
}

/// Serves the client at the other end of two streams like [`stdio`]: one message per line, at most 16 MiB
/// long.
///
/// An invalid or too long message is answered with an error of the protocol, with the `id` of the request if
/// it has one, and the session continues.
///
/// # Errors
/// The errors of the streams.
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
        // A client that disconnects before its first request is not an error.
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
    drop(timeout(CLEANUP_TIMEOUT, served).await);
    Ok(())
}
