//! The shutdown of a server: a signal for all its parts, and the remaining time for active work.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, pending};

/// The shutdown of a server. Clones share the signal.
#[derive(Clone)]
pub(crate) struct End {
    signal: Shared<BoxFuture<'static, ()>>,
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
    pub(crate) fn signal(&self) -> Shared<BoxFuture<'static, ()>> {
        self.signal.clone()
    }

    #[cfg(feature = "http")]
    pub(crate) fn has_come(&self) -> bool {
        self.signal().now_or_never().is_some()
    }
}
