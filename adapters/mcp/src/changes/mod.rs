//! Notifies clients of skills that change while they are served.

pub(crate) mod lists;
mod notify;

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use self::lists::KnownLists;

/// Signals to the clients of a [`Server::live`](crate::Server::live) that its skills may have changed. Clones
/// share their state.
///
/// ```
/// use skills_mcp::{Notifier, Server};
/// # struct Live;
/// # impl Live {
/// #     fn watch(&self, _: impl Fn()) {}
/// #     fn runner(&self) -> Result<skills_call::Runner, skills_call::Failure> { unimplemented!() }
/// # }
/// # fn serve(live: Live) -> Server {
/// let notifier = Notifier::default();
/// let clients = notifier.clone();
/// live.watch(move || clients.changed()); // `skills_load::Live::watch`, a loop of your own, …
/// Server::live(move || live.runner()).notifier(&notifier)
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Notifier {
    /// The number of signals.
    pub(crate) count: watch::Sender<u64>,
}

impl Notifier {
    /// Checks the skills for changes. Each client is notified of the lists that have changed since its last
    /// notification: tools, prompts and resources (which include the Skills extension), and of changed files
    /// that it subscribed to. No notification is sent if nothing has changed.
    ///
    /// Returns immediately. May be called from any thread.
    pub fn changed(&self) {
        self.count.send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// The connections of a session over HTTP. Calls of a disconnected client are ended.
#[derive(Default)]
pub(crate) struct SessionConnections {
    /// The number of open connections.
    pub(crate) open: watch::Sender<usize>,
    /// The number of connections on which the client listens for notifications.
    pub(crate) listening: watch::Sender<usize>,
}

impl SessionConnections {
    /// Waits until the session has had no connection for this long.
    pub(crate) async fn gone(&self, reconnect_time: Duration) {
        let mut open = self.open.subscribe();
        loop {
            // `self` holds the sender, so this cannot fail.
            drop(open.wait_for(|count| *count == 0).await.map(drop));
            if tokio::time::timeout(reconnect_time, open.wait_for(|count| *count > 0)).await.is_err() {
                return;
            }
        }
    }

    /// Waits until the client listens.
    pub(crate) async fn listens(&self) {
        // `self` holds the sender, so this cannot fail.
        drop(self.listening.subscribe().wait_for(|count| *count > 0).await.map(drop));
    }
}

/// The state of a client that started with `initialize`.
#[derive(Default)]
pub(crate) struct ClientState {
    known: Mutex<KnownLists>,
    has_begun: AtomicBool,
    is_notified: AtomicBool,
    /// Dropped at the end of the session.
    life: watch::Sender<()>,
}

impl ClientState {
    fn known(&self) -> MutexGuard<'_, KnownLists> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
