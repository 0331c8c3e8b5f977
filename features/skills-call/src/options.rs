//! The options of one call, and the results beside its output.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Cancellation, Event, Steps};
use crate::model::Usage;
use crate::trace::TraceContext;
use skills_runtime::__setters as setters;
use skills_runtime::tools::Session;

/// Is told what happens in a call.
pub type Observer = Arc<dyn Fn(&Event) + Send + Sync>;

/// The options of one call. By default, none is set.
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
    /// The directory that the call works in, instead of the runner's.
    pub workspace: Option<PathBuf>,
    /// The limit of one attempt, instead of the skill's (SPEC 7.1).
    pub timeout: Option<Duration>,
    /// The key of the run, under which finished steps are written down and found again; a second call with the key
    /// of a first repeats none of its steps. Without one nothing is written down.
    pub journal: Option<String>,
    /// Makes the attempts of the steps of pipelines, instead of this process (SPEC 19.1); not together with
    /// [`CallOptions::journal`].
    pub steps: Option<Arc<dyn Steps>>,
    /// Where in a run this call is, when that was begun elsewhere: `monday/report/search`. Without it, a call with a journal
    /// or other [`CallOptions::steps`] is in the place of its skill's name.
    pub place: Option<String>,
    /// How many calls are around this one, when they were made elsewhere (SPEC 6.4).
    pub depth: u32,
    /// Ends the call, which then fails as [`Cancelled`](super::CallError::Cancelled).
    pub cancellation: Option<Cancellation>,
    /// Is told what happens, besides the runner's own.
    pub on_event: Option<Observer>,
    /// What the conversation has loaded, for [`Runner::dispatch`](super::Runner::dispatch): a skill is not sent to it again
    /// (SPEC 8.13). Without one it is.
    pub session: Option<Arc<Mutex<Session>>>,
    /// The caller's position in a trace of another program. It is passed on to programs.
    pub trace: Option<TraceContext>,
}

impl CallOptions {
    setters! {
        /// Sets the directory that the call works in; nothing leaves it to the runner.
        workspace(path: impl Into<Option<PathBuf>>) => workspace = path.into();
        /// Sets the limit of one attempt; nothing leaves it to the skill.
        timeout(limit: impl Into<Option<Duration>>) => timeout = limit.into();
        /// Sets the key of the run, under which finished steps are written down.
        journal(key: impl Into<String>) => journal = Some(key.into());
        /// Sets who makes the attempts of the steps of pipelines.
        steps(steps: Arc<dyn Steps>) => steps = Some(steps);
        /// Sets where in a run this call is; see [`CallOptions::place`].
        place(place: impl Into<String>) => place = Some(place.into());
        /// Sets how many calls are around this one already; see [`CallOptions::depth`].
        depth(depth: u32) => depth = depth;
        /// Sets what ends the call.
        cancellation(cancellation: Cancellation) => cancellation = Some(cancellation);
        /// Sets an observer of this call's events, in addition to the runner's.
        on_event(observer: impl Fn(&Event) + Send + Sync + 'static) => on_event = Some(Arc::new(observer));
    }

    /// Sets where the caller is in a trace of another program; nothing leaves it as it is.
    pub fn trace(self, context: impl Into<Option<TraceContext>>) -> Self {
        Self { trace: context.into().or(self.trace), ..self }
    }

    /// Sets what the conversation has loaded; all its calls share it.
    pub fn session(self, session: Arc<Mutex<Session>>) -> Self {
        Self { session: Some(session), ..self }
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
    /// The steps of the skill's pipeline, in file order (SPEC 5.6); none for a skill without one.
    pub steps: Vec<StepRecord>,
    /// The tokens that all requests to models used, including nested calls and failed attempts.
    pub usage: Usage,
}

/// The record of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRecord {
    /// The name of the step.
    pub step: String,
    /// The skill that it uses.
    pub skill: String,
    /// The state of the step.
    pub state: StepState,
}

/// The state of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepState {
    /// It has a result.
    Done,
    /// It has a result that an earlier call with the same key had written down.
    Resumed,
    /// It did not run (SPEC 5.4).
    Skipped,
    /// It failed, and its failure took the place of its result; the text says why (SPEC 5.7).
    Failed(String),
}
