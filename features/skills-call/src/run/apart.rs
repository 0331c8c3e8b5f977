//! Work on a long text leaves the threads that serve other calls: runners and servers put it here.

use std::future::pending;
use std::panic::resume_unwind;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::engine::Call;
use crate::{CallError, Function};

/// Texts up to this many bytes are worked on where they are: that takes less than what moving them costs others.
const SHORT: usize = 64 * 1024;

/// How much of this work is done at once, in the whole process: threads beyond the processors would only take time from
/// those that serve others. Work whose caller is gone counts until it ends.
static PLACES: LazyLock<Arc<Semaphore>> =
    LazyLock::new(|| Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from))));

/// Does work that grows with a text of so many bytes, such as reading or checking it. A long text is worked on by a thread
/// of its own, so that whoever else is served by this one does not wait, and a time limit around the future holds.
///
/// At most as much of it is done at once as there are processors. A future that is dropped leaves work that has begun to
/// end by itself: it must be bounded. Without a runtime of tokio the work is
/// done at once.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let text = "1".repeat(1_000_000);
/// assert_eq!(skills_call::apart(text.len(), move || text.len()).await, 1_000_000);
/// # }
/// ```
pub async fn apart<T: Send + 'static>(bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    if bytes <= SHORT || Handle::try_current().is_err() {
        return work();
    }
    // The semaphore is never closed.
    let place = Arc::clone(&PLACES).acquire_owned().await.ok();
    let placed = move || {
        let _place = place;
        work()
    };
    match spawn_blocking(placed).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // The runtime ends, and drops this future next.
            Err(_) => pending().await,
        },
    }
}

/// Does work with the function of a call, [`apart`] for a long text.
///
/// An engine that replays calls polls them until they stand still, which one that waits for a thread seems to do: there the
/// work is done at once.
pub(crate) async fn with_function<T: Send + 'static>(
    call: &Arc<Call>,
    function: Function<'_>,
    is_typed: bool,
    bytes: usize,
    work: impl FnOnce(Function<'_>) -> Result<T, CallError> + Send + 'static,
) -> Result<T, CallError> {
    if bytes <= SHORT || call.steps.is_some() {
        return work(function);
    }
    let (call, name) = (Arc::clone(call), function.skill.name().to_owned());
    apart(bytes, move || work(call.engine.find(&name, is_typed)?)).await
}

#[cfg(test)]
mod tests {
    use std::thread::current;

    use super::{SHORT, apart};

    // SPEC 6.4
    #[tokio::test]
    async fn only_long_texts_are_worked_on_elsewhere() {
        let here = current().id();
        assert_eq!(apart(SHORT, || current().id()).await, here);
        assert_ne!(apart(SHORT + 1, || current().id()).await, here);
    }

    // SPEC 6.4: whoever waits for the work sees its panic, as without a thread of its own.
    #[tokio::test]
    #[should_panic(expected = "it broke")]
    async fn a_panic_goes_on() {
        apart(SHORT + 1, || panic!("it broke")).await;
    }
}
