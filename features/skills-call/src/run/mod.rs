//! Runs one call from its name to its checked output; used by runners, contexts and steps.

pub(super) mod attempt;
pub(super) mod blocking;
mod mcp;
pub(super) mod plan;
pub(super) mod program;
pub(super) mod state;

use std::any::TypeId;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::Value;
use skills_registry::{Backend, Mode, Skill};
use tokio::time::Instant;

use self::attempt::{repeat, within, within_steps};
use self::blocking::{SHORT, run_blocking};
use self::state::CallState;
use super::{
    CallError, CallId, Context, Event, Function, Missing, MissingCapability, StepRecord, Steps, llm, pipeline,
};
use crate::cancellation::OnDrop;
use crate::error::Panicked;
use crate::host::BoxFuture;
use crate::model::Usage;
use crate::trace::Span;
use skills_exec::{DEFAULT_TIMEOUT_TYPED, Program, Refusal};
use skills_runtime::capabilities::{MAX_DEPTH, choose_code_backend};
use skills_runtime::typed::{Checked, Invalid, Violation};

/// The description of a call: the skill, its input, and its caller.
pub(super) struct Invocation<'a> {
    pub(super) name: &'a str,
    /// The input: JSON text that is not checked yet.
    pub(super) input: String,
    pub(super) depth: u32,
    pub(super) parent: Option<CallId>,
    /// The time limit of one attempt, instead of the skill's.
    pub(super) timeout: Option<Duration>,
    /// The bundle of the input, in a typed call. Such a call runs the skill of this bundle, or the skill that hides it in
    /// the same set of layers if both have equal schemas; see
    /// [`typed_winner`](skills_runtime::layers::Layers::typed_winner).
    pub(super) bundle: Option<TypeId>,
    /// The place of the call in a run; `None` if it does not belong to a run and its steps run in this
    /// process.
    pub(super) place: Option<String>,
    /// The rules that an earlier output of the same call broke. A model is told about them.
    pub(super) rejected: Vec<Violation>,
}

/// The result of a skill.
#[derive(Debug, Default)]
pub(super) struct Produced {
    /// JSON text that matches the output schema.
    pub(super) text: String,
    /// The steps of its pipeline, in file order.
    pub(super) steps: Vec<StepRecord>,
    /// The checker that validated the text, so that a typed call does not check it again.
    pub(super) checked: Checked,
}

/// Runs one call. Dropping the future ends everything that it started.
pub(super) fn run<'a>(
    call: &'a Arc<CallState>,
    invocation: Invocation<'a>,
) -> BoxFuture<'a, Result<Produced, CallError>> {
    Box::pin(async move {
        let Invocation { name, depth, .. } = invocation;
        if depth >= MAX_DEPTH {
            return Err(CallError::Depth { skill: name.to_owned(), depth, limit: MAX_DEPTH });
        }
        let function = call.runner.find(name, invocation.bundle)?;
        let id = CallId::below(invocation.parent);
        let mut open = OpenCall::begin(call, id, function, depth, &invocation.input);
        let span = open.span();
        let work = perform(call, id, function, invocation, &mut open.usage);
        // A panic is a failure of the skill. What the call shares with others is behind locks that ignore panics.
        let work = AssertUnwindSafe(work).catch_unwind();
        let result = match span {
            // This future is boxed, so that calls without a subscriber reserve little space for it.
            Some(span) => span.within(Box::pin(work)).await,
            None => work.await,
        };
        let result = result
            .unwrap_or_else(|_| Err(CallError::Host { skill: name.to_owned(), source: Panicked.into() }));
        open.end(&result);
        result
    })
}

/// Checks the input, runs the skill with its backend, and checks the output.
async fn perform(
    call: &Arc<CallState>,
    id: CallId,
    function: Function<'_>,
    invocation: Invocation<'_>,
    usage: &mut Usage,
) -> Result<Produced, CallError> {
    let limit = time_limit(function.skill, invocation.timeout);
    let unchecked = CallFrame {
        call,
        id,
        function,
        input: "",
        depth: invocation.depth,
        limit: *limit.as_ref().unwrap_or(&DEFAULT_TIMEOUT_TYPED),
        bundle: invocation.bundle,
        place: invocation.place.as_deref(),
        rejected: &invocation.rejected,
    };
    let text = invocation.input;
    let input = unchecked.with_function(text.len(), move |function| {
        function.check_input(text).map_err(|invalid| CallError::invalid_input(function.skill.name(), invalid))
    });
    let input = input.await?;
    // An invalid input is reported before an invalid time limit.
    let limit =
        limit.map_err(|refusal| CallError::NotRun { skill: unchecked.name(), source: refusal.into() })?;
    let frame = &CallFrame { input: &input, limit, ..unchecked };
    match function.skill.backend() {
        Some(Backend::Model) => Box::pin(llm::run(*frame, usage)).await,
        Some(Backend::Pipeline) => {
            let pipeline =
                function.pipeline.ok_or_else(|| frame.report_missing(MissingCapability::Function))?;
            let attempts = repeat(frame, function.skill.retry(), || async move {
                let attempt = within_steps(frame, pipeline::run(*frame, pipeline));
                check_output(frame, Box::pin(attempt).await?, Backend::Pipeline).await
            });
            attempts.await
        }
        Some(Backend::Host | Backend::Program | Backend::Mcp) | None => {
            let attempts = repeat(frame, function.skill.retry(), || async move {
                let (text, backend) = run_code(frame).await?;
                check_output(frame, Produced { text, ..Produced::default() }, backend).await
            });
            attempts.await
        }
    }
}

