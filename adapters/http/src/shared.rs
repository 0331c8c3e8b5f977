//! The shared state of all requests, with the cached list of skills. `Api` creates it, the routes use it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use skills_call::{Failure, Runner};
use skills_registry::Skill;
use skills_runtime::listing::{Listed, listing};
use skills_serve::answer::Problem;
use skills_serve::body::BodyLimits;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::approval::Approvals;
use crate::digests::Digests;

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
    pub(crate) last: Arc<ListCache>,
    pub(crate) digests: Arc<Digests>,
    pub(crate) approvals: Arc<Approvals>,
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

/// The cached list of skills, which is the same for every client until the skills change.
#[derive(Default)]
pub(crate) struct ListCache(Mutex<Option<CachedList>>);

/// A list, with the memory address of each of its skills and whether the skill can be called. The runner is
/// kept alive, so that no other skill can get the same address.
struct CachedList {
    places: Vec<(usize, bool)>,
    list: Bytes,
    _runner: Runner,
}

impl ListCache {
    /// Returns the list of a runner's skills, and updates the cache if they have changed.
    pub(crate) fn list(&self, runner: Runner) -> Bytes {
        let skills = runner.skills();
        let place = |skill: Skill<'_>| {
            (skill.location().as_ptr().addr(), skill.backend().is_some() && runner.is_callable(skill.name()))
        };
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*last
            && made.places.iter().copied().eq(skills.iter().map(place))
        {
            return made.list.clone();
        }
        let places = skills.iter().map(place).collect();
        let listed = skills.iter().filter(|skill| !skill.is_internal());
        let list = Bytes::from(listing(
            listed.map(|skill| Listed::new(skill).backend(runner.backend(skill.name()))),
        ));
        *last = Some(CachedList { places, list: list.clone(), _runner: runner });
        list
    }
}
