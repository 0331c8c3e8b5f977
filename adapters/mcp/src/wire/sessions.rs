//! The sessions over HTTP: rmcp's sessions with checks for repeated request ids, an end for listening streams, and a limit
//! for what a session keeps from its client's `initialize` request.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{Stream, StreamExt, stream};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, Implementation, InitializeRequestParams,
    JsonRpcMessage, ServerJsonRpcMessage,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager};
use rmcp::transport::{Transport, WorkerTransport};
use skills_serve::{Budget, Share};
use tokio::time::timeout;

use super::attendance::Presence;
use super::open::Open;
use crate::charge::size;
use crate::shared::End;

/// How many sessions there are at most.
const SESSIONS: usize = 1_000;

/// How long an answer is kept for a client that lost its connection, and reconnects to read it.
const KEPT_ANSWER: Duration = Duration::from_secs(10);

/// An id that no request has. A session that closes the channel of this id only drops its expired answers.
const NONE: u64 = u64::MAX;

tokio::task_local! {
    /// The address of the client whose request is being answered, if the server knows it.
    pub(crate) static PEER: Option<IpAddr>;
}

/// The sessions of a router.
pub(crate) struct Sessions {
    local: LocalSessionManager,
    known: Mutex<Known>,
    /// Held while a session is created, so that two requests cannot exceed the limit together.
    making: tokio::sync::Mutex<()>,
    presence: Presence,
    end: End,
    budget: Budget,
}

#[derive(Default)]
struct Known {
    sessions: HashMap<SessionId, Session>,
    /// Grows with each message. It orders sessions by their last use.
    uses: u64,
}

struct Session {
    open: Open,
    answers: Answers,
    peer: Option<IpAddr>,
    last_use: u64,
    /// Whether its client has sent the notification `initialized`. A client that only opens
    /// sessions, to exhaust the server, does not send it.
    is_ready: bool,
}

/// The memory of the answers that a session keeps, with the time of each.
type Answers = Arc<Mutex<VecDeque<(Instant, Share)>>>;

/// One of them.
pub(crate) struct Answering {
    worker: WorkerTransport<LocalSessionWorker>,
    open: Open,
    answers: Answers,
    budget: Budget,
}

