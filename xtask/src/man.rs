//! The command writes its manual pages, in `man` of the target directory.

use crate::workspace::{Workspace, cargo};

/// Writes the pages.
///
/// # Errors
/// The command cannot be built, or a page cannot be written.
pub(crate) fn run() -> Result<(), String> {
    let dir = Workspace::target()?.join("man");
    let status = cargo()
        .args(["run", "--quiet", "--package", "cargo-skills", "--", "manual", "--to"])
        .arg(&dir)
        .status();
    match status.map_err(|error| format!("cargo cannot be started: {error}"))? {
        status if status.success() => {
            println!("the manual pages are in {}", dir.display());
            Ok(())
        }
        status => Err(format!("cargo ended with {status}")),
    }
}
