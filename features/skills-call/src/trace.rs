//! Connects calls to the traces of other programs, and writes the spans of calls.

pub use skills_exec::trace::TraceContext;

use std::future::Future;
use std::path::Path;
use std::task::Poll;

use futures_util::future::Either;
use futures_util::stream::poll_fn;
use skills_registry::Skill;
use tracing::field::Empty;
use tracing::level_filters::LevelFilter;
use tracing::{Instrument, info_span};

use super::run::state::RunnerState;
use super::{CallId, ErrorKind};
use crate::model::{Answer, BoxStream, Delta, LanguageModel, ModelError, Request};
use skills_exec::{Execution, NotRun, Outcome, Request as Run};

/// Maps spans of `tracing` to the ids that other programs know, usually implemented by an exporter. Pass it
/// to a [`Runner`](crate::Runner).
pub trait Propagation: Send + Sync + 'static {
    /// Returns the trace context for a program that runs within a span; `None` for a span that is not
    /// exported.
    fn context(&self, span: &tracing::Span) -> Option<TraceContext>;

    /// Makes a span of another program the parent of a span that has not been entered yet.
    fn adopt(&self, span: &tracing::Span, parent: &TraceContext);
}

/// An open span; dropping it and its clones closes it. Calls move, clone and check a span several times, so
/// without a subscriber it is only a null pointer.
#[derive(Clone, Debug)]
pub(super) struct Span(Option<Box<tracing::Span>>);

/// Requests an answer in pieces from a model, within a separate span like the requests of skills. This is for
/// hosts that use the model of their runner directly. If the stream is dropped before its end, the span ends
/// as cancelled.
pub fn stream<'a>(
    model: &'a dyn LanguageModel,
    request: &'a Request,
) -> BoxStream<'a, Result<Delta, ModelError>> {
    let mut open = OpenSpan { span: Span::of_chat(model, request), is_over: false };
    let mut deltas = open.span.inside(|| model.stream(request));
    Box::pin(poll_fn(move |context| {
        let polled = open.span.inside(|| deltas.as_mut().poll_next(context));
        match &polled {
            Poll::Ready(Some(Ok(Delta::End { finish, usage }))) => {
                open.span.answer(&Answer::default().with_finish(*finish).with_usage(*usage));
            }
            Poll::Ready(Some(Err(_))) if !open.is_over => open.span.fail(ErrorKind::Failed),
            Poll::Ready(None) => {}
            _ => return polled,
        }
        open.is_over = true;
        polled
    }))
}

/// The span of running work. If it is dropped before the work has ended, it ends as cancelled.
struct OpenSpan {
    span: Span,
    is_over: bool,
}

impl Drop for OpenSpan {
    fn drop(&mut self) {
        if !self.is_over {
            self.span.fail(ErrorKind::Cancelled);
        }
    }
}

impl Span {
    /// Returns `true` if there may be a subscriber. The check reads one number.
    pub(crate) fn is_on() -> bool {
        LevelFilter::current() >= tracing::Level::INFO
    }

    /// Opens the span of a called skill.
    pub(crate) fn of_call(
        runner: &RunnerState,
        skill: Skill<'_>,
        is_pipeline: bool,
        id: CallId,
        trace: Option<&TraceContext>,
    ) -> Self {
        Self::open(|| {
            let (name, step) = (skill.name(), id.step().map(i64::from));
            let attributes = SkillAttributes { step, ..SkillAttributes::new(Some(skill)) };
            if !is_pipeline {
                return execute_tool(&format!("execute_tool {name}"), name, &attributes);
            }
            info_span!(
                target: "skills", "invoke_workflow",
                otel.name = format!("invoke_workflow {name}"), otel.status_code = Empty, "error.type" = Empty,
                gen_ai.operation.name = "invoke_workflow", gen_ai.agent.name = name,
                gen_ai.skill.name = attributes.name, gen_ai.skill.description = attributes.description,
                gen_ai.skill.source.uri = attributes.uri, skills.step = attributes.step,
                skills.source = attributes.source, skills.revision = attributes.revision,
            )
        })
        .below(runner, trace)
    }

