//! `skills serve`: the skills of directories over HTTP; their changes are taken up (SPEC 11.2).

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use skills_runtime::call::{Failure, Runner};
use skills_runtime::load::{Live, Watch};

use super::source::{self, Directories, Skills};
use crate::serve::Listener;
use crate::{failure, terminal};

/// The arguments of `skills serve`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    directories: Directories,
    #[command(flatten)]
    listener: Listener,
}

impl Serve {
    /// Serves until a signal comes.
    ///
    /// # Errors
    /// The token is missing where there must be one.
    pub(crate) fn run(&self) -> Result<ExitCode, String> {
        let guard = self.listener.guard()?;
        let Some(layers) = self.directories.read() else { return Ok(ExitCode::FAILURE) };
        let live = Arc::new(Live::with(self.directories.builder(), layers));
        Ok(match self.listener.equip(Runner::from(live.layers())) {
            Ok(runner) => {
                let skills = Current::of(live, runner);
                self.listener.listen(guard, move || skills.runner())
            }
            Err(reason) => failure::told(&reason),
        })
    }
}

/// The skills as they are now.
struct Current {
    live: Arc<Live>,
    /// What a runner is made of: it has the model.
    runner: Runner,
    /// Whether changes are not told, or were not taken up: directories are then read for each request.
    is_blind: Arc<AtomicBool>,
    _watch: Option<Watch>,
}

impl Current {
    fn of(live: Arc<Live>, runner: Runner) -> Self {
        let is_blind = Arc::new(AtomicBool::new(false));
        let blinded = Arc::clone(&is_blind);
        let watch = live.watch(move |outcome| match outcome {
            Ok(changes) => changes.new_problems.iter().for_each(source::tell_problem),
            Err(error) => {
                terminal::line(&format!("error: {error}"));
                blinded.store(true, Ordering::Release);
            }
        });
        let watch = watch.inspect_err(|error| {
            terminal::line(&format!(
                "note: skills are read for each request, since they cannot be watched: {error}"
            ));
            is_blind.store(true, Ordering::Release);
        });
        Self { live, runner, is_blind, _watch: watch.ok() }
    }

    fn runner(&self) -> Result<Runner, Failure> {
        if self.is_blind.load(Ordering::Acquire) {
            self.live.reload()?;
        }
        Ok(self.runner.clone().layers(self.live.layers()))
    }
}
