//! The MCP servers of skills of mode `mcp`, for the commands that call skills and for `pin`.

use skills_call::Runner;
use skills_mcp_client::ServerAddress;
pub(crate) use skills_mcp_client::Servers;

/// Gives a runner the servers that its skills name.
pub(crate) fn give(runner: Runner) -> Runner {
    runner.mcp(Servers::default())
}

/// Returns the text by which a `skill.json` names a server: a URL, or a command line.
pub(crate) fn identity(text: &str) -> Result<String, String> {
    Ok(ServerAddress::parse(text).map_err(|error| error.to_string())?.identity())
}
