//! Runs a request on the caller's thread, or behind a handle that is a future. Emits the event `skill.exec`
//! when the run ends; the event contains neither input nor output.

use std::future::Future;
use std::io::{self, PipeReader, PipeWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use super::process::drive;
use super::{CallId, NotRun, Outcome, Request};

/// Returns an error outcome: this system cannot run programs.
#[cfg(not(unix))]
fn drive(request: &Request, _: Option<&PipeReader>) -> Outcome {
    Outcome::refused(&request.name, 126, "skills run programs on Unix only".to_owned())
}

/// Runs a request on this thread and returns when all processes it started have ended.
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
    About::new(request).emit(&outcome);
    outcome
}

/// Starts a request on a new thread and returns at once.
///
/// The thread exists as long as the run, so no async executor is needed and no executor thread is blocked.
pub fn start(request: Request) -> Running {
    Running::start(request, |_| Ok(()))
}

/// A run in progress: await it, or call [`Running::wait`]. Dropping it kills the program and all its
/// processes.
///
/// The future works with every executor. It is ready once; if polled again after that, it stays pending.
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
    _leash: Option<Leash>,
}

/// Ends a run when it is dropped.
#[derive(Debug)]
struct Leash {
    writer: PipeWriter,
    /// The other end, which is never read. While it is open, a write to a run that is over causes no SIGPIPE.
    _reader: PipeReader,
}

impl Drop for Leash {
    fn drop(&mut self) {
        // Closing the pipe is not enough: a process that this one forked without exec may hold it open.
        let _ = self.writer.write(&[1]);
    }
}

/// The number of runs that have a thread, and the process of these threads. A process that was forked without exec has none.
static RUNS: (Mutex<(u32, usize)>, Condvar) = (Mutex::new((0, 0)), Condvar::new());

/// A run that is counted until this value is dropped.
struct Counted;

impl Counted {
    fn new() -> Self {
        runs().1 += 1;
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        runs().1 -= 1;
        RUNS.1.notify_all();
    }
}

fn runs() -> MutexGuard<'static, (u32, usize)> {
    let mut runs = RUNS.0.lock().unwrap_or_else(PoisonError::into_inner);
    if runs.0 != std::process::id() {
        *runs = (std::process::id(), 0);
    }
    runs
}

/// Waits until every run of this process that has its own thread is over: its processes have ended, and its
/// directories are removed. Waits at most for `limit`, and returns `true` if no run is left.
///
/// A program calls it before it exits if it has dropped handles of runs.
pub fn wait_for_runs(limit: Duration) -> bool {
    let waited = RUNS.1.wait_timeout_while(runs(), limit, |(_, runs)| *runs > 0);
    waited.unwrap_or_else(PoisonError::into_inner).0.1 == 0
}

impl Running {
    /// Starts a request and calls `place` on the thread of the run. `place` writes the paths of the files
    /// into the request, and its return value is kept until the run has ended.
    pub(super) fn start<H>(
        mut request: Request,
        place: impl FnOnce(&mut Request) -> Result<H, NotRun> + Send + 'static,
    ) -> Self {
        let slot = Arc::new(Slot::new(&request));
        let filled = Arc::clone(&slot);
        let counted = Counted::new();
        let run = |end: PipeReader| {
            thread::Builder::new().name("skill".to_owned()).spawn(move || {
                let _counted = counted;
                // This holds the span of the caller. It is dropped before the run counts as over, because a program
                // may stop its exporter of spans when it has waited for its runs.
                let slot = filled;
                // A panic is caught, so that no caller waits forever for an outcome. By then, unwinding has
                // ended the run.
                let driven = catch_unwind(AssertUnwindSafe(|| {
                    let _hold = place(&mut request)?;
                    Ok(drive(&request, Some(&end)))
                }));
                let failed = "the engine failed; its message is on stderr";
                slot.fill(driven.unwrap_or_else(|_| Ok(slot.refused(failed.to_owned()))));
            })
        };
        let leash = io::pipe().and_then(|(end, writer)| {
            let reader = end.try_clone()?;
            run(end).map(|_| Leash { writer, _reader: reader })
        });
        let leash = leash.map_err(|error| {
            slot.fill(Ok(slot.refused(format!("cannot start a run: {error}"))));
        });
        Self { slot, _leash: leash.ok() }
    }

    /// Blocks until the run has ended.
    pub fn wait(self) -> Outcome {
        self.slot.wait().unwrap_or_else(|reason| self.slot.refused(reason.to_string()))
    }

    /// Polls for the outcome of a run, or for the error if its files could not be placed.
    pub(super) fn poll_placed(&self, context: &Context<'_>) -> Poll<Result<Outcome, NotRun>> {
        self.slot.poll(context.waker())
    }
}

impl Future for Running {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        self.poll_placed(context)
            .map(|result| result.unwrap_or_else(|reason| self.slot.refused(reason.to_string())))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The event is emitted now and not when all processes have exited, because the enclosing span may end
        // before that.
        self.slot.abandon();
    }
}

/// Receives the outcome from the thread of the run. The event is emitted once: when the outcome arrives, or
/// when the run is cancelled.
#[derive(Debug)]
struct Slot {
    about: About,
    start: Instant,
    /// The dispatcher and span of the caller, to which the event belongs.
    caller: (tracing::Dispatch, tracing::Span),
    state: Mutex<State>,
    filled: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Whether the outcome has arrived or the run was cancelled.
    is_over: bool,
    /// Whether the event was emitted, so that the outcome may be taken.
    is_reported: bool,
    outcome: Option<Result<Outcome, NotRun>>,
    waker: Option<Waker>,
}

impl State {
    fn take(&mut self) -> Option<Result<Outcome, NotRun>> {
        self.outcome.take_if(|_| self.is_reported)
    }
}

impl Slot {
    fn new(request: &Request) -> Self {
        Self {
            about: About::new(request),
            start: Instant::now(),
            caller: (tracing::dispatcher::get_default(Clone::clone), tracing::Span::current()),
            state: Mutex::default(),
            filled: Condvar::new(),
        }
    }

    fn refused(&self, reason: String) -> Outcome {
        Outcome::refused(&self.about.name, 126, reason)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn emit(&self, outcome: &Outcome) {
        let (dispatch, span) = &self.caller;
        tracing::dispatcher::with_default(dispatch, || span.in_scope(|| self.about.emit(outcome)));
    }

    fn fill(&self, outcome: Result<Outcome, NotRun>) {
        let mut state = self.state();
        if std::mem::replace(&mut state.is_over, true) {
            return;
        }
        state.outcome = Some(outcome.clone());
        drop(state);
        // A subscriber that panics must not block the outcome.
        let panicked =
            catch_unwind(AssertUnwindSafe(|| outcome.iter().for_each(|outcome| self.emit(outcome))));
        let mut state = self.state();
        state.is_reported = true;
        let waker = state.waker.take();
        drop(state);
        self.filled.notify_all();
        drop(panicked);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Emits the event of a cancelled run, unless the run is over.
    fn abandon(&self) {
        if !std::mem::replace(&mut self.state().is_over, true) {
            self.emit(&Outcome::cancelled(&self.about.name, self.start.elapsed()));
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

/// The facts about a run that its event contains besides the outcome.
#[derive(Debug)]
struct About {
    name: String,
    version: String,
    call: Option<CallId>,
}

impl About {
    fn new(request: &Request) -> Self {
        Self { name: request.name.clone(), version: request.version.clone(), call: request.call }
    }

    /// Emits the event to the current subscriber.
    fn emit(&self, outcome: &Outcome) {
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
