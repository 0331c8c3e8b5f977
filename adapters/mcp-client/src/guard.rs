//! Limits the length of a line and all that a server sends. The limits apply before rmcp reads the data.

use std::borrow::Cow;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use skills_exec::{Exhausted, Meter};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

use crate::error::Error;
use crate::handler::Sinks;
use crate::options::Limits;

/// The least that a read counts, in bytes. A server that sends single bytes would otherwise make this process read a
/// million times for one mebibyte.
const READ: usize = 256;

/// The limits of a session, and the first one that the server exceeded.
#[derive(Debug)]
pub(crate) struct Guard {
    line: usize,
    meter: Meter,
    fault: Mutex<Option<Error>>,
    ended: Notify,
    pub(crate) sinks: Sinks,
}

impl Guard {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            line: limits.message,
            meter: Meter::new(limits.budget),
            fault: Mutex::default(),
            ended: Notify::new(),
            sinks: Sinks::default(),
        })
    }

    /// Returns the limit that ended the session.
    pub(crate) fn fault(&self) -> Option<Error> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets the server send as much as its budget allows from now on. Call it when the client asks for something.
    pub(crate) fn renew(&self) {
        self.meter.renew();
    }

    /// Counts text that the server has sent. Ends the session if this is too much.
    ///
    /// # Errors
    /// Returns an error if the session ends.
    pub(crate) fn admit(&self, bytes: usize, found: JsonCounts) -> io::Result<()> {
        let counted = self
            .meter
            .add_bytes(bytes as u64)
            .and_then(|()| self.meter.add_messages(found.messages))
            .and_then(|()| self.meter.add_items(found.values));
        counted.map_err(|limit: Exhausted| self.end(Error::Budget(limit)))
    }

    /// Counts what one read of a stream has returned, at least [`READ`] bytes.
    ///
    /// # Errors
    /// Returns an error if the session ends.
    pub(crate) fn admit_read(&self, bytes: usize, found: JsonCounts) -> io::Result<()> {
        self.admit(bytes.max(READ), found)
    }

    /// Checks the length of a message, or of its beginning. Ends the session if it is too long.
    ///
    /// # Errors
    /// Returns an error if the session ends.
    pub(crate) fn check_length(&self, bytes: usize) -> io::Result<()> {
        if bytes > self.line { Err(self.end(Error::TooLarge(self.line))) } else { Ok(()) }
    }

    /// Ends the session.
    fn end(&self, fault: Error) -> io::Error {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
        self.ended.notify_one();
        io::ErrorKind::InvalidData.into()
    }
}

/// The messages and the values of JSON that begin in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonCounts {
    pub(crate) messages: u64,
    pub(crate) values: u64,
}

/// Counts the values of JSON in a text that arrives in parts, by the commas and opening brackets outside of strings.
/// Values are counted because a few bytes of text, such as `[],`, take ten times as much memory once they are parsed.
#[derive(Debug, Default)]
pub(crate) struct ValueCounter {
    is_in_string: bool,
    is_escaped: bool,
}

impl ValueCounter {
    /// Counts the values and lines of the next part.
    pub(crate) fn count(&mut self, part: &[u8]) -> JsonCounts {
        let mut found = JsonCounts::default();
        for byte in part {
            match byte {
                // A string of JSON ends with its line, so text that is not JSON affects no further message.
                b'\n' => {
                    found.messages += 1;
                    *self = Self::default();
                }
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = self.is_in_string,
                b'"' => self.is_in_string = !self.is_in_string,
                b'[' | b'{' | b',' if !self.is_in_string => found.values += 1,
                _ => {}
            }
        }
        found
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
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let received = tokio::select! {
                biased;
                () = self.guard.ended.notified() => None,
                received = self.inner.receive() => received,
            };
            match received? {
                JsonRpcMessage::Notification(message) => match message.notification {
                    ServerNotification::ProgressNotification(report) => {
                        self.guard.sinks.report(report.params)
                    }
                    _ => return Some(JsonRpcMessage::Notification(message)),
                },
                other => return Some(other),
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

/// A reader that fails at a line that is too long, before the whole line is in memory, and when the budget is used up.
pub(crate) struct Lines<R> {
    inner: R,
    guard: Arc<Guard>,
    /// The bytes since the last end of a line.
    since: usize,
    values: ValueCounter,
}

impl<R> Lines<R> {
    pub(crate) fn new(inner: R, guard: &Arc<Guard>) -> Self {
        Self { inner, guard: Arc::clone(guard), since: 0, values: ValueCounter::default() }
    }
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
        self.guard.check_length(longest)?;
        let found = self.values.count(read);
        Poll::Ready(self.guard.admit_read(read.len(), found))
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonCounts, ValueCounter};

    // SPEC 22.2
    #[test]
    fn values_are_counted_outside_of_strings_and_across_parts() {
        let text = br#"{"a": [1, "b,[\",{", {}], "c": "d"}"#;
        let wanted = JsonCounts { messages: 0, values: 6 };
        assert_eq!(ValueCounter::default().count(text), wanted);
        let mut counter = ValueCounter::default();
        let values: u64 = text.chunks(1).map(|part| counter.count(part).values).sum();
        assert_eq!(values, wanted.values);
        let mut counter = ValueCounter::default();
        assert_eq!(counter.count(b"\"open\n[]\n"), JsonCounts { messages: 2, values: 1 });
    }
}
