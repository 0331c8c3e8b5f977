//! `skills mcp`: skills of directories for clients of the Model Context Protocol (SPEC 11.1, 11.4).

use std::process::ExitCode;

use clap::Args;
use skills_mcp::Server;
use skills_runtime::call::Runner;

use super::source::{Place, Skills};
use crate::mcp::Channel;

/// The arguments of `skills mcp`.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    skills: Place,
    #[command(flatten)]
    channel: Channel,
}

impl Mcp {
    /// Serves until the client closes its side, or a signal comes; what calls run is then stopped.
    ///
    /// # Errors
    /// The token is missing where there must be one.
    pub(crate) fn run(&self) -> Result<ExitCode, String> {
        let guard = self.channel.guard()?;
        let Some(layers) = self.skills.read() else { return Ok(ExitCode::FAILURE) };
        Ok(self.channel.run(Server::new(Runner::from(layers)), guard))
    }
}