    /// Opens the span of a built-in tool of the runner. `asked` is the name that the tool was called
    /// with, and the skill of that name.
    pub(crate) fn of_tool(
        runner: &RunnerState,
        tool: &'static str,
        asked: Option<(&str, Option<Skill<'_>>)>,
        trace: Option<&TraceContext>,
    ) -> Self {
        Self::open(|| {
            let skill = asked.and_then(|(_, skill)| skill);
            let mut attributes = SkillAttributes::new(skill);
            // The model chose this path, so it is recorded only if the skill has the file.
            attributes.resource = asked
                .and_then(|(name, skill)| Some((name.split_once('/')?.1, skill?)))
                .and_then(|(path, skill)| Some(skill.file(path)?.path()));
            let mut title = format!("execute_tool {tool}");
            for part in [attributes.name, attributes.resource].into_iter().flatten() {
                title.push(' ');
                title.push_str(part);
            }
            execute_tool(&title, tool, &attributes)
        })
        .below(runner, trace)
    }

    /// Opens the span of a program that is run by the name of its skill, without a call.
    pub(crate) fn of_exec(
        runner: &RunnerState,
        skill: Skill<'_>,
        run: &Run,
        trace: Option<&TraceContext>,
    ) -> Self {
        Self::open(|| {
            let (name, file) = (skill.name(), file(run));
            let attributes = SkillAttributes { file: Some(file), ..SkillAttributes::new(Some(skill)) };
            execute_tool(&format!("execute_tool {name} {file}"), name, &attributes)
        })
        .below(runner, trace)
    }

    pub(crate) fn of_chat(model: &dyn LanguageModel, request: &Request) -> Self {
        let name = model.name();
        Self::open(|| {
            info_span!(
                target: "skills", "chat",
                otel.name = format!("chat {name}"), otel.kind = "client", otel.status_code = Empty,
                "error.type" = Empty, gen_ai.operation.name = "chat",
                gen_ai.provider.name = model.provider(), gen_ai.request.model = name,
                gen_ai.request.max_tokens = request.max_tokens.map(i64::from),
                gen_ai.request.temperature = request.temperature,
                "gen_ai.output.type" = request.response_schema.as_ref().map(|_| "json"),
                gen_ai.response.model = Empty, gen_ai.response.finish_reasons = Empty,
                gen_ai.usage.input_tokens = Empty, gen_ai.usage.output_tokens = Empty,
            )
        })
    }

    /// Opens the span of a request to an MCP server.
    pub(crate) fn of_request(tool: &str) -> Self {
        Self::open(|| {
            info_span!(
                target: "skills", "tools/call",
                otel.name = format!("tools/call {tool}"), otel.kind = "client", otel.status_code = Empty,
                "error.type" = Empty, mcp.method.name = "tools/call", gen_ai.tool.name = tool,
            )
        })
    }

    /// Opens the span of a program that a call runs.
    pub(crate) fn of_program(run: &Run) -> Self {
        let name = file(run);
        Self::open(|| {
            info_span!(
                target: "skills", "program",
                otel.name = name, otel.kind = "client", otel.status_code = Empty, "error.type" = Empty,
                process.executable.name = name, process.exit.code = Empty,
            )
        })
    }

    /// Opens a span if there may be a subscriber.
    fn open(span: impl FnOnce() -> tracing::Span) -> Self {
        if Self::is_on() { Self::wrap(span()) } else { Self(None) }
    }

    fn wrap(span: tracing::Span) -> Self {
        Self((!span.is_none()).then(|| Box::new(span)))
    }

    /// Makes the caller's span in another program its parent, unless it is already within a span of this
    /// program.
    fn below(self, runner: &RunnerState, trace: Option<&TraceContext>) -> Self {
        if let (Some(span), Some(propagation), Some(trace)) = (&self.0, &runner.propagation, trace)
            && tracing::Span::current().is_none()
        {
            propagation.adopt(span, trace);
        }
        self
    }

    /// Returns the trace context for a program that runs within the span.
    pub(crate) fn context(&self, runner: &RunnerState) -> Option<TraceContext> {
        runner.propagation.as_ref()?.context(self.0.as_deref()?)
    }

    pub(crate) fn within<F: Future>(&self, work: F) -> impl Future<Output = F::Output> {
        match self.0.as_deref() {
            Some(span) => Either::Left(work.instrument(span.clone())),
            None => Either::Right(work),
        }
    }

    pub(crate) fn inside<T>(&self, work: impl FnOnce() -> T) -> T {
        let _entered = self.0.as_deref().map(tracing::Span::enter);
        work()
    }

    /// Records a failure. Only its kind is recorded, since its text may contain inputs; the text is in
    /// the events.
    pub(crate) fn fail(&self, kind: ErrorKind) {
        self.fail_as(kind.as_str());
    }

    fn fail_as(&self, kind: &str) {
        if let Some(span) = &self.0 {
            span.record("error.type", kind).record("otel.status_code", "ERROR");
        }
    }

    /// Records the answer of a model.
    pub(crate) fn answer(&self, answer: &Answer) {
        let Some(span) = &self.0 else { return };
        if let Some(model) = &answer.model {
            span.record("gen_ai.response.model", model.as_str());
        }
        span.record("gen_ai.response.finish_reasons", answer.finish.as_str())
            .record("gen_ai.usage.input_tokens", count_tokens(answer.usage.input_tokens))
            .record("gen_ai.usage.output_tokens", count_tokens(answer.usage.output_tokens));
    }

    /// Records the end of a program. If the execution is dropped before, the span ends as cancelled.
    pub(crate) fn follow(self, execution: Execution) -> Execution {
        if self.0.is_none() {
            return execution;
        }
        let mut open = OpenSpan { span: self, is_over: false };
        Box::pin(async move {
            let result = execution.await;
            open.is_over = true;
            open.span.record_outcome(&result);
            result
        })
    }

    fn record_outcome(&self, result: &Result<Outcome, NotRun>) {
        let Ok(outcome) = result else { return self.fail_as("not_run") };
        let Some(span) = &self.0 else { return };
        span.record("process.exit.code", i64::from(outcome.exit_code));
        if outcome.timed_out {
            self.fail_as("timeout");
        } else if outcome.exit_code != 0 {
            self.fail_as(&outcome.exit_code.to_string());
        }
    }
}

fn count_tokens(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

/// Returns an `execute_tool` span, which is used for everything except pipelines, models, and programs that a
/// call runs.
fn execute_tool(title: &str, tool: &str, attributes: &SkillAttributes<'_>) -> tracing::Span {
    info_span!(
        target: "skills", "execute_tool",
        otel.name = title, otel.status_code = Empty, "error.type" = Empty,
        gen_ai.operation.name = "execute_tool", gen_ai.tool.name = tool, "gen_ai.tool.type" = "function",
        gen_ai.skill.name = attributes.name, gen_ai.skill.description = attributes.description,
        gen_ai.skill.source.uri = attributes.uri, gen_ai.skill.resource.name = attributes.resource,
        skills.source = attributes.source, skills.revision = attributes.revision, skills.step = attributes.step,
        process.executable.name = attributes.file, process.exit.code = Empty,
    )
}

/// The optional attributes of a span: those of the conventions for skills, and the source of a skill of another
/// project.
#[derive(Default)]
struct SkillAttributes<'a> {
    name: Option<&'a str>,
    description: Option<&'a str>,
    uri: Option<&'a str>,
    source: Option<&'a str>,
    revision: Option<&'a str>,
    resource: Option<&'a str>,
    step: Option<i64>,
    file: Option<&'a str>,
}

impl<'a> SkillAttributes<'a> {
    fn new(skill: Option<Skill<'a>>) -> Self {
        let Some(skill) = skill else { return Self::default() };
        let source = skill.source();
        Self {
            name: Some(skill.name()),
            description: Some(skill.description()).filter(|text| !text.is_empty()),
            uri: Some(skill.base()),
            source: source.map(|source| source.name),
            revision: source.and_then(|source| source.revision),
            ..Self::default()
        }
    }
}

fn file(run: &Run) -> &str {
    Path::new(&run.program).file_name().and_then(|name| name.to_str()).unwrap_or("program")
}

#[cfg(test)]
mod tests {
    use super::{Run, Span};

    // SPEC 20.6
    #[test]
    fn without_a_subscriber_a_span_is_a_null_pointer() {
        assert_eq!(size_of::<Span>(), size_of::<usize>());
        assert!(Span::wrap(tracing::Span::none()).0.is_none(), "nothing is boxed for it");
        let run = Run::new("a", "1.0.0", "", "run.sh");
        assert!(!Span::is_on() && Span::of_program(&run).0.is_none(), "no text is built for it");
    }
}