/// Returns the time limit of one attempt: `given`, or else the limit of the skill.
///
/// # Errors
/// The limit of a program is invalid.
fn time_limit(skill: Skill<'_>, given: Option<Duration>) -> Result<Duration, Refusal> {
    match (given, Program::new(skill, None)) {
        (Some(limit), _) => Ok(limit),
        (None, Some(program)) => program.limit(None),
        (None, None) => Ok(skill.timeout_ms().map_or(DEFAULT_TIMEOUT_TYPED, Duration::from_millis)),
    }
}

/// Checks an output. A program may print another one in the next attempt; a function of the host and a pipeline are
/// expected to repeat theirs.
async fn check_output(
    frame: &CallFrame<'_>,
    Produced { text, steps, .. }: Produced,
    backend: Backend,
) -> Result<Produced, CallError> {
    let is_retryable = backend == Backend::Program;
    let checked = frame.with_function(text.len(), move |function| match function.check_output(&text) {
        Ok(()) => Ok(text),
        Err(invalid) => {
            let skill = function.skill.name().to_owned();
            let invalid = if backend == Backend::Program { name_printed(&text, invalid) } else { invalid };
            Err(CallError::InvalidOutput { skill, invalid, answer: None, is_retryable })
        }
    });
    Ok(Produced { text: checked.await?, steps, checked: Checked::by(frame.function.output) })
}

/// Says of an output that is not JSON what the program printed, for the author of the program.
fn name_printed(text: &str, invalid: Invalid) -> Invalid {
    let Invalid::Malformed(malformed) = &invalid else { return invalid };
    let found = if text.trim().is_empty() {
        "nothing: the program printed nothing".to_owned()
    } else {
        format!(
            "{malformed}: the program printed text that is not JSON; print debugging output to standard error"
        )
    };
    Invalid::Violations(vec![Violation::new("", "json", "a JSON value", found)])
}

/// Parses the output of a skill as a JSON value. The output is already checked, so the only possible error is
/// a number that is too large for a value in memory.
pub(super) fn parse_output(name: &str, text: &str) -> Result<Value, CallError> {
    serde_json::from_str(text).map_err(|error| {
        let violation = Violation::new("", "limit", "numbers of 64 bits", error.to_string());
        CallError::invalid_output(name, Invalid::Violations(vec![violation]))
    })
}

/// Runs one attempt under its time limit: with a host function, or else with the program of the skill or the tool of an MCP
/// server.
async fn run_code(frame: &CallFrame<'_>) -> Result<(String, Backend), CallError> {
    let skill = frame.function.skill;
    let context =
        Context::new(frame.call, frame.id, frame.depth, frame.place, Checked::by(frame.function.input));
    // Work on other threads notices the end of the call by this flag.
    let _guard = OnDrop(|| context.cancellation().cancel());
    // The host returns the function itself, so its existence is not checked separately.
    let mut hosts = frame.call.runner.hosts(skill);
    let served = hosts.find_map(|host| host.call(skill.name(), frame.input.to_owned(), &context));
    // Programs and servers are boxed, so that calls of functions reserve no space for them.
    let backend = choose_code_backend(skill, served.is_some(), frame.call.runner.mcp.is_some())?;
    let text = match (backend, served, Program::new(skill, Some(frame.function.input))) {
        (Backend::Host, Some(future), _) => {
            within(skill, frame.limit, async {
                future.await.map_err(|source| CallError::Host { skill: frame.name(), source })
            })
            .await?
        }
        (Backend::Program, _, Some(program)) => Box::pin(program::run(*frame, program)).await?,
        (Backend::Mcp, ..) => Box::pin(within(skill, frame.limit, mcp::run(*frame))).await?,
        _ => return Err(frame.report_missing(MissingCapability::Function)),
    };
    Ok((text, backend))
}

/// Everything that is needed to run a skill.
#[derive(Clone, Copy)]
pub(crate) struct CallFrame<'a> {
    pub(crate) call: &'a Arc<CallState>,
    pub(crate) id: CallId,
    pub(crate) function: Function<'a>,
    /// The input: checked JSON text with its defaults; empty until it is checked.
    pub(crate) input: &'a str,
    pub(crate) depth: u32,
    /// The time limit of one attempt.
    pub(crate) limit: Duration,
    /// The bundle of the input, in a typed call.
    pub(crate) bundle: Option<TypeId>,
    pub(crate) place: Option<&'a str>,
    /// The rules that an earlier output of the same call broke.
    pub(crate) rejected: &'a [Violation],
}

