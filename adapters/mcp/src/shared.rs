//! The shared state of all requests and sessions of a server: the skills, and the last reported lists.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::Implementation;
use skills_call::{Failure, Loader, Runner};
use tokio::sync::Semaphore;

use crate::changes::lists::Lists;
use crate::changes::notifier::Notifier;
use crate::end::End;

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
