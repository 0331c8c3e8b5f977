//! Finds external commands: on the `PATH`, or installed once by cargo below the target directory.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cargo, run};
use crate::workspace::Workspace;

/// Finds a command, or installs the package with its name. Returns `None`, with a note, if that fails.
pub(crate) fn tool(name: &str, arguments: &[&str]) -> Option<PathBuf> {
    let works = |program: &Path| {
        Command::new(program).arg("--version").output().is_ok_and(|run| run.status.success())
    };
    let tools = Workspace::target().ok()?.join("tools");
    let own = tools.join("bin").join(format!("{name}{EXE_SUFFIX}"));
    let known = [PathBuf::from(name), own.clone()];
    if let Some(found) = known.into_iter().find(|program| works(program)) {
        return Some(found);
    }
    // Built in a separate directory, so that the target directory of the workspace is not affected.
    let build = tools.join("build");
    let install = ["install", "--locked", "--quiet", name, "--root"];
    let mut cargo = cargo();
    cargo.args(install).arg(&tools).args(arguments).env("CARGO_TARGET_DIR", &build);
    let installed = run(&mut cargo);
    let _ = std::fs::remove_dir_all(&build);
    if installed.is_ok() && works(&own) {
        return Some(own);
    }
    println!("`{name}` cannot be installed");
    None
}