impl Sessions {
    /// Creates the manager of sessions. A session ends when it receives no message for the time
    /// `kept`.
    pub(crate) fn new(kept: Duration, end: End, presence: Presence, budget: Budget) -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(kept);
        local.session_config.completed_cache_ttl = KEPT_ANSWER;
        Self { local, known: Mutex::default(), making: tokio::sync::Mutex::default(), presence, end, budget }
    }

    /// Returns `true` if another session may begin, either as an additional one or in place of an
    /// idle one.
    pub(crate) async fn have_room(&self) -> bool {
        !self.are_full().await || self.idlest().is_some()
    }

    async fn are_full(&self) -> bool {
        self.local.sessions.read().await.len() >= SESSIONS
    }

    /// Finds the session to end when another begins. Sessions with a connection or an unanswered request are
    /// never ended.
    fn idlest(&self) -> Option<SessionId> {
        let known = self.known();
        let mut of_peer: HashMap<Option<IpAddr>, usize> = HashMap::new();
        for session in known.sessions.values() {
            *of_peer.entry(session.peer).or_default() += 1;
        }
        let idle = known
            .sessions
            .iter()
            .filter(|(id, session)| session.open.is_answered() && !self.presence.is_open(id));
        let (id, _) = idle.min_by_key(|(_, session)| {
            let count = of_peer.get(&session.peer).copied().unwrap_or_default();
            (Reverse(count), session.is_ready, session.last_use)
        })?;
        Some(id.clone())
    }

    /// Records a message to a session, and returns the open requests of the session.
    fn received(&self, id: &SessionId, message: Option<&ClientJsonRpcMessage>) -> Option<Open> {
        let mut known = self.known();
        known.uses += 1;
        let uses = known.uses;
        let session = known.sessions.get_mut(id)?;
        session.last_use = uses;
        if let Some(JsonRpcMessage::Notification(note)) = message {
            session.is_ready |= matches!(note.notification, ClientNotification::InitializedNotification(_));
        }
        Some(session.open.clone())
    }

    /// Makes sessions drop expired answers. On its own, a session does this only when it receives a message.
    pub(crate) async fn forget(&self) {
        let is_over = |(at, _): &(Instant, Share)| at.elapsed() > KEPT_ANSWER;
        let over: Vec<(SessionId, Answers)> = {
            let known = self.known();
            let sessions = known.sessions.iter();
            let over = sessions.filter(|(_, session)| lock(&session.answers).front().is_some_and(is_over));
            over.map(|(id, session)| (id.clone(), Arc::clone(&session.answers))).collect()
        };
        for (id, answers) in over {
            let handle = self.local.sessions.read().await.get(&id).cloned();
            if let Some(handle) = handle {
                // The time limit avoids waiting for a session that is stuck.
                drop(timeout(Duration::from_millis(100), handle.close_request_wise_channel(NONE)).await);
            }
            let mut answers = lock(&answers);
            while answers.front().is_some_and(is_over) {
                answers.pop_front();
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        lock(&self.known)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

type Failure = LocalSessionManagerError;

impl SessionManager for Sessions {
    type Error = Failure;
    type Transport = Answering;

    async fn create_session(&self) -> Result<(SessionId, Answering), Failure> {
        let _making = self.making.lock().await;
        while self.are_full().await
            && let Some(idlest) = self.idlest()
        {
            self.close_session(&idlest).await?;
        }
        let (id, worker) = self.local.create_session().await?;
        let open = Open::default();
        let peer = PEER.try_with(|peer| *peer).ok().flatten();
        let mut known = self.known();
        known.uses += 1;
        let answers = Answers::default();
        let session = Session {
            open: open.clone(),
            answers: Arc::clone(&answers),
            peer,
            last_use: known.uses,
            is_ready: false,
        };
        known.sessions.insert(id.clone(), session);
        drop(known);
        Ok((id, Answering { worker, open, answers, budget: self.budget.clone() }))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        mut message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Failure> {
        shorten_introduction(&mut message);
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Failure> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Failure> {
        self.known().sessions.remove(id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        let open = self.received(id, Some(&message));
        if let (Some(open), JsonRpcMessage::Request(request)) = (open, &message)
            && let Err(error) = open.admit(&request.id, 0)
        {
            let refused = JsonRpcMessage::error(error, Some(request.id.clone()));
            return Ok(stream::iter([ServerSseMessage::from_message(refused)]).left_stream());
        }
        Ok(self.local.create_stream(id, message).await?.right_stream())
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Failure> {
        let open = self.received(id, Some(&message));
        if let (Some(open), JsonRpcMessage::Notification(notification)) = (open, &message) {
            open.received(&notification.notification);
        }
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        self.received(id, None);
        // The stream ends at the shutdown. Otherwise a server that waits for its connections would
        // wait for clients that only listen.
        Ok(self.local.create_standalone_stream(id).await?.take_until(self.end.signal()))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        self.local.resume(id, last_event_id).await
    }
}

impl Transport<RoleServer> for Answering {
    type Error = <WorkerTransport<LocalSessionWorker> as Transport<RoleServer>>::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.open.sent(&item);
        if let JsonRpcMessage::Response(_) = &item {
            let share = self.budget.share();
            share.force_charge(size(&item));
            lock(&self.answers).push_back((Instant::now(), share));
        }
        self.worker.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.worker.receive().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.worker.close().await
    }
}

/// The maximum memory of an introduction that is kept as it is, in bytes: four times its JSON.
const INTRODUCTION_MEMORY: usize = 64 << 10;

/// The maximum number of characters of the name, and of the version, that are kept from a longer
/// introduction.
const INTRODUCTION_NAME: usize = 256;

/// Shortens the introduction in an `initialize` request. Experimental capabilities are not kept, since no handler
/// reads them. If the introduction is still too long, only the start of the name, the start of the version, and the
/// capabilities without settings are kept.
fn shorten_introduction(message: &mut ClientJsonRpcMessage) {
    let JsonRpcMessage::Request(request) = message else { return };
    let ClientRequest::InitializeRequest(initialize) = &mut request.request else { return };
    let params = &mut initialize.params;
    params.meta = None;
    params.capabilities.experimental = None;
    if size(params) > INTRODUCTION_MEMORY {
        cut_introduction(params);
    }
}

fn cut_introduction(params: &mut InitializeRequestParams) {
    let Implementation { name, version, .. } = &params.client_info;
    let (name, version): (String, String) =
        (name.chars().take(INTRODUCTION_NAME).collect(), version.chars().take(INTRODUCTION_NAME).collect());
    params.client_info = Implementation::new(name, version);
    params.capabilities.extensions = None;
    params.capabilities.sampling = params.capabilities.sampling.take().map(|_| Default::default());
}

#[cfg(test)]
mod tests {
    use rmcp::model::ClientJsonRpcMessage;
    use serde_json::{Value, json};

    use super::shorten_introduction;

    fn shortened(name: &str, capabilities: &Value) -> Value {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities,
            "clientInfo": {"name": name, "version": "1", "title": "A client"}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let mut message: ClientJsonRpcMessage = serde_json::from_value(message).unwrap();
        shorten_introduction(&mut message);
        serde_json::to_value(&message).unwrap()["params"].take()
    }

    // SPEC 11.7
    #[test]
    fn a_session_keeps_a_short_introduction() {
        let texts = [""].repeat(10_000);
        let many = json!({"experimental": {"a": {"b": texts}}, "roots": {}, "extensions": {"x": {}}});
        let kept = shortened("a", &many);
        assert_eq!(kept["capabilities"], json!({"roots": {}, "extensions": {"x": {}}}));
        assert_eq!(kept["clientInfo"]["title"], "A client");
    }

    // SPEC 11.7
    #[test]
    fn only_names_of_a_long_introduction_are_kept() {
        let long = "n".repeat(100_000);
        let kept =
            shortened(&long, &json!({"sampling": {"tools": {"a": long}}, "extensions": {"x": {"y": long}}}));
        assert_eq!(kept["capabilities"], json!({"sampling": {}}));
        assert_eq!(kept["clientInfo"], json!({"name": "n".repeat(256), "version": "1"}));
    }
}
