//! A program says that its skills have changed; sessions hear it, and each client is told what is news to it (SPEC 1.6).

use tokio::sync::watch;

/// Tells the clients of a [`Server::live`](crate::Server::live) that its skills may have changed. Clones are one and the same.
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
