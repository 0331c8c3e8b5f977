//! Prerequisites of tests that a machine may lack: shared test data, programs, and a cargo with default
//! settings.
#![allow(
    clippy::print_stderr,
    clippy::panic,
    reason = "a test reports what it skips, and fails if it cannot continue"
)]

pub mod inputs;
mod packages;

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use packages::packages;

/// The variable with the path of a file to which each skip adds a line, since the test harness hides the
/// output of passing tests. `cargo xtask ci` sets it, and counts the lines.
pub const SKIPS: &str = "SKILLS_SKIPS";

/// Reports that a test, or a part of one, is skipped, and why.
///
/// # Panics
/// If the file in [`SKIPS`] cannot be written.
#[track_caller]
pub fn skip(why: &str) {
    eprintln!("SKIPPED: {why}");
    let Some(path) = env::var_os(SKIPS) else { return };
    let current = std::thread::current();
    let test = current.name().unwrap_or(std::panic::Location::caller().file());
    let line = format!("{test}: {}\n", why.lines().next().unwrap_or_default());
    // A single write, since several processes append to the file.
    let added = OpenOptions::new().create(true).append(true).open(&path);
    if let Err(error) = added.and_then(|mut file| file.write_all(line.as_bytes())) {
        panic!("{}: {error}", path.display());
    }
}

/// The variable with the directory of real skills and reference files that are too large for this repository. Tests that
/// need it are ignored and named `field_…`; `cargo xtask ci` runs them if the variable is set.
pub const FIELD: &str = "SKILLS_FIELD_DIR";

/// Returns a path below the directory that [`FIELD`] names.
///
/// # Panics
/// If the variable is not set, or if the path does not exist.
pub fn field(path: &str) -> PathBuf {
    let Some(root) = env::var_os(FIELD) else { panic!("set {FIELD} to the directory that holds `{path}`") };
    let found = Path::new(&root).join(path);
    assert!(found.exists(), "{} does not exist", found.display());
    found
}

/// Returns `true` if a program is on `PATH`. Otherwise, reports that the test is skipped.
pub fn has(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let found = env::split_paths(&path).any(|directory| directory.join(&name).is_file());
    if !found {
        skip(&format!("`{program}` is not installed"));
    }
    found
}

/// Returns a cargo that builds into `target` with default output, build and flag settings, so that the tests
/// get the same results on every machine.
pub fn cargo(target: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_TERM_") || CHANGES.contains(&&*text) {
            cargo.env_remove(&name);
        }
    }
    cargo.env("CARGO_TERM_COLOR", "never").env("CARGO_TARGET_DIR", target);
    cargo
}

/// The variables that change cargo's target directory or its flags.
const CHANGES: [&str; 7] = [
    "CARGO_BUILD_BUILD_DIR",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_hears_nothing_of_what_was_set() {
        let cargo = cargo(Path::new("somewhere"));
        let set: Vec<_> =
            cargo.get_envs().filter(|(_, value)| value.is_some()).map(|(name, _)| name).collect();
        assert_eq!(set, ["CARGO_TARGET_DIR", "CARGO_TERM_COLOR"]);
    }
}
