//! A standalone server: a loopback address, a guard, and limits for slow clients.

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
use crate::line::TimedConnection;

/// The largest buffer of a connection in bytes, and so the largest head of a request.
const BUFFER: usize = 64 << 10;

/// How long a client may still send after the last response of a connection that the server closes.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// A server that is bound to its address but does not answer yet.
#[must_use]
pub struct Server {
    listener: TcpListener,
    limits: Limits,
    connections: Arc<Semaphore>,
    signal: Pin<Box<dyn Future<Output = ()> + Send>>,
    grace: Duration,
}

/// The time limits for clients.
#[derive(Clone, Copy, Debug)]
struct Limits {
    head: Duration,
    write: Duration,
}

/// Binds an address; port 0 selects a free port.
///
/// # Errors
/// If the address is in use, or does not belong to this machine.
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
    /// Sets the maximum time for the next request to begin and to send its head; 10 seconds by default.
    pub fn head_time(self, time: Duration) -> Self {
        Self { limits: Limits { head: time, ..self.limits }, ..self }
    }

    /// Sets how long a client may read nothing of its response; 30 seconds by default.
    ///
    /// The work for the client ends with the connection. A stream without data to send is not affected.
    pub fn write_time(self, time: Duration) -> Self {
        Self { limits: Limits { write: time, ..self.limits }, ..self }
    }

    /// Sets the maximum number of connections; 2,048 by default. Others wait to be accepted.
    pub fn connections(self, count: usize) -> Self {
        Self { connections: Arc::new(Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS))), ..self }
    }

    /// Shuts the server down when this future completes: no connections are accepted, active requests may
    /// continue for the time of [`grace`](Self::grace), and [`run`](Self::run) returns.
    pub fn until(self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { signal: Box::pin(signal), ..self }
    }

    /// Sets how long active requests may continue after the shutdown begins; 5 seconds by default. Longer
    /// ones are dropped. With [`Duration::ZERO`], all are dropped at once.
    pub fn grace(self, time: Duration) -> Self {
        Self { grace: time, ..self }
    }

    /// Returns the address.
    ///
    /// # Errors
    /// The error of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests that pass the guard, until the shutdown that [`until`](Self::until) sets, or until
    /// the future is dropped. All connections and their work end with it.
    pub async fn run(self, routes: Router, guard: Guard) {
        let Self { listener, limits, connections, mut signal, grace } = self;
        let routes = routes.layer(middleware::from_fn_with_state(guard, guard::check));
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
        // Another server may now use the address.
        drop(listener);
        ending.send_replace(true);
        // Longer requests are dropped with the set.
        drop(timeout(grace, async { while answering.join_next().await.is_some() {} }).await);
    }
}

/// Waits for a free place, then for a client.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
) -> ((TcpStream, SocketAddr), Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed.
    let permit = Arc::clone(connections).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok(accepted) => return (accepted, permit),
            // The process is probably out of descriptors. Connections that end free some.
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
    let line = TimedConnection::new(stream, limits.write);
    let watch = line.watch();
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(BUFFER);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(line), TowerToHyperService::new(routes)));
    let mut gone = pin!(watch.gone());
    let mut is_ending = false;
    let served = loop {
        tokio::select! {
            served = &mut connection => break served,
            () = &mut gone => return,
            // The sender outlives this task.
            _ = ending.wait_for(|is_ending| *is_ending), if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    };
    // The rest of a refused request may still arrive. For other errors the client is gone.
    if served.map_or_else(|error| error.is_parse(), |()| true) {
        let linger = watch.linger();
        if is_ending { drop(timeout(CLOSE_TIMEOUT, linger).await) } else { linger.await }
    }
}
