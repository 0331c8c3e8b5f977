//! A server of its own: a loopback address, a guard, and limits on slow clients (SPEC 11.2).

use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::{Extension, Router, middleware};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::guard::{self, Guard};
use crate::line::Line;

/// How long a client may go on sending to a server that ends, once its last answer is written.
const PARTING: Duration = Duration::from_millis(500);

/// A server that has its address and does not answer yet.
#[must_use]
pub struct Server {
    listener: TcpListener,
    limits: Limits,
    connections: Arc<Semaphore>,
    signal: Pin<Box<dyn Future<Output = ()> + Send>>,
    grace: Duration,
}

/// How long clients may take.
#[derive(Clone, Copy, Debug)]
struct Limits {
    head: Duration,
    write: Duration,
}

/// Takes an address; port 0 takes a free one.
///
/// # Errors
/// The address is taken, or none of this machine's.
pub async fn bind(address: SocketAddr) -> io::Result<Server> {
    let listener = TcpListener::bind(address).await?;
    let limits = Limits { head: Duration::from_secs(10), write: Duration::from_secs(30) };
    Ok(Server {
        listener,
        limits,
        connections: Arc::new(Semaphore::new(2048)),
        signal: Box::pin(std::future::pending()),
        grace: Duration::from_secs(5),
    })
}

impl Server {
    /// Ends a connection whose next request takes longer than this to begin and to send its head; 10 seconds by default.
    pub fn head_time(self, time: Duration) -> Self {
        Self { limits: Limits { head: time, ..self.limits }, ..self }
    }

    /// Ends a connection whose client reads nothing of its answer for so long; 30 seconds by default.
    ///
    /// What the client asked for ends with it. A stream that has nothing to tell waits for nobody, and goes on.
    pub fn write_time(self, time: Duration) -> Self {
        Self { limits: Limits { write: time, ..self.limits }, ..self }
    }

    /// Answers so many connections at once, 2,048 by default; others wait to be accepted.
    pub fn connections(self, count: usize) -> Self {
        Self { connections: Arc::new(Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS))), ..self }
    }

    /// Ends the server when this future does: nothing is accepted any more, requests under way have the time of
    /// [`grace`](Self::grace), and [`run`](Self::run) returns (SPEC 11.7).
    pub fn until(self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { signal: Box::pin(signal), ..self }
    }

    /// Says how long requests under way may go on once the server ends, 5 seconds by default; what runs longer is dropped,
    /// and with [`Duration::ZERO`] everything at once.
    pub fn grace(self, time: Duration) -> Self {
        Self { grace: time, ..self }
    }

    /// Returns the address.
    ///
    /// # Errors
    /// Those of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests that pass the guard, until the end that [`until`](Self::until) sets or the future is dropped; with
    /// it go all connections, and what they run.
    pub async fn run(self, routes: Router, guard: Guard) {
        let Self { listener, limits, connections, mut signal, grace } = self;
        let routes = routes.layer(middleware::from_fn_with_state(guard, guard::judge));
        let mut answering = JoinSet::new();
        let ending = watch::Sender::new(false);
        loop {
            tokio::select! {
                () = &mut signal => break,
                ((stream, peer), permit) = accept(&listener, &connections) => {
                    let routes = routes.clone().layer(Extension(ConnectInfo(peer)));
                    let (limits, ending) = (limits, ending.subscribe());
                    answering.spawn(async move {
                        answer(stream, routes, limits, ending).await;
                        drop(permit);
                    });
                }
                Some(_) = answering.join_next() => {}
            }
        }
        // Another server may take the address.
        drop(listener);
        ending.send_replace(true);
        // What takes longer is dropped with the set.
        drop(timeout(grace, async { while answering.join_next().await.is_some() {} }).await);
    }
}

/// Waits for room, then for a client.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
) -> ((TcpStream, SocketAddr), Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed.
    let permit = Arc::clone(connections).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok(accepted) => return (accepted, permit),
            // Out of descriptors, most likely: connections that end free some.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { listener, limits, grace, .. } = self;
        formatter
            .debug_struct("Server")
            .field("listener", listener)
            .field("limits", limits)
            .field("grace", grace)
            .finish_non_exhaustive()
    }
}

async fn answer(stream: TcpStream, routes: Router, limits: Limits, mut ending: watch::Receiver<bool>) {
    let line = Line::new(stream, limits.write);
    let watch = line.watch();
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(line), TowerToHyperService::new(routes)));
    let mut gone = pin!(watch.gone());
    let mut is_ending = false;
    let served = loop {
        tokio::select! {
            served = &mut connection => break served,
            () = &mut gone => return,
            // The sender waits for this task.
            _ = ending.wait_for(|is_ending| *is_ending), if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    };
    // A request that was refused may still be coming. Any other error has nobody left to tell.
    if served.map_or_else(|error| error.is_parse(), |()| true) {
        let linger = watch.linger();
        if is_ending { drop(timeout(PARTING, linger).await) } else { linger.await }
    }
}
