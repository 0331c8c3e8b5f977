//! Runs one call from its name to its checked output; used by runners, contexts and steps.

pub(super) mod attempt;
pub(super) mod blocking;
pub(super) mod engine;
pub(super) mod frame;
mod mcp;
pub(super) mod open;
pub(super) mod plan;
pub(super) mod program;

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use skills_registry::Backend;

use self::attempt::{repeat, within, within_steps};
use self::engine::Call;
use self::frame::CallFrame;
use self::open::OpenCall;
use super::{CallError, CallId, Context, Function, Missing, MissingCapability, StepRecord, llm, pipeline};
use crate::cancellation::OnDrop;
use crate::host::BoxFuture;
use crate::model::Usage;
use skills_exec::{DEFAULT_TIMEOUT_TYPED, Program};
use skills_runtime::capabilities::{MAX_DEPTH, choose};
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
    /// The bundle whose skill is called, and not the skill that wins the name in the layers.
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
    /// The checker that validated the text.
    pub(super) checked: Checked,
}

/// Runs one call. Dropping the future ends everything that it started.
pub(super) fn run<'a>(
    call: &'a Arc<Call>,
    invocation: Invocation<'a>,
) -> BoxFuture<'a, Result<Produced, CallError>> {
    Box::pin(async move {
        let Invocation { name, depth, .. } = invocation;
        if depth >= MAX_DEPTH {
            return Err(CallError::Depth { skill: name.to_owned(), depth, limit: MAX_DEPTH });
        }
        let function = call.engine.find(name, invocation.bundle)?;
        let id = CallId::below(invocation.parent);
        let mut open = OpenCall::begin(call, id, function, depth, &invocation.input);
        let result = match open.span() {
            // This future is boxed, so that calls without a subscriber reserve little space for it.
            Some(span) => {
                span.within(Box::pin(perform(call, id, function, invocation, &mut open.usage))).await
            }
            None => perform(call, id, function, invocation, &mut open.usage).await,
        };
        open.end(&result);
        result
    })
}

/// Checks the input, runs the skill with its backend, and checks the output.
async fn perform(
    call: &Arc<Call>,
    id: CallId,
    function: Function<'_>,
    invocation: Invocation<'_>,
    usage: &mut Usage,
) -> Result<Produced, CallError> {
    let skill = function.skill;
    let limit = match (invocation.timeout, Program::of(skill, None)) {
        (Some(limit), _) => Ok(limit),
        // The time limit of the program may be invalid.
        (None, Some(program)) => program.limit(None),
        (None, None) => Ok(skill.timeout_ms().map_or(DEFAULT_TIMEOUT_TYPED, Duration::from_millis)),
    };
    let frame = CallFrame {
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
    let input = frame.with_function(text.len(), move |function| {
        function.check_input(text).map_err(|invalid| CallError::invalid_input(function.skill.name(), invalid))
    });
    let input = input.await?;
    limit.map_err(|refusal| CallError::NotRun { skill: frame.name(), source: refusal.into() })?;
    let frame = CallFrame { input: &input, ..frame };
    if skill.backend() == Some(Backend::Model) {
        return Ok(Produced { text: Box::pin(llm::run(frame, usage)).await?, ..Produced::default() });
    }
    let frame = &frame;
    let produced = repeat(frame, skill.retry(), || async move {
        let (produced, backend) = match function.pipeline {
            Some(pipeline) => {
                (Box::pin(within_steps(frame, pipeline::run(*frame, pipeline))).await?, Backend::Pipeline)
            }
            None => run_code(frame).await?,
        };
        check_output(frame, produced, backend).await
    });
    produced.await
}

/// Checks an output. A program may print another one in the next attempt; a function of the host and a pipeline are
/// expected to repeat theirs.
async fn check_output(
    frame: &CallFrame<'_>,
    Produced { text, steps, .. }: Produced,
    backend: Backend,
) -> Result<Produced, CallError> {
    let checked = frame.with_function(text.len(), move |function| {
        let checked = function.check_output(&text);
        checked.map_err(|invalid| CallError::invalid_output(function.skill.name(), invalid))?;
        Ok(text)
    });
    match checked.await {
        Ok(text) => Ok(Produced { text, steps, checked: Checked::by(frame.function.output) }),
        Err(CallError::InvalidOutput { skill, invalid, answer, .. }) => {
            let is_retryable = backend == Backend::Program;
            Err(CallError::InvalidOutput { skill, invalid, answer, is_retryable })
        }
        Err(error) => Err(error),
    }
}

/// Parses the output of a skill as a JSON value. The output is already checked, so the only possible error is
/// a number that is too large for a value in memory.
pub(super) fn parse_output(name: &str, text: &str) -> Result<Value, CallError> {
    serde_json::from_str(text).map_err(|error| {
        let violation = Violation::new("", "limit", "numbers of 64 bits", error.to_string());
        CallError::invalid_output(name, Invalid::Violations(vec![violation]))
    })
}

/// Runs one attempt of a skill with code under its time limit: with a host function or else with its program or the tool of
/// an MCP server.
async fn run_code(frame: &CallFrame<'_>) -> Result<(Produced, Backend), CallError> {
    let skill = frame.function.skill;
    let context =
        Context::new(frame.call, frame.id, frame.depth, frame.place, Checked::by(frame.function.input));
    // Work on other threads notices the end of the call by this flag.
    let _guard = OnDrop(|| context.cancellation().cancel());
    // The host returns the function itself, so its existence is not checked separately.
    let mut hosts = frame.call.engine.hosts(skill);
    let served = hosts.find_map(|host| host.call(skill.name(), frame.input.to_owned(), &context));
    // Programs and servers are boxed, so that calls of functions reserve no space for them.
    let backend = choose(skill, || served.is_some(), false, frame.call.engine.mcp.is_some())?;
    let text = match (backend, served, Program::of(skill, Some(frame.function.input))) {
        (Backend::Host, Some(future), _) => {
            within(skill, frame.limit, async {
                future.await.map_err(|source| CallError::Host { skill: frame.name(), source })
            })
            .await?
        }
        (Backend::Program, _, Some(program)) => Box::pin(program::run(*frame, program)).await?,
        (Backend::Mcp, ..) => Box::pin(within(skill, frame.limit, mcp::run(*frame))).await?,
        // This is unreachable for checked skills, because their pipelines always exist.
        _ => return Err(Missing { skill: frame.name(), capability: MissingCapability::Function }.into()),
    };
    Ok((Produced { text, ..Produced::default() }, backend))
}
