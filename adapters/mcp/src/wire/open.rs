//! What is open with one client, within bounds: its requests without an answer, and answers it has not read (SPEC 11.7).

use std::collections::HashMap;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorCode, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::TxJsonRpcMessage;
use tokio::sync::watch;

/// How many requests of a client may be without an answer.
const REQUESTS: usize = 1_000;

/// How many bytes they may have together.
const TAKEN: usize = 64 << 20;

/// A client is read on when fewer bytes than these wait for it to read.
const QUEUED: usize = 16 << 20;

/// What a message costs beside its bytes.
const MESSAGE: usize = 1 << 10;

/// From so many open requests on, those that can be answered are answered before another is read.
const MANY: usize = 64;

/// What is open with one client. Clones are one and the same.
#[derive(Clone, Default)]
pub(crate) struct Open(watch::Sender<State>);

#[derive(Default)]
struct State {
    /// The bytes of each request.
    requests: HashMap<RequestId, usize>,
    taken: usize,
    queued: usize,
    is_ending: bool,
}

/// Bytes that wait for the client to read them.
pub(crate) struct Queued(Open, usize);

impl Open {
    /// Takes note of a request of so many bytes; one is refused that there is no room for, or whose id another has that is
    /// open: rmcp would give the answer of one to the other, and none to the first.
    pub(crate) fn admit(&self, id: &RequestId, bytes: usize) -> Result<(), ErrorData> {
        let busy = |text: &'static str| Err(ErrorData::new(ErrorCode(-32000), text, None));
        let mut admitted = Ok(());
        self.0.send_if_modified(|state| {
            admitted = if state.requests.contains_key(id) {
                Err(ErrorData::invalid_request("a request with this id has no answer yet", None))
            } else if state.is_ending {
                busy("the server is ending")
            } else if state.requests.len() >= REQUESTS || state.taken.saturating_add(bytes) > TAKEN {
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

    /// Takes note of what a client says: a request that it cancels gets no answer.
    pub(crate) fn hear(&self, notification: &ClientNotification) {
        if let ClientNotification::CancelledNotification(cancelled) = notification
            && let Some(id) = &cancelled.params.request_id
        {
            self.remove(id);
        }
    }

    /// Takes note of what a client is told, which may be the answer that a request waits for.
    pub(crate) fn tell(&self, message: &TxJsonRpcMessage<RoleServer>) {
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

    /// Takes note of an answer that is to be written; it waits until the guard is dropped.
    pub(crate) fn queue(&self, bytes: usize) -> Queued {
        let cost = bytes.saturating_add(MESSAGE);
        self.0.send_modify(|state| state.queued = state.queued.saturating_add(cost));
        Queued(self.clone(), cost)
    }

    /// Waits until another message may be read.
    pub(crate) async fn room(&self) {
        if self.0.borrow().requests.len() >= MANY {
            tokio::task::yield_now().await;
        }
        // The sender is `self`, so it is there.
        drop(self.0.subscribe().wait_for(|state| state.queued < QUEUED).await.map(drop));
    }

    /// Admits nothing more.
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
        let is_idle = |state: &State| state.requests.is_empty() && state.queued == 0;
        // The sender is `self`, so it is there.
        drop(self.0.subscribe().wait_for(is_idle).await.map(drop));
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        let cost = self.1;
        self.0.0.send_modify(|state| state.queued = state.queued.saturating_sub(cost));
    }
}
