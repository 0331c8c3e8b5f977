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

use skills_registry::Net;

/// The maximum number of open connections. Further connections are closed immediately.
const MAX_CONNECTIONS: usize = 128;

/// The proxy of one run. Dropping it closes all connections and stops listening.
#[derive(Debug)]
pub(super) struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    over: AtomicBool,
    /// The open streams, each with the number of its connection, so that the end of the run can close them.
    open: Mutex<Vec<(u64, TcpStream)>>,
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
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let (own, hosts) = (Arc::clone(&shared), Arc::new(hosts));
        thread::Builder::new().name("skill-proxy".to_owned()).spawn(move || {
            let mut number = 0;
            for stream in listener.incoming() {
                if own.over.load(Ordering::Acquire) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                number += 1;
                if !own.add_connection(number, &stream) {
                    continue;
                }
                let hosts = Arc::clone(&hosts);
                let own = Arc::clone(&own);
                // If no thread can be created, the connection is closed.
                let _ = thread::Builder::new().name("skill-proxy".to_owned()).spawn(move || {
                    exchange::serve(&stream, &hosts, &|upstream| own.add_connection(number, upstream));
                    own.release(number);
                });
            }
        })?;
        Ok(Self { address, shared })
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
        // The listening thread waits for a connection. This connection ends it.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn streams(&self) -> std::sync::MutexGuard<'_, Vec<(u64, TcpStream)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a stream, so that the end of the run closes it. Returns `false` if the run is over or too many
    /// are open.
    fn add_connection(&self, number: u64, stream: &TcpStream) -> bool {
        let Ok(copy) = stream.try_clone() else { return false };
        let mut open = self.streams();
        // This is checked under the lock, so that the end of the run closes every added stream.
        if self.over.load(Ordering::Acquire) || open.len() >= MAX_CONNECTIONS * 2 {
            return false;
        }
        open.push((number, copy));
        true
    }

    fn release(&self, number: u64) {
        self.streams().retain(|(of, _)| *of != number);
    }
}
