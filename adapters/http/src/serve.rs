//! A server of its own: a loopback address, a guard, and limits on slow clients (SPEC 11.2).

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::guard::{self, Guard};

/// How long a client may take to send the head of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
}

/// Takes an address; port 0 takes a free one.
///
/// # Errors
/// The address is taken, or none of this machine's.
pub async fn bind(address: SocketAddr) -> io::Result<Server> {
    Ok(Server { listener: TcpListener::bind(address).await? })
}

impl Server {
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
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => drop(connections.spawn(answer(stream, routes.clone()))),
                    // Out of descriptors, most likely: connections that end free some.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                },
                Some(_) = connections.join_next() => {}
            }
        }
    }
}

async fn answer(stream: TcpStream, routes: Router) {
    let _: io::Result<()> = stream.set_nodelay(true);
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    // A connection that ends in an error has nobody left to tell.
    drop(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes)).await);
}
