//! The one address that a program reaches whose skill names hosts: a proxy on this machine that connects to those and to
//! nobody else (SPEC 13.8).
//!
//! The program's system call `connect` waits for an answer of `broker`, which makes the connection to the proxy itself, from
//! an address that the program cannot change meanwhile; to any other it is refused. What the proxy is asked for,
//! `exchange` decides.

mod broker;
mod exchange;
mod near;

use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// How many connections a program may have open at once; more are closed at once.
const MOST: usize = 128;

/// The proxy of one run. Dropped, it closes all its connections and listens no more.
#[derive(Debug)]
pub(super) struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    over: AtomicBool,
    /// What is open, so that it can be closed; a number names each.
    open: Mutex<Vec<(u64, TcpStream)>>,
}

impl Proxy {
    /// Listens on this machine alone, and lets those through that `hosts` name.
    pub(super) fn start(hosts: Vec<String>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let (own, hosts) = (Arc::clone(&shared), Arc::<[String]>::from(hosts));
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
                let hosts = Arc::clone(&hosts);
                let own = Arc::clone(&own);
                // Where no thread can be had the connection closes.
                let _ = thread::Builder::new().name("skill-proxy".to_owned()).spawn(move || {
                    exchange::serve(&stream, &hosts, &|upstream| own.hold(number, upstream));
                    own.release(number);
                });
            }
        })?;
        Ok(Self { address, shared })
    }

    /// Returns the address as clients are told it in `HTTP_PROXY`.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers from now on what connections the program asks for; it ends with the last process of the run.
    pub(super) fn broker(&self, asked: OwnedFd) -> io::Result<()> {
        let address = self.address;
        thread::Builder::new()
            .name("skill-connect".to_owned())
            .spawn(move || broker::serve(&asked, address))
            .map(drop)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Release);
        for (_, stream) in self.shared.streams().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        // Its thread waits for a connection, and ends with this one.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn streams(&self) -> std::sync::MutexGuard<'_, Vec<(u64, TcpStream)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a stream, so that the end of the run closes it; false when it is over, or there are too many.
    fn hold(&self, number: u64, stream: &TcpStream) -> bool {
        let Ok(copy) = stream.try_clone() else { return false };
        let mut open = self.streams();
        // Looked at under the lock: what is added now, the end closes.
        if self.over.load(Ordering::Acquire) || open.len() >= MOST * 2 {
            return false;
        }
        open.push((number, copy));
        true
    }

    fn release(&self, number: u64) {
        self.streams().retain(|(of, _)| *of != number);
    }
}
