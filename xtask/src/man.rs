//! The command writes its manual pages, in `man` of the target directory.

use crate::workspace::{Workspace, cargo};

/// Builds the command, and writes the pages.
///
/// # Errors
/// The command cannot be built, or a page cannot be written.
pub(crate) fn run() -> Result<(), String> {
    let built = cargo().args(["build", "--quiet", "--package", "cargo-skills"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("the command cannot be built".to_owned());
    }
    on_built()
}

/// Writes the pages of the command as it was built last, such as by the tests.
///
/// # Errors
/// A page cannot be written.
pub(crate) fn on_built() -> Result<(), String> {
    let target = Workspace::target()?;
    let (skills, dir) = (target.join("debug").join("skills"), target.join("man"));
    let status = std::process::Command::new(&skills).args(["manual", "--to"]).arg(&dir).status();
    match status.map_err(|error| format!("{}: {error}", skills.display()))? {
        status if status.success() => {
            println!("the manual pages are in {}", dir.display());
            Ok(())
        }
        status => Err(format!("the command ended with {status}")),
    }
}
