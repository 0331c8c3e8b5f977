//! The two ways to run a request: on the caller's thread, or behind a handle that is a future (SPEC 7.2).

use std::future::Future;
use std::io::{self, PipeWriter};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Instant;

use super::engine;
use super::event::About;
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
    let outcome = engine::drive(request, None);
    About::of(request).tell(&outcome);
    outcome
}

/// Starts a request on a thread of its own and returns at once.
///
/// The thread lasts as long as the run, so no executor's thread is blocked and none is needed.
pub fn start(request: Request) -> Running {
    start_holding(request, ())
}

/// Starts a request; `hold`, which the program needs as long as it runs, is dropped when the run has ended.
pub(super) fn start_holding(request: Request, hold: impl Send + 'static) -> Running {
    let slot = Arc::new(Slot::of(&request));
    let leash = begin(request, hold, Arc::clone(&slot)).map_err(|error| {
        let reason = format!("cannot start a run: {error}");
        slot.fill(Outcome::refused(slot.about.name(), 126, reason));
    });
    Running { slot, _leash: leash.ok() }
}

fn begin(request: Request, hold: impl Send + 'static, slot: Arc<Slot>) -> io::Result<PipeWriter> {
    let (end, leash) = io::pipe()?;
    thread::Builder::new().name("skill".to_owned()).spawn(move || {
        // Caught, so that nobody waits for ever for an outcome that will not come; unwinding has ended the run.
        let driven = catch_unwind(AssertUnwindSafe(|| engine::drive(&request, Some(end.as_fd()))));
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

    /// Takes the outcome of a run that nobody will wait for: its own when it is over, else that it is cancelled;
    /// nothing when it was taken before.
    pub(crate) fn abandon(&mut self) -> Option<Outcome> {
        self.slot.abandon()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Told here and now, and not when all its processes are gone: what is around it ends later than it.
        self.abandon();
    }
}

impl Future for Running {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        self.slot.poll(context.waker())
    }
}

/// Where the run's thread puts the outcome. Its event is told once: when it is there, or when nobody waits any more.
#[derive(Debug)]
struct Slot {
    about: About,
    start: Instant,
    /// The event belongs to the span that started the run.
    #[cfg(feature = "tracing")]
    caller: (tracing::Dispatch, tracing::Span),
    state: Mutex<State>,
    filled: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Whether there is an outcome, or will be none that anybody sees.
    is_over: bool,
    /// Whether the event was told, so that the outcome may be taken.
    is_told: bool,
    outcome: Option<Outcome>,
    waker: Option<Waker>,
}

impl State {
    fn take(&mut self) -> Option<Outcome> {
        self.outcome.take_if(|_| self.is_told)
    }
}

impl Slot {
    fn of(request: &Request) -> Self {
        Self {
            about: About::of(request),
            start: Instant::now(),
            #[cfg(feature = "tracing")]
            caller: (tracing::dispatcher::get_default(Clone::clone), tracing::Span::current()),
            state: Mutex::default(),
            filled: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, outcome: &Outcome) {
        let tell = || self.about.tell(outcome);
        #[cfg(feature = "tracing")]
        let tell = || tracing::dispatcher::with_default(&self.caller.0, || self.caller.1.in_scope(tell));
        tell();
    }

    fn fill(&self, outcome: Outcome) {
        let mut state = self.state();
        if std::mem::replace(&mut state.is_over, true) {
            return;
        }
        state.outcome = Some(outcome.clone());
        drop(state);
        // A subscriber that panics must not keep the outcome back.
        let told = catch_unwind(AssertUnwindSafe(|| self.tell(&outcome)));
        let mut state = self.state();
        state.is_told = true;
        let waker = state.waker.take();
        drop(state);
        self.filled.notify_all();
        drop(told);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn abandon(&self) -> Option<Outcome> {
        let mut state = self.state();
        if std::mem::replace(&mut state.is_over, true) {
            return state.outcome.take();
        }
        drop(state);
        let outcome = Outcome::cancelled(self.about.name(), self.start.elapsed());
        self.tell(&outcome);
        Some(outcome)
    }

    fn poll(&self, waker: &Waker) -> Poll<Outcome> {
        let mut state = self.state();
        match state.take() {
            Some(outcome) => Poll::Ready(outcome),
            None => {
                state.waker = Some(waker.clone());
                Poll::Pending
            }
        }
    }

    fn wait(&self) -> Outcome {
        let mut state = self.state();
        loop {
            if let Some(outcome) = state.take() {
                return outcome;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
