//! The two ways to run a request, on the caller's thread or behind a handle that is a future, and the event `skill.exec` of
//! its end, without input and output (SPEC 7.2, 7.6).

use std::future::Future;
use std::io::{self, PipeReader, PipeWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Instant;

#[cfg(unix)]
use super::process::drive;
use super::{CallId, NotRun, Outcome, Request};

/// Refuses.
#[cfg(not(unix))]
fn drive(request: &Request, _: Option<&PipeReader>) -> Outcome {
    Outcome::refused(&request.name, 126, "skills run programs on Unix only".to_owned())
}

/// Runs a request on this thread and returns when everything it started has ended.
///
/// A program that cannot be started is an outcome too: exit code 126 or 127 with the reason.
///
/// ```
/// use skills_exec::{Request, run};
/// let mut request = Request::new("greet", "1.0.0", "/bin", "/bin/cat");
/// request.input = "hello".to_owned();
/// let outcome = run(&request);
/// assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (0, "hello"));
/// ```
pub fn run(request: &Request) -> Outcome {
    let outcome = drive(request, None);
    About::of(request).tell(&outcome);
    outcome
}

/// Starts a request on a thread of its own and returns at once.
///
/// The thread lasts as long as the run, so no executor's thread is blocked and none is needed.
pub fn start(request: Request) -> Running {
    Running::start(request, |_| Ok(()))
}

/// A run under way: await it, or [`Running::wait`] for it. Dropped, it and everything it started is killed.
///
/// The future needs no particular executor. It is ready once; polled again after that, it is pending for ever.
///
/// ```
/// use skills_exec::{Request, start};
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
    /// Starts a request whose files are given a place on the thread of the run: `place` says in the request where, and what
    /// it returns is kept until the run has ended.
    pub(super) fn start<H>(
        mut request: Request,
        place: impl FnOnce(&mut Request) -> Result<H, NotRun> + Send + 'static,
    ) -> Self {
        let slot = Arc::new(Slot::of(&request));
        let filled = Arc::clone(&slot);
        let run = |end: PipeReader| {
            thread::Builder::new().name("skill".to_owned()).spawn(move || {
                // Caught, so that nobody waits for ever for an outcome that will not come; unwinding has ended the run.
                let driven = catch_unwind(AssertUnwindSafe(|| {
                    let _hold = place(&mut request)?;
                    Ok(drive(&request, Some(&end)))
                }));
                let failed = "the engine failed; its message is on stderr";
                filled.fill(driven.unwrap_or_else(|_| Ok(filled.refused(failed.to_owned()))));
            })
        };
        let leash = io::pipe().and_then(|(end, leash)| run(end).map(|_| leash)).map_err(|error| {
            slot.fill(Ok(slot.refused(format!("cannot start a run: {error}"))));
        });
        Self { slot, _leash: leash.ok() }
    }

    /// Blocks until the run has ended.
    pub fn wait(self) -> Outcome {
        self.slot.wait().unwrap_or_else(|reason| self.slot.refused(reason.to_string()))
    }

    /// The outcome of a run whose files may still have wanted a place. Whoever has a handle gave them one before.
    pub(super) fn poll_placed(&self, context: &Context<'_>) -> Poll<Result<Outcome, NotRun>> {
        self.slot.poll(context.waker())
    }
}

impl Future for Running {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let refused = |reason: NotRun| self.slot.refused(reason.to_string());
        self.poll_placed(context).map(|result| result.unwrap_or_else(refused))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Told here and now, and not when all its processes are gone: what is around it ends later than it.
        self.slot.abandon();
    }
}

/// Where the run's thread puts the outcome. Its event is told once: when it is there, or when nobody waits any more.
#[derive(Debug)]
struct Slot {
    about: About,
    start: Instant,
    /// The event belongs to the span that started the run.
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
    outcome: Option<Result<Outcome, NotRun>>,
    waker: Option<Waker>,
}

impl State {
    fn take(&mut self) -> Option<Result<Outcome, NotRun>> {
        self.outcome.take_if(|_| self.is_told)
    }
}

impl Slot {
    fn of(request: &Request) -> Self {
        Self {
            about: About::of(request),
            start: Instant::now(),
            caller: (tracing::dispatcher::get_default(Clone::clone), tracing::Span::current()),
            state: Mutex::default(),
            filled: Condvar::new(),
        }
    }

    fn refused(&self, reason: String) -> Outcome {
        Outcome::refused(self.about.name(), 126, reason)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, outcome: &Outcome) {
        let tell = || self.about.tell(outcome);
        let tell = || tracing::dispatcher::with_default(&self.caller.0, || self.caller.1.in_scope(tell));
        tell();
    }

    fn fill(&self, outcome: Result<Outcome, NotRun>) {
        let mut state = self.state();
        if std::mem::replace(&mut state.is_over, true) {
            return;
        }
        state.outcome = Some(outcome.clone());
        drop(state);
        // A subscriber that panics must not keep the outcome back.
        let told = catch_unwind(AssertUnwindSafe(|| outcome.iter().for_each(|outcome| self.tell(outcome))));
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

    /// Tells that a run is cancelled, unless it is over.
    fn abandon(&self) {
        if !std::mem::replace(&mut self.state().is_over, true) {
            self.tell(&Outcome::cancelled(self.about.name(), self.start.elapsed()));
        }
    }

    fn poll(&self, waker: &Waker) -> Poll<Result<Outcome, NotRun>> {
        let mut state = self.state();
        match state.take() {
            Some(outcome) => Poll::Ready(outcome),
            None => {
                state.waker = Some(waker.clone());
                Poll::Pending
            }
        }
    }

    fn wait(&self) -> Result<Outcome, NotRun> {
        let mut state = self.state();
        loop {
            if let Some(outcome) = state.take() {
                return outcome;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What an event says of a run beside its outcome.
#[derive(Debug)]
struct About {
    name: String,
    version: String,
    call: Option<CallId>,
}

impl About {
    fn of(request: &Request) -> Self {
        Self { name: request.name.clone(), version: request.version.clone(), call: request.call }
    }

    fn name(&self) -> &str {
        &self.name
    }

    /// Emits the event to the subscriber that is current.
    fn tell(&self, outcome: &Outcome) {
        tracing::event!(
            name: "skill.exec",
            target: "skills",
            tracing::Level::INFO,
            call_id = self.call.map(CallId::number),
            parent_call_id = self.call.and_then(CallId::parent),
            name = self.name,
            version = self.version,
            exit_code = outcome.exit_code,
            duration_ms = outcome.duration_ms(),
            error = (!outcome.error.is_empty()).then_some(outcome.error.as_str()),
            "program ended",
        );
    }
}
