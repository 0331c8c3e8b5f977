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

use crate::observer::Observer;

/// The maximum number of open connections. Further connections are closed immediately.
const MAX_CONNECTIONS: usize = 128;

/// The hosts that a proxy connects to.
#[derive(Debug)]
struct Allowed {
    /// The hosts that the sandbox names. `None` allows every host.
    hosts: Option<Vec<String>>,
    observer: Option<Arc<dyn Observer>>,
}

/// The proxy of one run. Dropping it closes all connections and stops listening.
#[derive(Debug)]
pub(super) struct Proxy {
    address: SocketAddr,
    /// Whether it is the only address that the program may reach.
    is_only: bool,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    over: AtomicBool,
    /// The open streams, each with the number of its connection, so that the end of the run can close them.
    open: Mutex<Vec<(u64, TcpStream)>>,
}

impl Proxy {
    /// Starts a proxy if the sandbox names hosts. If there is an observer, also starts one when the sandbox
    /// allows every host.
    pub(super) fn of(net: &Net, observer: Option<&Arc<dyn Observer>>) -> io::Result<Option<Self>> {
        let hosts = match net {
            Net::Hosts(hosts) => Some(hosts.clone()),
            Net::All if observer.is_some() => None,
            _ => return Ok(None),
        };
        Self::start(Allowed { hosts, observer: observer.cloned() }).map(Some)
    }

    /// Starts a proxy that listens on the loopback address.
    fn start(allowed: Allowed) -> io::Result<Self> {
        let is_only = allowed.hosts.is_some();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let (own, allowed) = (Arc::clone(&shared), Arc::new(allowed));
        thread::Builder::new().name("skill-proxy".to_owned()).spawn(move || {
            let mut number = 0;
            for stream in listener.incoming() {
                if own.over.load(Ordering::Acquire) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                number += 1;
                if !own.hold(number, &stream) {
                    continue;
                }
                let allowed = Arc::clone(&allowed);
                let own = Arc::clone(&own);
                // If no thread can be created, the connection is closed.
                let _ = thread::Builder::new().name("skill-proxy".to_owned()).spawn(move || {
                    exchange::serve(&stream, &allowed, &|upstream| own.hold(number, upstream));
                    own.release(number);
                });
            }
        })?;
        Ok(Self { address, is_only, shared })
    }

    /// Returns the URL of the proxy for `HTTP_PROXY`.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns its address if all connections of the program lead to it.
    pub(super) fn brokered(&self) -> Option<SocketAddr> {
        self.is_only.then_some(self.address)
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
    fn hold(&self, number: u64, stream: &TcpStream) -> bool {
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
