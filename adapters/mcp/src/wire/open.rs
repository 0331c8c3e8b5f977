//! Limits the open requests of a client, and the answers that it has not read.

use std::collections::HashMap;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorCode, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::TxJsonRpcMessage;
use tokio::sync::watch;

/// The maximum number of open requests of a client.
const MAX_REQUESTS: usize = 1_000;

/// The maximum total size of open requests in bytes.
const MAX_OPEN_BYTES: usize = 64 << 20;

/// No more requests are read while at least this many bytes wait for the client.
const MAX_QUEUED_BYTES: usize = 16 << 20;

/// The additional cost of a message, in bytes.
const MESSAGE: usize = 1 << 10;

/// If a client has this many open requests, the next one is read only after pending answers are
/// produced.
const MAX_UNANSWERED: usize = 64;

/// The open requests and unread answers of a client. Clones share their state.
#[derive(Clone, Default)]
pub(crate) struct Open(watch::Sender<State>);

#[derive(Default)]
struct State {
    /// The size of each request in bytes.
    requests: HashMap<RequestId, usize>,
    taken: usize,
    queued: usize,
    is_ending: bool,
}

/// Bytes that wait for the client to read them.
pub(crate) struct Queued(Open, usize);

impl Open {
    /// Records a request of this size. Refuses it if a limit is exceeded, or if an open request has the same
    /// id: rmcp would send the answer of one to the other.
    pub(crate) fn admit(&self, id: &RequestId, bytes: usize) -> Result<(), ErrorData> {
        let busy = |text: &'static str| Err(ErrorData::new(ErrorCode(-32000), text, None));
        let mut admitted = Ok(());
        self.0.send_if_modified(|state| {
            admitted = if state.requests.contains_key(id) {
                Err(ErrorData::invalid_request("a request with this id has no answer yet", None))
            } else if state.is_ending {
                busy("the server is ending")
            } else if state.requests.len() >= MAX_REQUESTS
                || state.taken.saturating_add(bytes) > MAX_OPEN_BYTES
            {
                busy("too many requests have no answer yet")
            } else {
                state.taken += bytes;
                state.requests.insert(id.clone(), bytes);
                Ok(())
            };
            false
        });
        admitted
    }

    /// Handles a notification of a client: a cancelled request gets no answer.
    pub(crate) fn received(&self, notification: &ClientNotification) {
        if let ClientNotification::CancelledNotification(cancelled) = notification
            && let Some(id) = &cancelled.params.request_id
        {
            self.remove(id);
        }
    }

    /// Handles a message to a client, which may be the answer to an open request.
    pub(crate) fn sent(&self, message: &TxJsonRpcMessage<RoleServer>) {
        match message {
            JsonRpcMessage::Response(response) => self.remove(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.remove(id)),
            _ => {}
        }
    }

    fn remove(&self, id: &RequestId) {
        self.0.send_modify(|state| {
            state.taken -= state.requests.remove(id).unwrap_or(0);
        });
    }

    /// Records an answer to be written, which counts as waiting until the guard is dropped.
    pub(crate) fn queue(&self, bytes: usize) -> Queued {
        let cost = bytes.saturating_add(MESSAGE);
        self.0.send_modify(|state| state.queued = state.queued.saturating_add(cost));
        Queued(self.clone(), cost)
    }

    /// Waits until another message may be read.
    pub(crate) async fn room(&self) {
        if self.0.borrow().requests.len() >= MAX_UNANSWERED {
            tokio::task::yield_now().await;
        }
        // `self` holds the sender, so this cannot fail.
        drop(self.0.subscribe().wait_for(|state| state.queued < MAX_QUEUED_BYTES).await.map(drop));
    }

    /// Refuses all further requests.
    pub(crate) fn end(&self) {
        self.0.send_modify(|state| state.is_ending = true);
    }

    /// Returns `true` if no request waits for its answer.
    #[cfg(feature = "http")]
    pub(crate) fn is_answered(&self) -> bool {
        self.0.borrow().requests.is_empty()
    }

    /// Waits until every request is answered, and every answer read.
    pub(crate) async fn idle(&self) {
        let mut states = self.0.subscribe();
        // `self` holds the sender, so this cannot fail.
        drop(states.wait_for(|state| state.requests.is_empty() && state.queued == 0).await.map(drop));
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        let cost = self.1;
        self.0.0.send_modify(|state| state.queued = state.queued.saturating_sub(cost));
    }
}
