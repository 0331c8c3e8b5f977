//! A server of its own: a loopback address, a guard, and limits on slow clients (SPEC 11.2).

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use crate::guard::{self, Guard};
use crate::line::Line;

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    limits: Limits,
    connections: Arc<Semaphore>,
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
    Ok(Server { listener, limits, connections: Arc::new(Semaphore::new(2048)) })
}

impl Server {
    /// Ends a connection whose next request takes longer than this to begin and to send its head; 10 seconds by default.
    #[must_use]
    pub fn head_time(self, time: Duration) -> Self {
        Self { limits: Limits { head: time, ..self.limits }, ..self }
    }

    /// Ends a connection whose client reads nothing of its answer for so long; 30 seconds by default.
    ///
    /// What the client asked for ends with it. A stream that has nothing to tell waits for nobody, and goes on.
    #[must_use]
    pub fn write_time(self, time: Duration) -> Self {
        Self { limits: Limits { write: time, ..self.limits }, ..self }
    }

    /// Answers so many connections at once, 2,048 by default; others wait to be accepted.
    #[must_use]
    pub fn connections(self, count: usize) -> Self {
        Self { connections: Arc::new(Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS))), ..self }
    }

    /// Returns the address.
    ///
    /// # Errors
    /// Those of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests that pass the guard, until the future is dropped; with it go all connections, and what they run.
    pub async fn run(self, routes: Router, guard: Guard) {
        let routes = routes.layer(middleware::from_fn_with_state(guard, guard::judge));
        let mut answering = JoinSet::new();
        loop {
            tokio::select! {
                (stream, permit) = self.accept() => {
                    let (routes, limits) = (routes.clone(), self.limits);
                    answering.spawn(async move {
                        answer(stream, routes, limits).await;
                        drop(permit);
                    });
                }
                Some(_) = answering.join_next() => {}
            }
        }
    }

    /// Waits for room, then for a client.
    async fn accept(&self) -> (TcpStream, Option<OwnedSemaphorePermit>) {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.connections).acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => return (stream, permit),
                // Out of descriptors, most likely: connections that end free some.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }
}

async fn answer(stream: TcpStream, routes: Router, limits: Limits) {
    let line = Line::new(stream, limits.write);
    let watch = line.watch();
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head);
    let served = tokio::select! {
        served = builder.serve_connection(TokioIo::new(line), TowerToHyperService::new(routes)) => served,
        () = watch.gone() => return,
    };
    // A request that was refused may still be coming. Any other error has nobody left to tell.
    if served.map_or_else(|error| error.is_parse(), |()| true) {
        watch.linger().await;
    }
}
