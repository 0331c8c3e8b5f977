//! What every request and every session of a server reads: the skills, and the lists as they were told last.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(feature = "http")]
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::Implementation;
use skills_call::{Failure, Loader, Runner};
use tokio::sync::Semaphore;

use crate::changes::lists::Lists;
use crate::changes::notifier::Notifier;
use crate::end::End;

/// What every request reads.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) source: Arc<dyn Fn() -> Result<Runner, Failure> + Send + Sync>,
    pub(crate) identity: Implementation,
    pub(crate) instructions: Option<String>,
    /// Nothing when the lists do not change, or nobody is told of it.
    pub(crate) told: Option<Told>,
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) runs: Arc<Semaphore>,
    pub(crate) end: End,
    #[cfg(feature = "http")]
    pub(crate) patience: Duration,
}

/// What the sessions of a server share.
#[derive(Clone)]
pub(crate) struct Told {
    pub(crate) notifier: Notifier,
    /// The lists as they were when it was said for so many times, so that not every session puts them together.
    lists: Arc<Mutex<Option<(u64, Lists)>>>,
}

impl Told {
    pub(crate) fn new(notifier: &Notifier) -> Self {
        Self { notifier: notifier.clone(), lists: Arc::default() }
    }
}

impl Shared {
    /// Returns the skills as they are now.
    pub(crate) fn runner(&self) -> Result<Runner, ErrorData> {
        // A client reads skills by the extension, and needs no tool for it.
        (self.source)().map(|runner| runner.loader(Loader::None)).map_err(|failure| {
            ErrorData::internal_error(format!("the skills cannot be read: {failure}"), None)
        })
    }

    /// Returns who the server says it is: with the digest of the program's bundle, where there is one (SPEC 14.7).
    pub(crate) fn identified(&self) -> Implementation {
        let digest = self.runner().ok().and_then(|runner| runner.bundle_digest());
        let identity = self.identity.clone();
        match digest {
            Some(digest) => identity.with_description(format!("skills of the bundle sha256:{digest}")),
            None => identity,
        }
    }

    /// Returns the lists as they are; nothing when nobody is told of changes, or the skills cannot be read now.
    pub(crate) async fn lists(self: &Arc<Self>) -> Option<Lists> {
        let shared = Arc::clone(self);
        // It takes a while for thousands of skills.
        tokio::task::spawn_blocking(move || shared.read_lists()).await.ok().flatten()
    }

    fn read_lists(&self) -> Option<Lists> {
        let told = self.told.as_ref()?;
        let mut lists = told.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let count = *told.notifier.count.borrow();
        match *lists {
            Some((at, lists)) if at == count => Some(lists),
            _ => {
                let now = Lists::of(&self.runner().ok()?);
                *lists = Some((count, now));
                Some(now)
            }
        }
    }
}
