//! Writes the manual pages of the command to `man` in the target directory.

use std::process::Command;

use crate::command::{self, cargo};
use crate::workspace::Workspace;

/// Builds the command, and writes the pages.
pub(crate) fn run() -> Result<(), String> {
    command::run(cargo().args(["build", "--quiet", "--package", "cargo-skills"]))?;
    on_built()
}

/// Writes the pages of the existing build of the command, such as the one built by the tests.
pub(crate) fn on_built() -> Result<(), String> {
    let dir = Workspace::target()?.join("man");
    command::run(Command::new(Workspace::built("skills")?).args(["manual", "--to"]).arg(&dir))?;
    println!("the manual pages are in {}", dir.display());
    Ok(())
}
