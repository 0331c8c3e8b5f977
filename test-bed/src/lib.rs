//! What tests stand on that a machine may lack: material beside the workspace, programs, and cargo as nobody set it up.
#![allow(
    clippy::print_stderr,
    clippy::panic,
    reason = "a test says what it skips, and fails where it cannot go on"
)]

pub mod inputs;
mod packages;

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use packages::packages;

/// Names the file that a line is added to for each skip: the harness hides what a test that passes prints.
/// `cargo xtask ci` sets it, and counts the lines.
pub const SKIPS: &str = "SKILLS_SKIPS";

/// Says that a test, or a part of one, proves nothing here, and why.
///
/// # Panics
/// [`SKIPS`] names a file that cannot be written to.
#[track_caller]
pub fn skip(why: &str) {
    eprintln!("SKIPPED: {why}");
    let Some(path) = env::var_os(SKIPS) else { return };
    let current = std::thread::current();
    let test = current.name().unwrap_or(std::panic::Location::caller().file());
    let line = format!("{test}: {}\n", why.lines().next().unwrap_or_default());
    // One write: tests of many processes add to the file at once.
    let added = OpenOptions::new().create(true).append(true).open(&path);
    if let Err(error) = added.and_then(|mut file| file.write_all(line.as_bytes())) {
        panic!("{}: {error}", path.display());
    }
}

/// Returns a path below the directory of shared material, which `SKILLS_SHARED` names or which lies beside the
/// workspace as `shared`; nothing, and a skip, where there is no such directory.
///
/// # Panics
/// The directory is there and the path in it is not: that is a fault of the machine, and hides what the test proves.
pub fn shared(path: &str) -> Option<PathBuf> {
    let Some(root) = shared_root() else {
        skip(&format!(
            "`{path}` is not beside the workspace; set SKILLS_SHARED to the directory that holds it"
        ));
        return None;
    };
    let found = root.join(path);
    match found.metadata() {
        Ok(_) => Some(found),
        Err(error) => panic!("{}: {error}", found.display()),
    }
}

fn shared_root() -> Option<PathBuf> {
    if let Some(given) = env::var_os("SKILLS_SHARED") {
        return Some(PathBuf::from(given));
    }
    let beside =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(2).map(|directory| directory.join("shared"));
    beside.into_iter().find(|directory| directory.join("conformance").is_dir())
}

/// Tells whether a program can be found on `PATH`; where not, that is a skip.
pub fn has(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let found = env::split_paths(&path).any(|directory| directory.join(&name).is_file());
    if !found {
        skip(&format!("`{program}` is not installed"));
    }
    found
}

/// Returns cargo that builds into `target`, as it is where nobody changed how it talks, where it builds and with which
/// flags: what a test expects of it holds on every machine.
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

/// What changes where cargo builds, or how, beside its talk.
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
