//! The shared state of all requests. `Api` creates it, the routes use it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use skills_call::{Failure, Runner};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::digests::Digests;
use crate::last::Last;
use skills_serve::answer::Problem;
use skills_serve::body::BodyLimits;

/// The shared state of all requests.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) source: Arc<dyn Fn() -> Result<Runner, Failure> + Send + Sync>,
    pub(crate) is_exec_enabled: bool,
    pub(crate) body: BodyLimits,
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) instructions: Option<String>,
    pub(crate) chat_calls: bool,
    pub(crate) runs: Arc<Semaphore>,
    pub(crate) waiting: Arc<Semaphore>,
    pub(crate) queue_time: Duration,
    pub(crate) last: Arc<Last>,
    pub(crate) digests: Arc<Digests>,
}

impl Shared {
    /// Returns the current skills.
    pub(crate) fn runner(&self) -> Result<Runner, Problem> {
        (self.source)().map_err(|failure| {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "discovery_failed", failure.to_string())
        })
    }

    /// Waits for permission to run. The wait is short, and fails at once if too many requests wait already,
    /// because the active runs may take hours.
    pub(crate) async fn place(&self) -> Result<Option<OwnedSemaphorePermit>, Problem> {
        let runs = Arc::clone(&self.runs);
        if let Ok(place) = Arc::clone(&runs).try_acquire_owned() {
            return Ok(Some(place));
        }
        let _waiting = self.waiting.try_acquire().map_err(|_| Problem::busy())?;
        let place = tokio::time::timeout(self.queue_time, runs.acquire_owned()).await;
        // The semaphore is never closed.
        Ok(place.map_err(|_| Problem::busy())?.ok())
    }

    /// Checks that running skills is enabled.
    pub(crate) fn may_run(&self) -> Result<(), Problem> {
        let text = "skill exec via HTTP is disabled; start with --enable-exec";
        if self.is_exec_enabled { Ok(()) } else { Err(Problem::new(StatusCode::FORBIDDEN, "disabled", text)) }
    }
}
