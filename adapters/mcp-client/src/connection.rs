//! A connection to a server, which is opened when it is needed.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, InputRequest, InputResponses,
    JsonObject, ListToolsRequest, PaginatedRequestParams, ReadResourceRequest, ReadResourceRequestParams,
    RequestMetaObject, ResourceContents, ServerPeerInfo, ServerResult, Tool,
};
use skills_exec::Meter;
use skills_exec::trace::TraceContext;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use crate::address::ServerAddress;
use crate::approved::Approved;
use crate::error::Error;
use crate::handler::{CallProgress, Changed};
use crate::options::Options;
use crate::session::{ServerSession, Timeouts};
use crate::task::Running;

/// The longest wait between two attempts to connect.
const LONGEST: Duration = Duration::from_secs(60);

/// How often a call may ask for input before it must be complete.
const ROUNDS: usize = 10;

/// A connection to an MCP server. Clones share it.
///
/// The first request opens it, and if it is lost, the next request opens it again. A request is never sent
/// twice.
#[derive(Clone)]
pub struct Connection(Arc<Inner>);

struct Inner {
    server: Approved,
    options: Options,
    changed: watch::Sender<Changed>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    session: Option<Arc<ServerSession>>,
    failures: u32,
    /// The last failure, and when the next attempt may be made.
    failed: Option<(Error, Instant)>,
}

/// The options of one call of a tool.
#[non_exhaustive]
pub struct Call<'a> {
    /// How long the server may send neither an answer nor a report of progress; 60 seconds by
    /// default.
    pub idle: Duration,
    /// The time in all; 10 minutes by default.
    pub total: Duration,
    /// Receives the reports of progress.
    pub progress: Option<&'a (dyn Fn(CallProgress) + Send + Sync)>,
    /// The trace context. The request contains it in `_meta`.
    pub trace: Option<TraceContext>,
}

impl Default for Call<'_> {
    fn default() -> Self {
        Self { idle: Duration::from_secs(60), total: Duration::from_secs(600), progress: None, trace: None }
    }
}

impl<'a> Call<'a> {
    /// Sets the total time limit, and reduces the time without progress to it.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Self {
        self.total = time;
        self.idle = self.idle.min(time);
        self
    }

    /// Sets the receiver of the reports of progress.
    #[must_use]
    pub fn progress(mut self, progress: &'a (dyn Fn(CallProgress) + Send + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }
}

impl Connection {
    /// Creates a connection. The first request opens it.
    pub fn new(server: Approved, options: Options) -> Self {
        let (changed, _) = watch::channel(Changed::default());
        Self(Arc::new(Inner { server, options, changed, state: Mutex::default() }))
    }

    /// Opens a connection.
    ///
    /// # Errors
    /// [`Error::Address`], [`Error::NotApproved`] and [`Error::Unreachable`], and the errors of a server that exceeds a limit.
    pub async fn open(server: Approved, options: Options) -> Result<Self, Error> {
        let connection = Self::new(server, options);
        connection.session().await?;
        Ok(connection)
    }

    /// Returns the address of the server.
    pub fn server(&self) -> &ServerAddress {
        self.0.server.address()
    }

    /// Returns what the server said about itself, and opens the connection if necessary. The name in it is the
    /// server's own claim.
    ///
    /// # Errors
    /// See [`open`](Self::open).
    pub async fn info(&self) -> Result<Arc<ServerPeerInfo>, Error> {
        let info = self.session().await?.info();
        info.ok_or_else(|| Error::Protocol("no information about the server".to_owned()))
    }

    /// Returns a receiver that sees how often the lists of the server have changed.
    pub fn changes(&self) -> watch::Receiver<Changed> {
        self.0.changed.subscribe()
    }

    /// Lists the tools. Nothing in them is checked.
    ///
    /// # Errors
    /// [`Error`]
    pub async fn tools(&self) -> Result<Vec<Tool>, Error> {
        Ok(self.listed_tools().await?.0)
    }

