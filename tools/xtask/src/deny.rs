//! Checks the dependencies of all workspaces against `deny.toml` with cargo-deny: licences, banned crates and
//! sources. Advisories need a database on another host, so only users check those.

use std::process::Command;

use crate::command::run as run_command;
use crate::tools::tool;
use crate::workspace::Workspace;

/// Checks all packages of all lock files.
pub(crate) fn run() -> Result<(), String> {
    // The debug profile halves the time of the build: about 90 CPU seconds.
    let program = tool("cargo-deny", &["--debug"]).ok_or("cargo-deny is missing")?;
    for manifest in Workspace::manifests()? {
        let mut command = Command::new(&program);
        command.args(["--all-features", "--log-level", "error", "--manifest-path", &manifest]);
        command.args(["--config", "deny.toml", "check", "licenses", "bans", "sources"]);
        run_command(&mut command).map_err(|error| format!("{manifest}: {error}"))?;
    }
    Ok(())
}
