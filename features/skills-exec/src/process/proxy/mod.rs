//! A local proxy for the programs of skills that name hosts. It is the only address that such a program can
//! reach, and it connects only to the named hosts.
//!
//! The `connect` call of the program waits for an answer of `broker`. The broker connects the socket to the
//! proxy itself, with an address that the program cannot change meanwhile, and refuses all other addresses.
//! `exchange` decides about the requests to the proxy.

pub(super) mod broker;
mod exchange;
mod near;

use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use skills_registry::Net;

/// The maximum number of open streams of a run: each connection of its program has up to two. More are closed immediately.
/// They take descriptors and threads of the host, which other runs need as well.
const MAX_STREAMS: usize = 128;

/// The time after which a connection is accepted again if the host has no descriptor for it.
const PAUSE: Duration = Duration::from_millis(10);

/// The proxy of one run. Dropping it closes all connections and stops listening.
#[derive(Debug)]
pub(super) struct Proxy {
    listener: Arc<TcpListener>,
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    hosts: Vec<String>,
    over: AtomicBool,
    /// The open streams, each with the number of its connection, so that the end of the run can close them.
    open: Mutex<Vec<(u64, Arc<TcpStream>)>>,
}

impl Proxy {
    /// Starts a proxy if the sandbox names hosts.
    pub(super) fn for_net(net: &Net) -> io::Result<Option<Self>> {
        match net {
            Net::Hosts(hosts) => Self::start(hosts.clone()).map(Some),
            Net::None | Net::All => Ok(None),
        }
    }

    /// Starts a proxy that listens on the loopback address and connects only to `hosts`.
    fn start(hosts: Vec<String>) -> io::Result<Self> {
        let listener = Arc::new(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?);
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { hosts, over: AtomicBool::new(false), open: Mutex::default() });
        let (own, accepting) = (Arc::clone(&shared), Arc::clone(&listener));
        thread::Builder::new().name("skill-proxy".to_owned()).spawn(move || own.accept(&accepting))?;
        Ok(Self { listener, address, shared })
    }

    /// Returns the URL of the proxy for `HTTP_PROXY`.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the address to which all connections of the program lead.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Release);
        for (_, stream) in self.shared.streams().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        // On Linux this ends the wait for a connection. It needs no descriptor, which the host may not have.
        let _ = rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both);
    }
}

impl Shared {
    /// Serves each connection on its own thread, until the run is over.
    fn accept(self: Arc<Self>, listener: &TcpListener) {
        for (number, stream) in (0..).zip(listener.incoming()) {
            if self.over.load(Ordering::Acquire) {
                return;
            }
            let Ok(stream) = stream.map(Arc::new) else {
                thread::sleep(PAUSE);
                continue;
            };
            if !self.add_stream(number, &stream) {
                continue;
            }
            let own = Arc::clone(&self);
            let served = thread::Builder::new().name("skill-proxy".to_owned()).spawn(move || {
                exchange::serve(&stream, &own.hosts, &|upstream| own.add_stream(number, upstream));
                own.release(number);
            });
            if served.is_err() {
                self.release(number);
            }
        }
    }

    fn streams(&self) -> std::sync::MutexGuard<'_, Vec<(u64, Arc<TcpStream>)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a stream, so that the end of the run closes it. Returns `false` if the run is over or too many
    /// are open.
    fn add_stream(&self, number: u64, stream: &Arc<TcpStream>) -> bool {
        let mut open = self.streams();
        // This is checked under the lock, so that the end of the run closes every added stream.
        if self.over.load(Ordering::Acquire) || open.len() >= MAX_STREAMS {
            return false;
        }
        open.push((number, Arc::clone(stream)));
        true
    }

    fn release(&self, number: u64) {
        self.streams().retain(|(of, _)| *of != number);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    // SPEC 13.8
    #[test]
    fn a_proxy_has_few_streams_and_leaves_nothing() {
        let proxy = Proxy::start(Vec::new()).unwrap();
        let clients: Vec<TcpStream> =
            (0..MAX_STREAMS + 20).map(|_| TcpStream::connect(proxy.address()).unwrap()).collect();
        // The last ones were closed, and the first ones wait for a request.
        for client in clients.iter().rev().take(20) {
            assert!(!matches!((&*client).read(&mut [0]), Ok(1..)));
        }
        assert_eq!(proxy.shared.streams().len(), MAX_STREAMS);
        let (listener, shared) = (Arc::downgrade(&proxy.listener), Arc::downgrade(&proxy.shared));
        drop(proxy);
        let begin = std::time::Instant::now();
        while listener.strong_count() + shared.strong_count() > 0 {
            assert!(begin.elapsed() < Duration::from_secs(20), "its threads have not ended");
            thread::sleep(Duration::from_millis(10));
        }
    }
}
