//! The shared state of all requests and sessions of a server: the skills, the last reported lists, and
//! the shutdown, which is a signal for all its parts.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{self, BoxFuture, pending};
use rmcp::ErrorData;
use rmcp::model::Implementation;
use skills_call::{Failure, Loader, Runner};
use tokio::sync::Semaphore;

use crate::changes::Notifier;
use crate::changes::lists::Lists;

/// The shared state of all requests.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) source: Arc<dyn Fn() -> Result<Runner, Failure> + Send + Sync>,
    pub(crate) identity: Implementation,
    pub(crate) instructions: Option<String>,
    /// The state for notifications. `None` if changes are not reported.
    pub(crate) reporting: Option<ChangeReporting>,
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) runs: Arc<Semaphore>,
    pub(crate) end: End,
    pub(crate) reconnect_time: Duration,
    pub(crate) budget: skills_serve::Budget,
}

/// The shared state for notifications.
#[derive(Clone)]
pub(crate) struct ChangeReporting {
    pub(crate) notifier: Notifier,
    /// The lists and the number of signals when they were computed, so that sessions do not compute
    /// them again.
    lists: Arc<Mutex<Option<(u64, Lists)>>>,
}

impl ChangeReporting {
    pub(crate) fn new(notifier: &Notifier) -> Self {
        Self { notifier: notifier.clone(), lists: Arc::default() }
    }
}

impl Shared {
    /// Returns the current skills.
    pub(crate) fn runner(&self) -> Result<Runner, ErrorData> {
        // Clients without the Skills extension load skills with this tool; others are not offered it.
        (self.source)().map(|runner| runner.loader(Loader::LoadSkill)).map_err(|failure| {
            ErrorData::internal_error(format!("the skills cannot be read: {failure}"), None)
        })
    }

    /// Returns the identity of the server, with the digest of the program's bundle if there is one.
    pub(crate) fn identified(&self) -> Implementation {
        let digest = self.runner().ok().and_then(|runner| runner.server_access().bundle_digest());
        let identity = self.identity.clone();
        match digest {
            Some(digest) => identity.with_description(format!("skills of the bundle sha256:{digest}")),
            None => identity,
        }
    }

    /// Returns the current lists, or `None` if changes are not reported or the skills cannot be read.
    pub(crate) async fn lists(self: &Arc<Self>) -> Option<Lists> {
        let shared = Arc::clone(self);
        // This takes a while for thousands of skills.
        tokio::task::spawn_blocking(move || shared.read_lists()).await.ok().flatten()
    }

    fn read_lists(&self) -> Option<Lists> {
        let reporting = self.reporting.as_ref()?;
        let mut lists = reporting.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let count = *reporting.notifier.count.borrow();
        match *lists {
            Some((at, lists)) if at == count => Some(lists),
            _ => {
                let now = Lists::from_runner(&self.runner().ok()?);
                *lists = Some((count, now));
                Some(now)
            }
        }
    }
}

/// The shutdown of a server. Clones share the signal.
#[derive(Clone)]
pub(crate) struct End {
    signal: future::Shared<BoxFuture<'static, ()>>,
    pub(crate) grace: Duration,
}

impl Default for End {
    /// Returns a signal that never comes.
    fn default() -> Self {
        Self { signal: pending().boxed().shared(), grace: Duration::from_secs(5) }
    }
}

impl End {
    pub(crate) fn set(&mut self, signal: impl Future<Output = ()> + Send + 'static) {
        self.signal = signal.boxed().shared();
    }

    /// Returns a future that completes when the server shuts down.
    pub(crate) fn signal(&self) -> future::Shared<BoxFuture<'static, ()>> {
        self.signal.clone()
    }

    #[cfg(feature = "http")]
    pub(crate) fn has_come(&self) -> bool {
        self.signal().now_or_never().is_some()
    }
}
