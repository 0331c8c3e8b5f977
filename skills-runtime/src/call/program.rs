//! A skill's program as a function: JSON on stdin, JSON on stdout, exit code 0 (SPEC 6.2, 7.1).

use super::attempt::within;
use super::run::Frame;
use super::{CallError, Event, Failure};
use crate::exec::{Files, Outcome, RunOptions, Running, request, start};

/// Runs the program at `path` below the skill; its process is gone when the future is dropped.
pub(super) async fn run(frame: Frame<'_>, path: &str) -> Result<String, CallError> {
    let Frame { call, function, .. } = frame;
    let skill = function.skill;
    let options = RunOptions {
        workspace: call.workspace.clone(),
        directory: call.engine.library.directory(skill),
        ..call.engine.programs.clone()
    };
    let files = within(skill.name(), frame.limit, files(frame, &options)).await?;
    // The engine of processes keeps the limit itself: a program may clean up for a moment, and its end is told.
    let mut request = request(skill, files.directory(), path, frame.limit, &options);
    request.input = frame.input.to_owned();
    request.call = Some(frame.id);
    let mut open = Open { frame, running: start(request) };
    let outcome = (&mut open.running).await;
    tell(frame, &outcome);
    if outcome.timed_out {
        return Err(CallError::Timeout { skill: frame.name(), limit: frame.limit });
    }
    if outcome.exit_code != 0 || outcome.stdout_dropped > 0 {
        return Err(CallError::Program { skill: frame.name(), outcome: Box::new(outcome) });
    }
    Ok(outcome.stdout.trim_ascii().to_owned())
}

/// A run under way. Dropped before its end, it is told as cancelled, before its call is.
struct Open<'a> {
    frame: Frame<'a>,
    running: Running,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Some(outcome) = self.running.abandon() {
            tell(self.frame, &outcome);
        }
    }
}

/// Emits the event of SPEC 7.6; for `tracing` the engine of processes has done so.
fn tell(frame: Frame<'_>, outcome: &Outcome) {
    frame.call.tell(|| Event::Exec {
        call: frame.id,
        skill: frame.name(),
        version: frame.function.skill.version().to_owned(),
        exit_code: outcome.exit_code,
        duration: outcome.duration,
        error: (!outcome.error.is_empty()).then(|| outcome.error.clone()),
    });
}

/// Finds the files of the skill; those of a bundled one are unpacked on a thread of their own, as comparing files may
/// take a while.
async fn files(frame: Frame<'_>, options: &RunOptions) -> Result<Files, CallError> {
    let failed = |source| CallError::Unpack { skill: frame.name(), source };
    if options.directory.is_some() {
        return Files::of(frame.function.skill, options).map_err(|reason| failed(reason.into()));
    }
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let (engine, name, is_typed) = (std::sync::Arc::clone(&frame.call.engine), frame.name(), frame.is_typed);
    let options = options.clone();
    let work = move || {
        let function = engine.find(&name, is_typed).map_err(Failure::from);
        let files = function.and_then(|function| Ok(Files::of(function.skill, &options)?));
        // Nobody listens any more when the call was dropped; the files stay for the next.
        drop(sender.send(files));
    };
    let thread = std::thread::Builder::new().name("unpack".to_owned()).spawn(work);
    thread.map_err(|error| failed(error.into()))?;
    let files = receiver.await.map_err(|error| failed(error.into()))?;
    files.map_err(failed)
}
