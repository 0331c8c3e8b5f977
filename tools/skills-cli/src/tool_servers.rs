//! The MCP servers of skills of mode `mcp`, for the commands that call skills and for `pin`.

use skills_call::Runner;
pub(crate) use skills_mcp_client::Servers;
use skills_mcp_client::{Connection, ServerAddress};

use crate::servers;

/// Returns the MCP servers that skills can name, including the servers of `skills.toml` under their names.
pub(crate) fn open() -> Servers {
    let connect = |(name, address)| (name, Connection::new(address, servers::options()));
    Servers::new(servers::options()).named(servers::named().into_iter().map(connect))
}

/// Gives a runner the servers that its skills name.
pub(crate) fn give(runner: Runner) -> Runner {
    runner.mcp(open())
}

/// Returns the text by which a `skill.json` names a server: its name in `skills.toml`, a URL, or a command line.
pub(crate) fn identity(text: &str) -> Result<String, String> {
    if servers::named().iter().any(|(name, _)| name == text) {
        return Ok(text.to_owned());
    }
    Ok(ServerAddress::parse(text).map_err(|error| error.to_string())?.identity())
}
