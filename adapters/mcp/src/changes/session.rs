//! The state of a client's session, and the channel for notifications.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::lists::KnownLists;
use crate::wire::presence;

/// A session whose client may be listening for notifications.
pub(crate) type Place = Arc<presence::SessionConnections>;

/// The state of a client that started with `initialize`.
#[derive(Default)]
pub(crate) struct ClientState {
    known: Mutex<KnownLists>,
    pub(super) has_begun: AtomicBool,
    pub(super) is_notified: AtomicBool,
    /// Dropped at the end of the session.
    pub(super) life: watch::Sender<()>,
}

impl ClientState {
    pub(super) fn known(&self) -> MutexGuard<'_, KnownLists> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
