//! A program says that its skills have changed; sessions hear it, and each client is told what is news to it (SPEC 1.6).

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::lists::Lists;
use crate::server::{Server, Shared};

/// Tells the clients of a [`Server::live`] that its skills may have changed. Clones are one and the same.
///
/// ```
/// use skills_mcp::{Notifier, Server};
/// # struct Live;
/// # impl Live {
/// #     fn watch(&self, _: impl Fn()) {}
/// #     fn runner(&self) -> Result<skills_runtime::call::Runner, skills_runtime::call::Failure> { unimplemented!() }
/// # }
/// # fn serve(live: Live) -> Server {
/// let notifier = Notifier::default();
/// let clients = notifier.clone();
/// live.watch(move || clients.changed()); // `skills_runtime::load::Live::watch`, a loop of your own, …
/// Server::live(move || live.runner()).notifier(&notifier)
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Notifier {
    /// How often it was said.
    pub(crate) count: watch::Sender<u64>,
}

impl Notifier {
    /// Has the skills looked at. A client is told of the lists that have become others since it was told last: of tools,
    /// of prompts, of resources, to which the Skills extension belongs; and of the files that it subscribed to. Nothing
    /// is told when nothing is news.
    ///
    /// Returns at once, and may be called from any thread.
    pub fn changed(&self) {
        self.count.send_modify(|count| *count = count.wrapping_add(1));
    }
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

impl Server {
    /// Tells clients when the skills change, by what the [`Notifier`] is told. Without one the lists are declared not to
    /// change, and files cannot be subscribed to.
    #[must_use]
    pub fn notifier(self, notifier: &Notifier) -> Self {
        self.with(|shared| shared.told = Some(Told::new(notifier)))
    }
}

impl Shared {
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