impl CallFrame<'_> {
    pub(crate) fn name(&self) -> String {
        self.function.skill.name().to_owned()
    }

    /// Returns the error for a skill that lacks a capability.
    pub(crate) fn report_missing(&self, capability: MissingCapability) -> CallError {
        Missing { skill: self.name(), capability }.into()
    }

    /// Returns the [`Steps`] that make the attempts of the call's steps; `None` if this process makes them.
    pub(crate) fn steps(&self) -> Option<&dyn Steps> {
        self.place.and(self.call.steps.as_deref())
    }

    /// Runs work that needs the function. For a long text, uses [`run_blocking`] within the time limit of an
    /// attempt.
    ///
    /// If an engine replays the call, the work runs immediately: such an engine polls a call until it waits, and
    /// could not distinguish waiting for a thread from waiting for a step.
    pub(crate) async fn with_function<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(Function<'_>) -> Result<T, CallError> + Send + 'static,
    ) -> Result<T, CallError> {
        if bytes <= SHORT || self.call.steps.is_some() {
            return work(self.function);
        }
        let (call, name, bundle) = (Arc::clone(self.call), self.name(), self.bundle);
        let checked = run_blocking(bytes, move || work(call.runner.find(&name, bundle)?));
        // The future is boxed, so that calls with short texts reserve no space for it.
        Box::pin(within(self.function.skill, self.limit, checked)).await
    }

    /// Waits. If an engine makes the steps of the call, it also measures the time.
    pub(crate) async fn sleep(&self, duration: Duration) {
        match self.steps() {
            Some(steps) => steps.sleep(duration).await,
            None => tokio::time::sleep(duration).await,
        }
    }
}

/// A running call. If it is dropped before its end, it ends as cancelled.
pub(crate) struct OpenCall<'a> {
    /// The data for the event at the end. `None` if nobody listened when the call began.
    observed: Option<Observed<'a>>,
    /// The usage of its requests to a model so far.
    pub(crate) usage: Usage,
}

/// The data for the event at the end of a call.
struct Observed<'a> {
    call: &'a CallState,
    id: CallId,
    skill: &'a str,
    depth: u32,
    start: Instant,
    span: Span,
}

impl<'a> OpenCall<'a> {
    pub(crate) fn begin(
        call: &'a CallState,
        id: CallId,
        function: Function<'a>,
        depth: u32,
        input: &str,
    ) -> Self {
        // This check is the only cost for a program without a subscriber (SPEC 20.6).
        let is_observed = Span::is_on() || call.is_observed();
        let observed = is_observed.then(|| Observed::begin(call, id, function, depth, input));
        Self { observed, usage: Usage::default() }
    }

    /// Returns the span of the call, if there is a subscriber.
    pub(crate) fn span(&self) -> Option<Span> {
        self.observed.as_ref().map(|observed| observed.span.clone())
    }

    pub(crate) fn end(mut self, result: &Result<Produced, CallError>) {
        if let Some(observed) = self.observed.take() {
            observed.end(self.usage, result);
        }
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        if let Some(observed) = self.observed.take() {
            let cancelled = CallError::cancelled(observed.skill);
            observed.end(self.usage, &Err(cancelled));
        }
    }
}

impl<'a> Observed<'a> {
    // This is a separate function, so that calls without a subscriber are fast.
    #[cold]
    fn begin(call: &'a CallState, id: CallId, function: Function<'a>, depth: u32, input: &str) -> Self {
        let skill = function.skill.name();
        let trace = call.trace.as_ref().filter(|_| id.parent().is_none());
        let span = Span::of_call(&call.runner, function.skill, function.is_pipeline(), id, trace);
        span.inside(|| {
            call.emit(|| Event::Call {
                call: id,
                skill: skill.to_owned(),
                mode: function.skill.mode().unwrap_or(Mode::Code),
                depth,
                bundle: call.runner.bundle_digest(),
                input: call.payload(input),
            })
        });
        Self { call, id, skill, depth, start: Instant::now(), span }
    }

    #[cold]
    fn end(self, usage: Usage, result: &Result<Produced, CallError>) {
        let error = result.as_ref().err();
        if let Some(error) = error {
            self.span.fail(error.kind());
        }
        self.span.inside(|| {
            self.call.emit(|| Event::Result {
                call: self.id,
                skill: self.skill.to_owned(),
                depth: self.depth,
                duration: self.start.elapsed(),
                error: error.map(ToString::to_string),
                kind: error.map(CallError::kind),
                output: result.as_ref().ok().and_then(|produced| self.call.payload(&produced.text)),
                usage,
            })
        });
    }
}
