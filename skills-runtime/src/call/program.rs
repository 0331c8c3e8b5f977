//! A skill's program as a function: JSON on stdin, JSON on stdout, exit code 0 (SPEC 6.2, 7.1).

use std::path::PathBuf;

use super::attempt::within;
use super::run::Frame;
use super::{CallError, Event};
use crate::exec::{Outcome, Request, start};

/// Runs the program at `path` below the skill; its process is gone when the future is dropped.
pub(super) async fn run(frame: Frame<'_>, path: &str) -> Result<String, CallError> {
    let Frame { call, function, .. } = frame;
    let skill = function.skill;
    let place = match call.engine.library.directory(skill) {
        Some(directory) => Place::Disk(directory),
        None => within(skill.name(), frame.limit, unpack(frame)).await?,
    };
    let directory = place.directory();
    let mut request = Request::new(skill.name(), skill.version(), directory, directory.join(path));
    request.input = frame.input.to_owned();
    request.workspace = call.workspace.clone();
    // The engine of processes keeps the limit itself: a program may clean up for a moment, and its end is told.
    request.timeout = frame.limit;
    request.environment = call.engine.environment.clone();
    request.caps = call.engine.caps;
    let outcome = start(request).await;
    tell(frame, &outcome);
    if outcome.timed_out {
        return Err(CallError::Timeout { skill: frame.name(), limit: frame.limit });
    }
    if outcome.exit_code != 0 || outcome.stdout_dropped > 0 {
        return Err(CallError::Program { skill: frame.name(), outcome: Box::new(outcome) });
    }
    Ok(outcome.stdout.trim_ascii().to_owned())
}

/// Emits the event of SPEC 7.6; for `tracing` the engine of processes has done so.
fn tell(frame: Frame<'_>, outcome: &Outcome) {
    frame.call.tell(|| Event::Exec {
        skill: frame.name(),
        version: frame.function.skill.version().to_owned(),
        exit_code: outcome.exit_code,
        duration: outcome.duration,
        error: (!outcome.error.is_empty()).then(|| outcome.error.clone()),
    });
}

/// Where the files of a skill are while its program runs.
enum Place {
    Disk(PathBuf),
    #[cfg(unix)]
    Cache(crate::cache::Unpacked),
}

impl Place {
    fn directory(&self) -> &std::path::Path {
        match self {
            Self::Disk(path) => path,
            #[cfg(unix)]
            Self::Cache(unpacked) => unpacked.path(),
        }
    }
}

/// Unpacks a bundled skill on a thread of its own, as comparing files may take a while.
#[cfg(unix)]
async fn unpack(frame: Frame<'_>) -> Result<Place, CallError> {
    use crate::cache::{Cache, File, Unpacked};

    fn unpack(cache: &Cache, function: super::Function<'_>) -> Result<Unpacked, super::Failure> {
        let files = function.skill.files().map(|file| File {
            path: file.path(),
            bytes: file.bytes(),
            executable: file.is_executable(),
            sha256: *file.sha256(),
        });
        Ok(cache.unpack(&files.collect::<Vec<_>>())?)
    }

    let (sender, receiver) = tokio::sync::oneshot::channel();
    let (engine, name, is_typed) = (std::sync::Arc::clone(&frame.call.engine), frame.name(), frame.is_typed);
    let work = move || {
        let function = engine.find(&name, is_typed).map_err(super::Failure::from);
        // Nobody listens any more when the call was dropped; the files stay for the next.
        drop(sender.send(function.and_then(|function| unpack(&engine.cache, function))));
    };
    let failed = |source| CallError::Unpack { skill: frame.name(), source };
    let thread = std::thread::Builder::new().name("unpack".to_owned()).spawn(work);
    thread.map_err(|error| failed(error.into()))?;
    let unpacked = receiver.await.map_err(|error| failed(error.into()))?;
    unpacked.map(Place::Cache).map_err(failed)
}

/// Programs run on Unix only.
#[cfg(not(unix))]
#[allow(clippy::unused_async, reason = "as on Unix")]
async fn unpack(frame: Frame<'_>) -> Result<Place, CallError> {
    Err(CallError::Unpack {
        skill: frame.name(),
        source: "programs of bundled skills run on Unix only".into(),
    })
}
