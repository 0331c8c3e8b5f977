//! Runs the programs of skills. `exec` accepts any input and output; a call requires JSON on stdin, JSON on
//! stdout, and exit code 0.

use std::any::TypeId;
use std::future::{poll_fn, ready};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use skills_registry::{Resource, Skill};
use skills_schema::validate_str;
use tokio::time::Instant;

use super::CallFrame;
use super::state::RunnerState;
use crate::trace::Span;
use crate::trace::TraceContext;
use crate::{CallError, CallId, Event, Layers};
#[cfg(unix)]
use skills_exec::cache::CacheError;
use skills_exec::{
    CheckedCopy, ExecOptions, Execution, Executor, Job, JobFiles, NotRun, Outcome, Package, Processes,
    Program, Request, RunOptions, prepare,
};
#[cfg(unix)]
use skills_runtime::trust::CheckError;

/// Starts a program by the name of its skill; see [`Runner::exec`](crate::Runner::exec).
pub(crate) fn exec(runner: &Arc<RunnerState>, name: &str, input: String, options: ExecOptions) -> Execution {
    begin(runner, name, input, options).unwrap_or_else(|reason| Box::pin(ready(Err(reason))))
}

fn begin(
    runner: &Arc<RunnerState>,
    name: &str,
    input: String,
    options: ExecOptions,
) -> Result<Execution, NotRun> {
    let layers = &runner.layers;
    let skill = layers.get(name).ok_or_else(|| match layers.untrusted(name) {
        Some(untrusted) => untrusted.into(),
        None => NotRun::NotFound(layers.not_found(name)),
    })?;
    let mut programs = runner.programs.clone();
    let copy = checked_copy(layers, skill, &programs)?;
    programs.timeout = options.timeout;
    programs.stderr_log = options.stderr_log;
    programs.workspace = options.workspace.or_else(|| runner.workspace.clone());
    programs.directory = layers.directory(skill);
    programs.trusted = layers.trust(skill).may_run();
    let checker = layers.input_checker(name);
    let mut request = prepare(skill, checker, input, &programs)?;
    let call = CallId::below(None);
    request.call = Some(call);
    let (name, version) = (request.name.clone(), request.version.clone());
    let span = Span::of_exec(runner, skill, &request, options.trace.as_ref());
    let job = job(runner, skill, request, copy, None);
    let running = start(runner, job, span, options.trace.as_ref());
    let Some(observer) = runner.on_event.clone() else { return Ok(running) };
    let mut open = RunningProgram::new(skill.name(), running, move |outcome: &Outcome| {
        observer(&event(call, &name, &version, outcome))
    });
    Ok(Box::pin(poll_fn(move |context| open.poll(context))))
}

/// If the files of a skill must be the files that were trusted or signed, checks them again right before the program runs.
/// Returns the private copy that was checked and from which the program runs. Returns `None` for other skills, whose
/// programs run in place.
fn checked_copy(
    layers: &Layers,
    skill: Skill<'_>,
    options: &RunOptions,
) -> Result<Option<CheckedCopy>, NotRun> {
    layers.check_trust(skill).map_err(|untrusted| NotRun::from(*untrusted))?;
    if !layers.is_checked(skill) {
        return Ok(None);
    }
    #[cfg(unix)]
    {
        let scratch = options.cache.scratch().map_err(NotRun::Unpack)?;
        let directory = layers.copy_checked(skill, scratch.path()).map_err(|error| match error {
            CheckError::Untrusted(untrusted) => NotRun::from(*untrusted),
            CheckError::Copy(refused) => NotRun::Unpack(CacheError::Unusable { refused }),
            other => NotRun::Unpack(CacheError::Unusable { refused: other.to_string() }),
        })?;
        Ok(Some(CheckedCopy::new(directory, scratch)))
    }
    #[cfg(not(unix))]
    {
        let _ = options;
        layers.check_in_place(skill).map(|()| None).map_err(|untrusted| NotRun::from(*untrusted))
    }
}

/// Adds the files of the skill to a request: the checked copy, or else the skill's own files.
fn job(
    runner: &Arc<RunnerState>,
    skill: Skill<'_>,
    mut request: Request,
    copy: Option<CheckedCopy>,
    bundle: Option<TypeId>,
) -> Job {
    let source = match (copy, runner.layers.directory(skill)) {
        (Some(copy), _) => JobFiles::Copy(Arc::new(copy)),
        (None, directory) => {
            request.root = runner.layers.root(skill);
            let (runner, name) = (Arc::clone(runner), skill.name().to_owned());
            // The files of a skill of a bundle or of a server are in memory.
            directory.map_or_else(
                || JobFiles::Memory(Arc::new(SkillFiles { runner, name, bundle })),
                JobFiles::Directory,
            )
        }
    };
    Job::new(request, source)
}

