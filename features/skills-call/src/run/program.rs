//! Runs the programs of skills. `exec` accepts any input and output; a call requires JSON on stdin, JSON on
//! stdout, and exit code 0.

use std::future::{poll_fn, ready};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use skills_registry::{Resource, Skill};
use skills_schema::validate_str;
use tokio::time::Instant;

use super::engine::Engine;
use super::frame::CallFrame;
use crate::span::Span;
use crate::trace::TraceContext;
use crate::{CallError, Event};
use skills_exec::{
    ExecOptions, Execution, Executor, Job, NotRun, Outcome, Package, Processes, Program, Request, Source,
    prepare,
};

/// Starts a program by the name of its skill; see [`Runner::exec`](crate::Runner::exec).
pub(crate) fn exec(engine: &Arc<Engine>, name: &str, input: String, options: ExecOptions) -> Execution {
    let trace = options.trace.clone();
    match job(engine, name, input, options) {
        Ok(job) => {
            let skill = engine.library.skill(name);
            let span = skill.map(|skill| Span::of_exec(engine, skill, &job.request, trace.as_ref()));
            start(engine, job, span, trace.as_ref())
        }
        Err(reason) => Box::pin(ready(Err(reason))),
    }
}

fn job(engine: &Arc<Engine>, name: &str, input: String, options: ExecOptions) -> Result<Job, NotRun> {
    let library = &engine.library;
    let skill = library.skill(name).ok_or_else(|| match library.untrusted(name) {
        Some(untrusted) => untrusted.into(),
        None => NotRun::NotFound(library.not_found(name)),
    })?;
    let is_fixed = library.recheck(skill)?;
    let mut programs = engine.programs.clone();
    programs.timeout = options.timeout;
    programs.workspace = options.workspace.or_else(|| engine.workspace.clone());
    programs.directory = library.directory(skill);
    programs.trusted = library.trust(skill).may_run();
    let tables = library.program(name).and_then(|program| program.input);
    let mut request = prepare(skill, tables, input, &programs)?;
    request.root = library.root(skill);
    keep_files(&mut request, is_fixed);
    Ok(Job::new(request, source(engine, skill, false)))
}

/// Prevents Python from writing bytecode files beside its sources: an additional file would change the
/// directory that was trusted or signed.
fn keep_files(request: &mut Request, is_fixed: bool) {
    const NAME: &str = "PYTHONDONTWRITEBYTECODE";
    if is_fixed && request.environment.get(NAME).is_none() {
        request.environment.set(NAME, "1");
    }
}

/// Starts a job within its span, and passes the trace context to the program: that of the span, else that of
/// the caller.
fn start(engine: &Engine, mut job: Job, span: Option<Span>, trace: Option<&TraceContext>) -> Execution {
    let own = span.as_ref().and_then(|span| span.context(engine));
    if let Some(context) = own.as_ref().or(trace) {
        context.tell(&mut job.request.environment);
    }
    let begin = || match &engine.executor {
        Some(executor) => executor.start(job),
        None => processes(engine).start(job),
    };
    match span {
        Some(span) => {
            let execution = span.inside(begin);
            span.follow(execution)
        }
        None => begin(),
    }
}

#[cfg(unix)]
fn processes(engine: &Engine) -> Processes {
    Processes::new(engine.programs.cache.clone())
}

#[cfg(not(unix))]
fn processes(_: &Engine) -> Processes {
    Processes::new()
}

/// Returns the source of a skill's files; the files of a bundled skill are in memory.
fn source(engine: &Arc<Engine>, skill: Skill<'_>, is_typed: bool) -> Source {
    match engine.library.directory(skill) {
        Some(directory) => Source::Directory(directory),
        None => {
            Source::Memory(Arc::new(Held { engine: Arc::clone(engine), name: skill.name().into(), is_typed }))
        }
    }
}

/// The files of a skill, which are looked up by its name.
struct Held {
    engine: Arc<Engine>,
    name: String,
    is_typed: bool,
}

impl Package for Held {
    fn files(&self) -> Vec<Resource<'_>> {
        let library = &self.engine.library;
        let typed = self.engine.typed(&self.name).filter(|_| self.is_typed);
        let skill = typed.map(|function| function.skill).or_else(|| library.skill(&self.name));
        // A skill that is hidden from outside callers can still run below other skills.
        let skill = skill.or_else(|| library.program(&self.name).map(|program| program.skill));
        skill.into_iter().flat_map(Skill::files).collect()
    }
}

/// Runs the program of a called skill. Dropping the future kills its process.
pub(crate) async fn run(frame: CallFrame<'_>, program: Program<'_>) -> Result<String, CallError> {
    let CallFrame { call, function, .. } = frame;
    let library = &call.engine.library;
    let not_run = |source| CallError::NotRun { skill: frame.name(), source };
    let is_fixed = library.recheck(function.skill).map_err(|untrusted| not_run(untrusted.into()))?;
    let mut options = call.engine.programs.clone();
    options.workspace.clone_from(&call.workspace);
    options.trusted = library.trust(function.skill).may_run();
    let mut request = program.request(frame.input.to_owned(), frame.limit, &options);
    request.call = Some(frame.id);
    request.root = library.root(function.skill);
    keep_files(&mut request, is_fixed);
    let job = Job::new(request, source(&call.engine, function.skill, frame.is_typed));
    let span = Span::of_program(&job.request);
    let running = start(&call.engine, job, Some(span), call.trace.as_ref());
    let mut open = Open { frame, start: Instant::now(), running: Some(running) };
    let outcome = poll_fn(|context| open.poll(context)).await;
    let outcome = outcome.map_err(not_run)?;
    if outcome.timed_out {
        return Err(CallError::Timeout { skill: frame.name(), limit: frame.limit });
    }
    if outcome.exit_code != 0 || outcome.stdout_dropped > 0 {
        return Err(CallError::Program { skill: frame.name(), outcome: Box::new(outcome) });
    }
    let text = outcome.stdout;
    if function.skill.mode().is_some() {
        return Ok(text.trim_ascii().to_owned());
    }
    // The output of a program without an output schema can be any text.
    let written = frame.with_function(text.len(), move |function| {
        Ok(match validate_str(function.output, &text) {
            Ok(()) => text.trim_ascii().to_owned(),
            Err(_) => serde_json::Value::String(text).to_string(),
        })
    });
    written.await
}

/// A running program. If it is dropped before its end, its event reports it as cancelled before the call
/// ends.
struct Open<'a> {
    frame: CallFrame<'a>,
    start: Instant,
    /// `None` after the program has ended.
    running: Option<Execution>,
}

impl Open<'_> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Outcome, NotRun>> {
        let Some(running) = &mut self.running else { return Poll::Pending };
        let polled = running.as_mut().poll(context);
        if let Poll::Ready(result) = &polled {
            self.running = None;
            result.iter().for_each(|outcome| tell(self.frame, outcome));
        }
        polled
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        // The program may have ended since the last poll.
        if self.poll(&mut Context::from_waker(Waker::noop())).is_pending() && self.running.take().is_some() {
            tell(self.frame, &Outcome::cancelled(self.frame.function.skill.name(), self.start.elapsed()));
        }
    }
}

/// Emits the `skill.exec` event; the executor has already emitted it to `tracing`.
fn tell(frame: CallFrame<'_>, outcome: &Outcome) {
    frame.call.tell(|| Event::Exec {
        call: frame.id,
        skill: frame.name(),
        version: frame.function.skill.version().to_owned(),
        exit_code: outcome.exit_code,
        duration: outcome.duration,
        error: (!outcome.error.is_empty()).then(|| outcome.error.clone()),
    });
}