    /// Lists the tools. Also returns how long the server allows the list to be kept.
    pub(crate) async fn listed_tools(&self) -> Result<(Vec<Tool>, Option<Duration>), Error> {
        let make = |page| {
            ClientRequest::ListToolsRequest(ListToolsRequest {
                method: Default::default(),
                params: Some(page),
                extensions: Default::default(),
            })
        };
        let mut fresh: Option<Duration> = None;
        let tools = self.pages(make, |result| match result {
            ServerResult::ListToolsResult(page) => {
                let page_is_fresh = page.ttl_ms.map(Duration::from_millis);
                fresh = fresh.into_iter().chain(page_is_fresh).min();
                Some((page.tools, page.next_cursor))
            }
            _ => None,
        });
        let tools = tools.await?;
        Ok((tools, fresh))
    }

    /// Calls a tool. If the future is dropped, the call is cancelled on the server.
    ///
    /// A failure of the tool itself is a result with `is_error`.
    ///
    /// # Errors
    /// [`Error`]. After [`Error::Closed`] and [`Error::Timeout`], it is unknown whether the tool has run.
    pub async fn call(
        &self,
        tool: &str,
        arguments: JsonObject,
        call: &Call<'_>,
    ) -> Result<CallToolResult, Error> {
        let session = self.session().await?;
        session.renew_budget();
        let end = Instant::now() + call.total;
        let timeouts = Timeouts { idle: call.idle, total: call.total, end, progress: call.progress };
        let mut params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        params.meta = call.trace.as_ref().map(meta);
        for _ in 0..ROUNDS {
            let request = ClientRequest::CallToolRequest(CallToolRequest::new(params.clone()));
            match session.request(request, timeouts).await? {
                ServerResult::CallToolResult(result) => return Ok(result),
                ServerResult::CreateTaskResult(created) => {
                    return Running::new(Arc::clone(&session), created.task).finish(self, timeouts).await;
                }
                ServerResult::InputRequiredResult(asked) => {
                    params.input_responses = self.answer(asked.input_requests.unwrap_or_default()).await?;
                    params.request_state = asked.request_state;
                }
                _ => {
                    return Err(Error::Protocol(format!("the answer to a call of {tool} has no content")));
                }
            }
        }
        Err(Error::Protocol(format!("{tool} asked for input more than {ROUNDS} times")))
    }

    /// Answers the requests for input that a server returns in place of a call's result.
    pub(crate) async fn answer(
        &self,
        requests: rmcp::model::InputRequests,
    ) -> Result<Option<InputResponses>, Error> {
        if requests.is_empty() {
            return Ok(None);
        }
        let input = self.0.options.input.as_ref().ok_or(Error::InputRefused)?;
        let mut responses = InputResponses::new();
        for (key, request) in requests {
            let answered = match request {
                InputRequest::CreateMessage(request) => {
                    input.sample(request.params).await.map(serde_json::to_value)
                }
                InputRequest::Elicitation(request) => {
                    input.elicit(request.params).await.map(serde_json::to_value)
                }
                _ => return Err(Error::InputRefused),
            };
            let value = answered.map_err(|_| Error::InputRefused)?;
            responses.insert(key, value.map_err(|error| Error::Protocol(error.to_string()))?);
        }
        Ok(Some(responses))
    }

    /// Reads a resource: the bytes of its only content.
    ///
    /// # Errors
    /// [`Error`]
    pub async fn read(&self, uri: &str) -> Result<Vec<u8>, Error> {
        let request =
            ClientRequest::ReadResourceRequest(ReadResourceRequest::new(ReadResourceRequestParams::new(uri)));
        let ServerResult::ReadResourceResult(result) = self.request(request).await? else {
            return Err(Error::Protocol(format!("the answer to a read of {uri} is of another kind")));
        };
        let [content] = result.contents.as_slice() else {
            return Err(Error::Protocol(format!(
                "{uri} has {} contents instead of one",
                result.contents.len()
            )));
        };
        let (of, bytes) = match content {
            ResourceContents::TextResourceContents { uri, text, .. } => (uri, text.clone().into_bytes()),
            ResourceContents::BlobResourceContents { uri: of, blob, .. } => {
                let decoded = BASE64_STANDARD.decode(blob);
                (of, decoded.map_err(|_| Error::Protocol(format!("{uri} is not in Base64")))?)
            }
            _ => return Err(Error::Protocol(format!("{uri} has a content of an unknown kind"))),
        };
        if of != uri {
            return Err(Error::Protocol(format!("the answer to a read of {uri} is for {of}")));
        }
        Ok(bytes)
    }

