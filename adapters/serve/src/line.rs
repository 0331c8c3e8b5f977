//! A connection to a client that may stop reading, disappear, or continue sending after the response.
//! [`Server`](crate::Server) uses one for each connection.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::FutureExt;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep, timeout};

/// The idle time before the system sends keep-alive probes, and the interval between probes.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(10));

/// How often to check for a disconnect of a client whose next request is already in the read buffer.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// How long a client may keep sending after its last response.
const LINGER_TIMEOUT: Duration = Duration::from_secs(5);

/// A connection that fails if a write waits too long for the client to read.
///
/// A stream without data to write is never cut off.
pub(crate) struct TimedConnection {
    stream: Arc<Mutex<TcpStream>>,
    write_time: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

/// Another handle of the same connection.
pub(crate) struct Watch(Arc<Mutex<TcpStream>>);

impl TimedConnection {
    pub(crate) fn new(stream: TcpStream, write_time: Duration) -> Self {
        let (idle, again) = KEEPALIVE;
        // If a system refuses either option, serving still works.
        let _: io::Result<()> = stream.set_nodelay(true);
        let keepalive = TcpKeepalive::new().with_time(idle).with_interval(again);
        let _: io::Result<()> = SockRef::from(&stream).set_tcp_keepalive(&keepalive);
        Self { stream: Arc::new(Mutex::new(stream)), write_time, waiting: None }
    }

    pub(crate) fn watch(&self) -> Watch {
        Watch(Arc::clone(&self.stream))
    }

    /// Applies the time limit to a write: it starts when a write has to wait, and restarts with each
    /// progress.
    fn limited<T>(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let polled = write(Pin::new(&mut *lock_stream(&self.stream)), context);
        if polled.is_ready() {
            self.waiting = None;
            return polled;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.write_time)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Watch {
    /// Waits until the client has disconnected.
    ///
    /// The reader of the connection also notices this, except while the client's next request waits in its
    /// buffer.
    pub(crate) async fn gone(&self) {
        loop {
            sleep(CHECK_INTERVAL).await;
            let ready = lock_stream(&self.0).ready(Interest::READABLE).now_or_never();
            if ready.is_some_and(|ready| ready.is_ok_and(|ready| ready.is_read_closed())) {
                return;
            }
        }
    }

    /// Continues reading for a moment after the last response. If a socket is closed with unread input, the
    /// system discards output that the client has not read yet.
    pub(crate) async fn linger(&self) {
        let mut buffer = vec![0; 16 << 10];
        let mut read = async || {
            let mut buffer = ReadBuf::new(&mut buffer);
            let read =
                poll_fn(|context| Pin::new(&mut *lock_stream(&self.0)).poll_read(context, &mut buffer)).await;
            read.is_ok() && !buffer.filled().is_empty()
        };
        let all = async { while read().await {} };
        // A client that still sends is cut off.
        drop(timeout(LINGER_TIMEOUT, all).await);
    }
}

fn lock_stream(stream: &Mutex<TcpStream>) -> MutexGuard<'_, TcpStream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AsyncRead for TimedConnection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *lock_stream(&self.stream)).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.limited(context, |stream, context| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.limited(context, |stream, context| stream.poll_write_vectored(context, slices))
    }

    fn is_write_vectored(&self) -> bool {
        lock_stream(&self.stream).is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *lock_stream(&self.stream)).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *lock_stream(&self.stream)).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::{Duration, SockRef, TimedConnection, io, lock_stream};
    use tokio::net::{TcpListener, TcpStream};

    async fn line(write_time: Duration) -> (TimedConnection, TcpStream) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let client =
            TcpStream::connect(listener.local_addr().expect("an address")).await.expect("it listens");
        (TimedConnection::new(listener.accept().await.expect("a client").0, write_time), client)
    }

    // SPEC 11.2: the server detects that a client's machine has vanished even if it writes nothing
    // to the client.
    #[tokio::test]
    async fn the_system_asks_after_silent_clients() {
        let (line, _client) = line(Duration::from_secs(1)).await;
        assert!(SockRef::from(&*lock_stream(&line.stream)).keepalive().expect("an option"));
    }

    // SPEC 11.2: the time limit applies to each wait of a write, not to their sum.
    #[tokio::test]
    async fn each_completed_write_restarts_the_time() {
        let (mut line, _client) = line(Duration::from_millis(100)).await;
        tokio::time::pause();
        let mut write = |answer: Poll<io::Result<usize>>| {
            line.limited(&mut Context::from_waker(Waker::noop()), |_, _| answer)
        };
        for _ in 0..5 {
            assert!(write(Poll::Pending).is_pending());
            tokio::time::advance(Duration::from_millis(90)).await;
            assert!(write(Poll::Pending).is_pending());
            assert!(write(Poll::Ready(Ok(1))).is_ready());
            // Nothing is written for a while.
            tokio::time::advance(Duration::from_secs(60)).await;
        }
        assert!(write(Poll::Pending).is_pending());
        tokio::time::advance(Duration::from_millis(101)).await;
        let Poll::Ready(Err(error)) = write(Poll::Pending) else { panic!("it waits on") };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
