//! `skills serve`: serves the skills of directories over HTTP and follows their changes.

use clap::Args;
use skills_call::Runner;
use skills_load::Live;

use super::current::Current;
use super::otlp::Otlp;
use super::source::{Place, Skills};
use super::tool_servers;
use skills_commands::failure::Ended;
use skills_commands::serve::Listener;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    skills: Place,
    #[command(flatten)]
    listener: Listener,
    #[command(flatten)]
    otlp: Otlp,
}

impl Serve {
    /// Returns the options for the traces of calls.
    pub(crate) fn otlp(&self) -> Option<&Otlp> {
        Some(&self.otlp)
    }

    /// Serves until a signal arrives.
    pub(crate) fn run(&self) -> Ended {
        #[cfg(target_os = "linux")]
        if let Some(code) = super::first::serve_beside() {
            return Ok(code);
        }
        let guard = self.listener.guard()?;
        let live = Live::with(self.skills.builder(), self.skills.read()?);
        let runner =
            self.listener.equip(self.otlp.give(tool_servers::give(Runner::from(live.layers()))), false)?;
        let skills = Current::of(live, runner, || {});
        self.listener.listen(guard, move || skills.runner())
    }
}
