//! The cancellation flag of a call: the program or the engine sets it, and host functions read it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Ends a call and everything that it started. Clones share one flag.
///
/// The engine stops its own work by dropping it. A host function that has moved work to a thread must call
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
    /// Returns a flag that is set when `self` is cancelled, and that can also be cancelled alone.
    pub(super) fn child(&self) -> Self {
        Self { state: Arc::new(State { parent: Some(self.clone()), ..State::default() }) }
    }

    /// Cancels the call. This cannot be undone.
    pub fn cancel(&self) {
        self.state.is_set.store(true, Ordering::Release);
        self.state.waiters.notify_waiters();
    }

    /// Returns `true` if the call is over: it was cancelled, dropped, or reached its time limit.
    pub fn is_cancelled(&self) -> bool {
        self.state.is_set.load(Ordering::Acquire)
            || self.state.parent.as_ref().is_some_and(Self::is_cancelled)
    }

    /// Waits until [`Cancellation::cancel`] is called on this flag.
    pub async fn cancelled(&self) {
        loop {
            let waiter = self.state.waiters.notified();
            let mut waiter = std::pin::pin!(waiter);
            // The waiter is registered before the flag is read, so that a signal in between is not lost.
            waiter.as_mut().enable();
            if self.is_cancelled() {
                return;
            }
            waiter.await;
        }
    }
}

/// Calls a function when it is dropped, for work that may be dropped before its end.
pub(super) struct OnDrop<F: FnMut()>(pub(super) F);

impl<F: FnMut()> OnDrop<F> {
    /// Ends the guard without a call of its function.
    pub(super) fn disarm(self) {
        std::mem::forget(self);
    }
}

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
