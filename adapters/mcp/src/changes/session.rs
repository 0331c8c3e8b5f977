//! What is kept of one client for a while, and where it can be told something.

#[cfg(feature = "http")]
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::lists::Known;
#[cfg(feature = "http")]
use crate::wire::presence;

/// Where a client can be told something.
#[cfg(feature = "http")]
pub(crate) type Place = Arc<presence::Session>;

/// There is none: on streams a client is told at any time.
#[cfg(not(feature = "http"))]
pub(crate) enum Place {}

#[cfg(not(feature = "http"))]
impl Place {
    pub(crate) async fn listens(&self) {
        match *self {}
    }
}

/// What is kept of a client that began by `initialize`.
#[derive(Default)]
pub(crate) struct Session {
    known: Mutex<Known>,
    pub(super) has_begun: AtomicBool,
    pub(super) is_told: AtomicBool,
    /// Dropped with the session.
    pub(super) life: watch::Sender<()>,
}

impl Session {
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
