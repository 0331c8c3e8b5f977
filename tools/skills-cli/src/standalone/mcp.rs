//! `skills mcp`: serves the current skills of directories to clients of the Model Context Protocol.

use clap::Args;
use skills_call::Runner;
use skills_load::Live;
use skills_mcp::{Notifier, Server};

use super::current::Current;
use super::source::{Place, Skills};
use crate::failure::Ended;
use crate::mcp::Channel;
use crate::terminal;

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    skills: Place,
    #[command(flatten)]
    pub(super) channel: Channel,
}

impl Mcp {
    /// Serves until the client closes its side or a signal arrives. Then stops the programs that calls have
    /// started.
    pub(crate) fn run(&self) -> Ended {
        #[cfg(target_os = "linux")]
        if let Some(code) = super::first::serve_beside() {
            return Ok(code);
        }
        let guard = self.channel.guard()?;
        let live = Live::with(self.skills.builder(), self.skills.read()?);
        let runner = self.channel.equip(Runner::from(live.layers()), false)?;
        let notifier = Notifier::default();
        let clients = notifier.clone();
        let skills = Current::of(live, runner, move || clients.changed());
        let source = move || {
            // A client uses the list that it received until it is notified of a change, so serve the skills
            // of that list.
            Ok(skills.runner().unwrap_or_else(|error| {
                terminal::line(&format!("error: {error}"));
                skills.last()
            }))
        };
        self.channel.run(Server::live(source).notifier(&notifier), guard)
    }
}
