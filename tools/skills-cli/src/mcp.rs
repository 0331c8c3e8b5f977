//! `skills mcp`: serves the current skills of directories to clients of the Model Context Protocol.

use clap::Args;
use skills_call::Runner;
use skills_load::Live;
use skills_mcp::{Notifier, Server};

use super::current::Current;
use super::otlp::Otlp;
use super::source::{Place, Skills};
use super::tool_servers;
use skills_commands::failure::Ended;
use skills_commands::mcp::Channel;
use skills_commands::terminal;

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    skills: Place,
    #[command(flatten)]
    channel: Channel,
    #[command(flatten)]
    otlp: Otlp,
}

impl Mcp {
    /// Returns the options for the traces of calls.
    pub(crate) fn otlp(&self) -> Option<&Otlp> {
        Some(&self.otlp)
    }

    /// Serves until the client closes its side or a signal arrives. Then stops the programs that calls have
    /// started.
    pub(crate) fn run(&self) -> Ended {
        #[cfg(target_os = "linux")]
        if let Some(code) = super::first::serve_beside() {
            return Ok(code);
        }
        let guard = self.channel.guard()?;
        let live = Live::with(self.skills.builder(), self.skills.read()?);
        let runner =
            self.channel.equip(self.otlp.give(tool_servers::give(Runner::from(live.layers()))), false)?;
        let notifier = Notifier::default();
        let clients = notifier.clone();
        let skills = Current::of(live, runner, move || clients.changed());
        let source = move || {
            // A client uses the list that it received until it is notified of a change. So until then, the
            // skills of that list are served.
            Ok(skills.runner().unwrap_or_else(|error| {
                terminal::error(format_args!("{error}"));
                skills.last()
            }))
        };
        self.channel.run(Server::live(source).notifier(&notifier), guard)
    }
}