/// Starts a job within its span, and passes the trace context to the program: the context of the span or else
/// of the caller.
fn start(runner: &RunnerState, mut job: Job, span: Span, trace: Option<&TraceContext>) -> Execution {
    let own = span.context(runner);
    if let Some(context) = own.as_ref().or(trace) {
        context.add_to(&mut job.request.environment);
    }
    let execution = span.inside(|| match &runner.executor {
        Some(executor) => executor.start(job),
        None => processes(runner).start(job),
    });
    span.follow(execution)
}

#[cfg(unix)]
fn processes(runner: &RunnerState) -> Processes {
    Processes::new(runner.programs.cache.clone())
}

#[cfg(not(unix))]
fn processes(_: &RunnerState) -> Processes {
    Processes::new()
}

/// The files of a skill, which are looked up by its name.
struct SkillFiles {
    runner: Arc<RunnerState>,
    name: String,
    bundle: Option<TypeId>,
}

impl Package for SkillFiles {
    fn files(&self) -> Vec<Resource<'_>> {
        let layers = &self.runner.layers;
        let typed = self.bundle.and_then(|bundle| self.runner.typed(&self.name, bundle));
        let skill = typed.map(|function| function.skill).or_else(|| layers.get(&self.name));
        // A skill that is hidden from outside callers can still be called by other skills.
        let skill = skill.or_else(|| layers.resolve(&self.name));
        skill.into_iter().flat_map(Skill::files).collect()
    }
}

/// Runs the program of a called skill. Dropping the future kills its process.
pub(crate) async fn run(frame: CallFrame<'_>, program: Program<'_>) -> Result<String, CallError> {
    let CallFrame { call, function, .. } = frame;
    let layers = &call.runner.layers;
    let mut options = call.runner.programs.clone();
    let copy = checked_copy(layers, function.skill, &options).map_err(|source| refuse_run(source, &frame))?;
    options.workspace.clone_from(&call.workspace);
    options.stderr_log.clone_from(&call.stderr_log);
    options.trusted = layers.trust(function.skill).may_run();
    let mut request = program.request(frame.input.to_owned(), frame.limit, &options);
    request.call = Some(frame.id);
    let span = Span::of_program(&request);
    let job = job(&call.runner, function.skill, request, copy, frame.bundle);
    let running = start(&call.runner, job, span, call.trace.as_ref());
    let (id, skill, version) = (frame.id, function.skill.name(), function.skill.version());
    let mut open = RunningProgram::new(skill, running, |outcome: &Outcome| {
        call.emit(|| event(id, skill, version, outcome))
    });
    let outcome = poll_fn(|context| open.poll(context)).await;
    let outcome = outcome.map_err(|source| refuse_run(source, &frame))?;
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

fn refuse_run(source: NotRun, frame: &CallFrame<'_>) -> CallError {
    CallError::NotRun { skill: frame.name(), source }
}

/// A running program. If it is dropped before its end, its event reports it as cancelled before the call
/// ends.
struct RunningProgram<T: Fn(&Outcome)> {
    skill: String,
    start: Instant,
    /// `None` after the program has ended.
    running: Option<Execution>,
    /// Emits the event to the observers; the executor has already emitted it to `tracing`.
    emit: T,
}

impl<T: Fn(&Outcome)> RunningProgram<T> {
    fn new(skill: &str, running: Execution, emit: T) -> Self {
        Self { skill: skill.to_owned(), start: Instant::now(), running: Some(running), emit }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Outcome, NotRun>> {
        let Some(running) = &mut self.running else { return Poll::Pending };
        let polled = running.as_mut().poll(context);
        if let Poll::Ready(result) = &polled {
            self.running = None;
            result.iter().for_each(&self.emit);
        }
        polled
    }
}

impl<T: Fn(&Outcome)> Drop for RunningProgram<T> {
    fn drop(&mut self) {
        // The program may have ended since the last poll.
        if self.poll(&mut Context::from_waker(Waker::noop())).is_pending() && self.running.take().is_some() {
            (self.emit)(&Outcome::cancelled(&self.skill, self.start.elapsed()));
        }
    }
}

fn event(call: CallId, skill: &str, version: &str, outcome: &Outcome) -> Event {
    Event::Exec {
        call,
        skill: skill.to_owned(),
        version: version.to_owned(),
        exit_code: outcome.exit_code,
        duration: outcome.duration,
        error: (!outcome.error.is_empty()).then(|| outcome.error.clone()),
    }
}
