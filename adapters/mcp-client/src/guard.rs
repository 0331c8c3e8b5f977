//! Limits the length of a line and the number of unrequested messages that a server sends. The limits apply
//! before rmcp reads the data.

use std::borrow::Cow;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, ReadBuf};

use crate::error::Error;
use crate::handler::Sinks;
use crate::options::Limits;

/// The limits of a session, and the first one that the server exceeded.
#[derive(Debug)]
pub(crate) struct Guard {
    line: usize,
    most: usize,
    left: AtomicUsize,
    fault: Mutex<Option<Error>>,
    pub(crate) sinks: Sinks,
}

impl Guard {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        let (line, most) = (limits.message, limits.unasked);
        Arc::new(Self {
            line,
            most,
            left: AtomicUsize::new(most),
            fault: Mutex::default(),
            sinks: Sinks::default(),
        })
    }

    /// Returns the limit that ended the session.
    pub(crate) fn fault(&self) -> Option<Error> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, fault: Error) {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
    }

    /// Counts an unrequested message. Returns `false` if there are too many.
    fn admits(&self) -> bool {
        let counted =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if counted.is_err() {
            self.set(Error::Flood(self.most));
        }
        counted.is_ok()
    }
}

/// A transport that ends when the server exceeds a limit.
pub(crate) struct Guarded<T> {
    pub(crate) inner: T,
    pub(crate) guard: Arc<Guard>,
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Guarded<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        "MCP".into()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if matches!(message, JsonRpcMessage::Request(_)) {
            self.guard.left.store(self.guard.most, Ordering::Relaxed);
        }
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            match self.inner.receive().await? {
                answer @ (JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)) => return Some(answer),
                _ if !self.guard.admits() => return None,
                JsonRpcMessage::Notification(message) => match message.notification {
                    ServerNotification::ProgressNotification(report) => {
                        self.guard.sinks.report(report.params)
                    }
                    _ => return Some(JsonRpcMessage::Notification(message)),
                },
                request => return Some(request),
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

/// A reader that fails at a line that is too long, before the whole line is in memory.
pub(crate) struct Lines<R> {
    pub(crate) inner: R,
    pub(crate) guard: Arc<Guard>,
    /// The bytes since the last end of a line.
    pub(crate) since: usize,
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = buffer.filled().get(before..).unwrap_or_default();
        let first = read.iter().position(|byte| *byte == b'\n').unwrap_or(read.len());
        let longest = self.since.saturating_add(first);
        self.since = match read.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => read.len().saturating_sub(last + 1),
            None => longest,
        };
        if longest > self.guard.line {
            self.guard.set(Error::TooLarge(self.guard.line));
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        Poll::Ready(Ok(()))
    }
}
