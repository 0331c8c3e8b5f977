//! The two ways to run a request: on the caller's thread, or behind a handle that is a future (SPEC 7.2).

use std::future::Future;
use std::io::{self, PipeWriter};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

use super::engine;
use super::{Outcome, Request};

/// Runs a request on this thread and returns when everything it started has ended.
///
/// A program that cannot be started is an outcome too: exit code 126 or 127 with the reason.
///
/// ```
/// use skills_runtime::exec::{Request, run};
/// let mut request = Request::new("greet", "1.0.0", "/bin", "/bin/cat");
/// request.input = "hello".to_owned();
/// let outcome = run(&request);
/// assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (0, "hello"));
/// ```
pub fn run(request: &Request) -> Outcome {
    engine::drive(request, None)
}

/// Starts a request on a thread of its own and returns at once.
///
/// The thread lasts as long as the run, so no executor's thread is blocked and none is needed.
pub fn start(request: Request) -> Running {
    start_holding(request, ())
}

/// Starts a request; `hold`, which the program needs as long as it runs, is dropped when the run has ended.
pub(super) fn start_holding(request: Request, hold: impl Send + 'static) -> Running {
    let slot = Arc::new(Slot::default());
    let name = request.name.clone();
    let leash = begin(request, hold, Arc::clone(&slot)).map_err(|error| {
        slot.fill(Outcome::refused(name, 126, format!("cannot start a run: {error}")));
    });
    Running { slot, _leash: leash.ok() }
}

fn begin(request: Request, hold: impl Send + 'static, slot: Arc<Slot>) -> io::Result<PipeWriter> {
    let (end, leash) = io::pipe()?;
    #[cfg(feature = "tracing")]
    let caller = (tracing::dispatcher::get_default(Clone::clone), tracing::Span::current());
    thread::Builder::new().name("skill".to_owned()).spawn(move || {
        // Caught, so that nobody waits for ever for an outcome that will not come; unwinding has ended the run.
        let drive = || engine::drive(&request, Some(end.as_fd()));
        // The event belongs to the span that started the run.
        #[cfg(feature = "tracing")]
        let drive = || tracing::dispatcher::with_default(&caller.0, || caller.1.in_scope(drive));
        let driven = catch_unwind(AssertUnwindSafe(drive));
        drop(hold);
        slot.fill(driven.unwrap_or_else(|_| {
            Outcome::refused(&request.name, 126, "the engine failed; its message is on stderr".to_owned())
        }));
    })?;
    Ok(leash)
}

/// A run under way: await it, or [`Running::wait`] for it. Dropped, it and everything it started is killed.
///
/// The future needs no particular executor. It is ready once; polled again after that, it is pending for ever.
///
/// ```
/// use skills_runtime::exec::{Request, start};
/// let running = start(Request::new("clock", "", "/bin", "/bin/date"));
/// assert_eq!(running.wait().exit_code, 0);
/// ```
#[derive(Debug)]
#[must_use = "dropped, the run is killed"]
pub struct Running {
    slot: Arc<Slot>,
    _leash: Option<PipeWriter>,
}

impl Running {
    /// Blocks until the run has ended.
    pub fn wait(self) -> Outcome {
        self.slot.wait()
    }
}

impl Future for Running {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        self.slot.poll(context.waker())
    }
}

/// Where the run's thread puts the outcome.
#[derive(Debug, Default)]
struct Slot {
    state: Mutex<State>,
    filled: Condvar,
}

#[derive(Debug, Default)]
struct State {
    outcome: Option<Outcome>,
    waker: Option<Waker>,
}

impl Slot {
    fn fill(&self, outcome: Outcome) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.outcome = Some(outcome);
        let waker = state.waker.take();
        drop(state);
        self.filled.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn poll(&self, waker: &Waker) -> Poll<Outcome> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.outcome.take() {
            Some(outcome) => Poll::Ready(outcome),
            None => {
                state.waker = Some(waker.clone());
                Poll::Pending
            }
        }
    }

    fn wait(&self) -> Outcome {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(outcome) = state.outcome.take() {
                return outcome;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
