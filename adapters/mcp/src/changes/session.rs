//! The state of a client's session, and the channel for notifications.

#[cfg(feature = "http")]
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::lists::Known;
#[cfg(feature = "http")]
use crate::wire::presence;

/// A session whose client may be listening for notifications.
#[cfg(feature = "http")]
pub(crate) type Place = Arc<presence::Session>;

/// Uninhabited: on streams, notifications can be sent at any time.
#[cfg(not(feature = "http"))]
pub(crate) enum Place {}

#[cfg(not(feature = "http"))]
impl Place {
    pub(crate) async fn listens(&self) {
        match *self {}
    }
}

/// The state of a client that started with `initialize`.
#[derive(Default)]
pub(crate) struct Session {
    known: Mutex<Known>,
    pub(super) has_begun: AtomicBool,
    pub(super) is_told: AtomicBool,
    /// Dropped at the end of the session.
    pub(super) life: watch::Sender<()>,
}

impl Session {
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
