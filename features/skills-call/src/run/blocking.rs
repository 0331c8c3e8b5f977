//! Moves work on long texts off the threads that serve other calls; used by runners and servers.

use std::future::pending;
use std::panic::resume_unwind;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Texts up to this many bytes are processed in place, since moving them would cost more.
pub(super) const SHORT: usize = 64 * 1024;

/// Limits this work in the whole process: more threads than processors would only slow down the threads that
/// serve other calls. Work whose caller was dropped counts until it ends.
static PLACES: LazyLock<Arc<Semaphore>> =
    LazyLock::new(|| Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from))));

/// Runs work whose duration grows with a text of `bytes` bytes, such as parsing or checking it. A long text
/// is processed on a separate thread. So other tasks of this thread do not wait, and the caller can put a
/// time limit on the future.
///
/// At most one such task per processor runs at once. If the future is dropped, work that has begun continues
/// until it ends, so it must be bounded. Without a tokio runtime, the work runs immediately.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let text = "1".repeat(1_000_000);
/// assert_eq!(skills_call::run_blocking(text.len(), move || text.len()).await, 1_000_000);
/// # }
/// ```
pub async fn run_blocking<T: Send + 'static>(bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    if bytes <= SHORT || Handle::try_current().is_err() {
        return work();
    }
    // The semaphore is never closed.
    let place = Arc::clone(&PLACES).acquire_owned().await.ok();
    match spawn_blocking(move || {
        let _place = place;
        work()
    })
    .await
    {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // The runtime is shutting down and drops this future next.
            Err(_) => pending().await,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::thread::current;

    use super::{SHORT, run_blocking};

    // SPEC 6.4
    #[tokio::test]
    async fn only_long_texts_are_handled_on_another_thread() {
        let here = current().id();
        assert_eq!(run_blocking(SHORT, || current().id()).await, here);
        assert_ne!(run_blocking(SHORT + 1, || current().id()).await, here);
    }

    // SPEC 6.4: a panic of the work reaches its caller, as it would without a thread.
    #[tokio::test]
    #[should_panic(expected = "it broke")]
    async fn a_panic_is_passed_on() {
        run_blocking(SHORT + 1, || panic!("it broke")).await;
    }
}
