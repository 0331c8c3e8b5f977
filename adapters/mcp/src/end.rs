//! When a server ends: a signal that all its parts hear, and the time that work under way has from then on (SPEC 11.7).

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, pending};

/// The end of a server. Clones hear the same signal.
#[derive(Clone)]
pub(crate) struct End {
    signal: Shared<BoxFuture<'static, ()>>,
    pub(crate) grace: Duration,
}

impl Default for End {
    /// It never comes.
    fn default() -> Self {
        Self { signal: pending().boxed().shared(), grace: Duration::from_secs(5) }
    }
}

impl End {
    pub(crate) fn set(&mut self, signal: impl Future<Output = ()> + Send + 'static) {
        self.signal = signal.boxed().shared();
    }

    /// Returns a future that is done when the server ends.
    pub(crate) fn signal(&self) -> Shared<BoxFuture<'static, ()>> {
        self.signal.clone()
    }

    #[cfg(feature = "http")]
    pub(crate) fn has_come(&self) -> bool {
        self.signal().now_or_never().is_some()
    }
}
