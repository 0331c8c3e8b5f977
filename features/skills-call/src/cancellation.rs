//! A flag that ends calls: set by a program, or by the engine when a call is dropped; read by functions of a host.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Tells a call, and everything it started, to end. Clones are one and the same.
///
/// The engine stops its own work by dropping it; a function of a host that has handed work to a thread asks
/// [`Cancellation::is_cancelled`] there.
///
/// ```
/// use skills_call::Cancellation;
/// let cancellation = Cancellation::default();
/// let seen = cancellation.clone();
/// cancellation.cancel();
/// assert!(seen.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    is_set: AtomicBool,
    waiters: Notify,
    parent: Option<Cancellation>,
}

impl Cancellation {
    /// Makes one that is cancelled with `self`, and also by itself.
    pub(super) fn child(&self) -> Self {
        Self { state: Arc::new(State { parent: Some(self.clone()), ..State::default() }) }
    }

    /// Cancels; for good.
    pub fn cancel(&self) {
        self.state.is_set.store(true, Ordering::Release);
        self.state.waiters.notify_waiters();
    }

    /// Returns `true` if the call has ended: it was cancelled or dropped, or reached its time limit.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_set.load(Ordering::Acquire)
            || self.state.parent.as_ref().is_some_and(Self::is_cancelled)
    }

    /// Waits until somebody calls [`Cancellation::cancel`] on this one.
    pub async fn cancelled(&self) {
        loop {
            let waiter = self.state.waiters.notified();
            let mut waiter = std::pin::pin!(waiter);
            // Registered before the look, so that no signal falls between.
            waiter.as_mut().enable();
            if self.is_cancelled() {
                return;
            }
            waiter.await;
        }
    }
}

/// Cancels when it is dropped, so that what outlives a call knows that nobody waits for it.
pub(super) struct CancelOnDrop(pub(super) Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