    /// Ends the connection and the program of the server. The next request opens it again.
    pub async fn close(&self) {
        let session = self.0.state.lock().await.session.take();
        if let Some(session) = session {
            session.close().await;
        }
    }

    /// Sends a request with the usual time limit.
    pub(crate) async fn request(&self, request: ClientRequest) -> Result<ServerResult, Error> {
        let session = self.session().await?;
        session.renew_budget();
        self.ask(&session, request, self.0.options.limits.request).await
    }

    async fn ask(
        &self,
        session: &Arc<ServerSession>,
        request: ClientRequest,
        time: Duration,
    ) -> Result<ServerResult, Error> {
        let end = Instant::now() + time;
        session.request(request, Timeouts { idle: time, total: time, end, progress: None }).await
    }

    /// Requests all pages of a list. They share one budget.
    pub(crate) async fn pages<T>(
        &self,
        make: impl Fn(PaginatedRequestParams) -> ClientRequest,
        mut take: impl FnMut(ServerResult) -> Option<Page<T>>,
    ) -> Result<Vec<T>, Error> {
        let limits = &self.0.options.limits;
        let (mut all, mut cursor) = (Vec::new(), None);
        self.session().await?.renew_budget();
        let meter = Meter::new(limits.budget);
        for _ in 0..limits.pages {
            let page = PaginatedRequestParams::default().with_cursor(cursor.take());
            let time = meter.time_left().map_err(Error::Budget)?.min(limits.request);
            let session = self.session().await?;
            let (items, next) = take(self.ask(&session, make(page), time).await?)
                .ok_or_else(|| Error::Protocol("the answer has no valid list".to_owned()))?;
            all.extend(items);
            if all.len() > limits.items {
                return Err(Error::Protocol(format!("a list has more than {} items", limits.items)));
            }
            match next {
                Some(next) => cursor = Some(next),
                None => return Ok(all),
            }
        }
        Err(Error::Protocol(format!("a list has more than {} pages", limits.pages)))
    }

    /// Returns the session, and begins one if necessary.
    async fn session(&self) -> Result<Arc<ServerSession>, Error> {
        let mut state = self.0.state.lock().await;
        if let Some(session) = &state.session {
            if !session.is_closed() {
                return Ok(Arc::clone(session));
            }
            // If a server ends each session without an answer, the wait before the next attempt
            // grows.
            state.failures = if session.has_answered() { 0 } else { state.failures.saturating_add(1) };
            state.session = None;
            // Nothing reported changes in the meantime.
            self.0.changed.send_modify(Changed::all);
        }
        if let Some((error, until)) = &state.failed
            && Instant::now() < *until
        {
            return Err(error.clone());
        }
        match ServerSession::open(&self.0.server, &self.0.options, &self.0.changed).await {
            Ok(session) => {
                let session = Arc::new(session);
                state.session = Some(Arc::clone(&session));
                state.failed = None;
                Ok(session)
            }
            Err(error) => {
                let wait = Duration::from_secs(1 << state.failures.min(6)).min(LONGEST);
                state.failures = state.failures.saturating_add(1);
                state.failed = Some((error.clone(), Instant::now() + wait));
                Err(error)
            }
        }
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Connection").field(&self.0.server).finish()
    }
}

/// Returns the `_meta` of a request with a trace context.
fn meta(trace: &TraceContext) -> RequestMetaObject {
    let mut meta = RequestMetaObject::default();
    meta.0.0.insert("traceparent".to_owned(), trace.parent().into());
    if !trace.state().is_empty() {
        meta.0.0.insert("tracestate".to_owned(), trace.state().into());
    }
    meta
}

/// A page of a list, and the cursor of the next one.
pub(crate) type Page<T> = (Vec<T>, Option<String>);
