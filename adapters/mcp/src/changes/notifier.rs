//! Lets a program signal that its skills have changed, so that each client is notified.

use tokio::sync::watch;

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
