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

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    head_time: Duration,
    connections: Arc<Semaphore>,
}

/// Takes an address; port 0 takes a free one.
///
/// # Errors
/// The address is taken, or none of this machine's.
pub async fn bind(address: SocketAddr) -> io::Result<Server> {
    let listener = TcpListener::bind(address).await?;
    Ok(Server { listener, head_time: Duration::from_secs(10), connections: Arc::new(Semaphore::new(2048)) })
}

impl Server {
    /// Ends a connection whose next request takes longer than this to begin and to send its head; 10 seconds by default.
    #[must_use]
    pub fn head_time(self, time: Duration) -> Self {
        Self { head_time: time, ..self }
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
                    let (routes, head_time) = (routes.clone(), self.head_time);
                    answering.spawn(async move {
                        answer(stream, routes, head_time).await;
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

async fn answer(stream: TcpStream, routes: Router, head_time: Duration) {
    let _: io::Result<()> = stream.set_nodelay(true);
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head_time);
    // A connection that ends in an error has nobody left to tell.
    drop(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes)).await);
}
