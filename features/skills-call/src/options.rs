//! The options of a call, and its result with usage and steps.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Cancellation, Event, Steps};
use crate::model::Usage;
use crate::trace::TraceContext;
use skills_exec::StderrLog;
use skills_runtime::__setters as setters;
use skills_runtime::tools::Session;
use skills_runtime::typed::Violation;

/// A callback that receives the events of a call.
pub type Observer = Arc<dyn Fn(&Event) + Send + Sync>;

/// The options of a call.
///
/// ```
/// use std::time::Duration;
/// use skills_call::CallOptions;
/// let options = CallOptions::default().timeout(Duration::from_secs(5));
/// assert!(options.journal.is_none());
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
#[must_use]
pub struct CallOptions {
    /// The working directory of the call, instead of the runner's.
    pub workspace: Option<PathBuf>,
    /// The time limit of one attempt, instead of the skill's.
    pub timeout: Option<Duration>,
    /// The key of the run. Finished steps are saved under this key, and a second call with the same key does
    /// not repeat them. Without a key, nothing is saved.
    pub journal: Option<String>,
    /// Makes the attempts of pipeline steps in place of this process. It cannot be combined with
    /// [`CallOptions::journal`].
    pub steps: Option<Arc<dyn Steps>>,
    /// The place of this call in a run that began in another process: `monday/report/search`. Without it, a
    /// call with a journal or other [`CallOptions::steps`] uses the name of its skill as its place.
    pub place: Option<String>,
    /// How many calls surround this one, if they were made in another process.
    pub depth: u32,
    /// The rules that an earlier output of the same call broke, if it was made in another process. A model is told
    /// about them.
    pub rejected: Vec<Violation>,
    /// Cancels the call, which then fails as [`Cancelled`](super::CallError::Cancelled).
    pub cancellation: Option<Cancellation>,
    /// An observer of events, in addition to the runner's own.
    pub on_event: Option<Observer>,
    /// The skills that the conversation has loaded, for [`Runner::dispatch`](super::Runner::dispatch). They
    /// are not sent again. Without a session, a skill is sent each time.
    pub session: Option<Arc<Mutex<Session>>>,
    /// The trace context of the caller in another program, which is passed on to programs.
    pub trace: Option<TraceContext>,
    /// Receives the standard error of all programs that the call runs in this process, while they run.
    pub stderr_log: Option<StderrLog>,
}

impl CallOptions {
    setters! {
        /// Sets the working directory of the call; `None` uses the runner's.
        workspace(path: impl Into<Option<PathBuf>>) => workspace = path.into();
        /// Sets the time limit of one attempt; `None` uses the skill's.
        timeout(limit: impl Into<Option<Duration>>) => timeout = limit.into();
        /// Sets the key of the run, under which finished steps are saved.
        journal(key: impl Into<String>) => journal = Some(key.into());
        /// Sets the [`Steps`] that makes the attempts of pipeline steps.
        steps(steps: Arc<dyn Steps>) => steps = Some(steps);
        /// Sets the place of this call in a run; see [`CallOptions::place`].
        place(place: impl Into<String>) => place = Some(place.into());
        /// Sets how many calls already surround this one; see [`CallOptions::depth`].
        depth(depth: u32) => depth = depth;
        /// Sets the flag that cancels the call.
        cancellation(cancellation: Cancellation) => cancellation = Some(cancellation);
        /// Sets an observer of events, in addition to the runner's own.
        on_event(observer: impl Fn(&Event) + Send + Sync + 'static) => on_event = Some(Arc::new(observer));
        /// Sets the log that receives the standard error of the programs; a caller that drops the call still has it.
        stderr_log(log: StderrLog) => stderr_log = Some(log);
        /// Sets the session of the conversation, which all its calls share.
        session(session: Arc<Mutex<Session>>) => session = Some(session);
    }

    /// Sets the trace context of the caller in another program; `None` keeps the current one.
    pub fn trace(self, context: impl Into<Option<TraceContext>>) -> Self {
        Self { trace: context.into().or(self.trace), ..self }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("workspace", &self.workspace)
            .field("timeout", &self.timeout)
            .field("journal", &self.journal)
            .field("place", &self.place)
            .field("depth", &self.depth)
            .field("cancellation", &self.cancellation)
            .finish_non_exhaustive()
    }
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Called<T> {
    /// The output.
    pub output: T,
    /// The steps of the skill's pipeline, in file order; empty for a skill without a pipeline.
    pub steps: Vec<StepRecord>,
    /// The usage of all requests to models, including nested calls and failed attempts.
    pub usage: Usage,
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRecord {
    /// The name of the step.
    pub step: String,
    /// The skill that it uses.
    pub skill: String,
    /// The state of the step.
    pub state: StepState,
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepState {
    /// The step has a result.
    Done,
    /// The step has a result that an earlier call with the same key saved.
    Resumed,
    /// The step was skipped.
    Skipped,
    /// The step failed, and its failure was used as its result. The text is the error.
    Failed(String),
}
