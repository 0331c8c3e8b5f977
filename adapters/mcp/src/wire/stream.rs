//! Converts lines to messages for rmcp, and answers invalid ones with an error, so that no client waits
//! forever.

use std::borrow::Cow;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, GetMeta, JsonRpcMessage, ProtocolVersion,
    RequestId,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::error::Category;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, watch};

use super::envelope::Envelope;
use super::line::{LONGEST, Line, Lines};
use super::open::Open;

/// A client at the other end of two streams.
pub(crate) struct Stream<R, W> {
    lines: Lines<R>,
    out: Arc<Mutex<W>>,
    /// An error that is being sent. It is kept here in case reading is interrupted.
    refusing: Option<Pin<Box<dyn Future<Output = io::Result<()>> + Send>>>,
    open: Open,
    has_begun: bool,
    closed: watch::Sender<bool>,
}

/// The reason why a line is not a valid message, and the id to answer.
type Refusal = Box<(Option<RequestId>, ErrorData)>;

impl<R, W> Stream<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Creates the stream. `closed` is set to `true` when the client has closed its side.
    pub(crate) fn new(read: R, write: W, closed: watch::Sender<bool>, open: Open) -> Self {
        Self {
            lines: Lines::new(read),
            out: Arc::new(Mutex::new(write)),
            refusing: None,
            open,
            has_begun: false,
            closed,
        }
    }

    async fn next(&mut self) -> io::Result<Option<ClientJsonRpcMessage>> {
        loop {
            if let Some(refusing) = &mut self.refusing {
                let refused = refusing.await;
                self.refusing = None;
                refused?;
            }
            self.open.room().await;
            let (message, bytes) = match self.lines.next().await? {
                None => return Ok(None),
                Some(Line::Whole(line)) => (message(&line), line.len()),
                Some(Line::TooLong(envelope)) => (too_long(envelope), 0),
            };
            match message.and_then(|message| message.map_or(Ok(None), |message| self.admit(message, bytes))) {
                Ok(Some(message)) => return Ok(Some(message)),
                Ok(None) => {}
                Err(refusal) => {
                    let (id, error) = *refusal;
                    self.refusing = Some(Box::pin(self.write(&JsonRpcMessage::error(error, id))));
                }
            }
        }
    }

    /// Queues a message. The future completes when it is written.
    fn write(
        &self,
        message: &TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + use<R, W> {
        let line = serde_json::to_vec(message);
        let queued = self.open.queue(line.as_ref().map_or(0, Vec::len));
        let out = Arc::clone(&self.out);
        async move {
            let mut line = line?;
            line.push(b'\n');
            let mut out = out.lock().await;
            out.write_all(&line).await?;
            out.flush().await?;
            drop(queued);
            Ok(())
        }
    }

    /// Checks a message of this size. Returns `None` if it is ignored.
    fn admit(
        &mut self,
        message: ClientJsonRpcMessage,
        bytes: usize,
    ) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
        match &message {
            JsonRpcMessage::Request(request) => {
                let is_custom = matches!(request.request, ClientRequest::CustomRequest(_));
                if is_custom && request.request.method() == "initialize" {
                    let error = ErrorData::invalid_params("the parameters of initialize are malformed", None);
                    return Err(Box::new((Some(request.id.clone()), error)));
                }
                let admitted = self.open.admit(&request.id, bytes);
                admitted.map_err(|error| Box::new((Some(request.id.clone()), error)))?;
                self.has_begun |= begins(&request.request);
            }
            // rmcp would end the session.
            _ if !self.has_begun => return Ok(None),
            JsonRpcMessage::Notification(notification) => {
                self.open.received(&notification.notification);
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        Ok(Some(message))
    }
}

impl<R, W> Transport<RoleServer> for Stream<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.open.sent(&item);
        self.write(&item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.next().await.ok().flatten();
        if message.is_none() {
            self.closed.send_replace(true);
        }
        message
    }

    async fn close(&mut self) -> io::Result<()> {
        // The stream is closed on drop, including unsent messages for a client that does not read.
        Ok(())
    }
}

/// Returns `true` if rmcp starts the session with this request. Before that it accepts only requests.
fn begins(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let is_known = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta.protocol_version().is_some_and(is_known)
        }
    }
}

/// Parses a line. Returns `None` for an invalid message that needs no answer.
fn message(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Ok(Some(message)),
        Err(error) => error,
    };
    let mut envelope = Envelope::default();
    envelope.read(line);
    if envelope.is_silent() {
        return Ok(None);
    }
    let error = match error.classify() {
        Category::Data if envelope.is_batch() => {
            ErrorData::invalid_request("batches are not supported: send each message on its own line", None)
        }
        Category::Data => ErrorData::invalid_request(
            "neither a request nor a notification: `jsonrpc` is \"2.0\", `id` a string or a whole number, `method` a \
             string, and `params` an object",
            None,
        ),
        _ => ErrorData::new(ErrorCode::PARSE_ERROR, Cow::Owned(format!("no JSON: {error}")), None),
    };
    Err(Box::new((envelope.into_id(), error)))
}

fn too_long(envelope: Envelope) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    if envelope.is_silent() {
        return Ok(None);
    }
    let text = format!("the message is longer than {LONGEST} bytes");
    Err(Box::new((envelope.into_id(), ErrorData::invalid_request(text, None))))
}
