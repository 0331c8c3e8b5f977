//! The sessions over HTTP: rmcp's sessions with checks for repeated request ids and an end for listening
//! streams.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager};
use rmcp::transport::{Transport, WorkerTransport};

use super::open::Open;
use crate::end::End;

/// The sessions of a router.
pub(crate) struct Sessions {
    local: LocalSessionManager,
    open: Mutex<HashMap<SessionId, Open>>,
    end: End,
}

/// A session.
pub(crate) struct Answering {
    worker: WorkerTransport<LocalSessionWorker>,
    open: Open,
}

impl Sessions {
    /// Creates sessions that end after being idle for this long.
    pub(crate) fn new(kept: Duration, end: End) -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(kept);
        Self { local, open: Mutex::default(), end }
    }

    pub(crate) async fn count(&self) -> usize {
        self.local.sessions.read().await.len()
    }

    fn open(&self) -> MutexGuard<'_, HashMap<SessionId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Failure = LocalSessionManagerError;

impl SessionManager for Sessions {
    type Error = Failure;
    type Transport = Answering;

    async fn create_session(&self) -> Result<(SessionId, Answering), Failure> {
        let (id, worker) = self.local.create_session().await?;
        let open = Open::default();
        self.open().insert(id.clone(), open.clone());
        Ok((id, Answering { worker, open }))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Failure> {
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Failure> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Failure> {
        self.open().remove(id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        let open = self.open().get(id).cloned();
        if let (Some(open), JsonRpcMessage::Request(request)) = (open, &message)
            && let Err(error) = open.admit(&request.id, 0)
        {
            let refused = JsonRpcMessage::error(error, Some(request.id.clone()));
            return Ok(stream::iter([ServerSseMessage::from_message(refused)]).left_stream());
        }
        Ok(self.local.create_stream(id, message).await?.right_stream())
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Failure> {
        let open = self.open().get(id).cloned();
        if let (Some(open), JsonRpcMessage::Notification(notification)) = (open, &message) {
            open.hear(&notification.notification);
        }
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        // Otherwise, a server that waits for its connections would wait for clients that only listen.
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
        self.open.tell(&item);
        self.worker.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.worker.receive().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.worker.close().await
    }
}
