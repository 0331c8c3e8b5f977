//! The MCP servers of skills of mode `mcp`, for the commands that call skills.

use std::path::Path;

use skills_call::Runner;
use skills_call::mcp::ToolServer;
use skills_mcp_client::{Approved, Error, Servers};

use crate::servers::{self, Server};

/// Gives a runner the servers that its skills name, each as soon as the user has approved it.
pub(crate) fn give(runner: Runner) -> Runner {
    runner.mcp(Servers::new(servers::options()).approve_with(decide))
}

fn decide(server: ToolServer<'_>) -> Result<Approved, Error> {
    let directory = server.directory.unwrap_or(Path::new("."));
    Server::of_skill(server.text, directory).map_err(Error::Address)?.decide()
}
