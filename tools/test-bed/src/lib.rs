//! Prerequisites of tests: keys, generated inputs, a cargo with default settings, and files and programs that not every
//! machine has. If one is missing, the test fails.
#![allow(clippy::panic, reason = "a test fails if it cannot continue")]

pub mod inputs;
mod keys;
mod packages;
mod sdist;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use keys::{Kind, unfit_key};
pub use packages::{mcp_conformance, packages};
pub use sdist::json_schema_suite;

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

/// The variable with a factor for [`rounds`]. `cargo xtask ci` sets it to 10.
pub const ROUNDS: &str = "SKILLS_ROUNDS";

/// Returns how often a test with random inputs or moments repeats its check: `usual` times, or as many times more as
/// [`ROUNDS`] says.
///
/// # Panics
/// If the variable is not a number.
pub fn rounds(usual: usize) -> usize {
    usual * env::var(ROUNDS).map_or(1, |factor| factor.parse::<usize>().expect("SKILLS_ROUNDS is a number"))
}

/// Checks that a program is on `PATH`. The tests that call this function carry `#[ignore = "needs …"]`, so `cargo test`
/// needs no such program, and `cargo xtask ci` fails without it.
///
/// # Panics
/// If it is not.
#[track_caller]
pub fn need(program: &str) {
    let path = env::var_os("PATH").unwrap_or_default();
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let found = env::split_paths(&path).any(|directory| directory.join(&name).is_file());
    assert!(found, "this test needs `{program}`, which is not on PATH");
}

/// Returns an example program of the package that is tested. `cargo test` builds it together with the tests, but
/// `cargo test --tests` and `cargo test --test` do not.
///
/// # Panics
/// If it was not built.
#[track_caller]
pub fn example(name: &str) -> PathBuf {
    let test = env::current_exe().expect("this program has a path");
    let profile = test.ancestors().nth(2).expect("tests are in `deps` below the directory of the profile");
    let path = profile.join("examples").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
    assert!(
        path.is_file(),
        "this test needs the example `{name}`: run `cargo build -p {package} --example {name}`, or `cargo test` without \
         `--tests` and `--test`"
    );
    path
}

/// Copies a program. Another process writes the copy. If this process wrote it, a program that another test starts
/// meanwhile could inherit the descriptor that is open for writing, and the kernel does not run a file while it is
/// open for writing.
///
/// # Panics
/// If it cannot be copied.
pub fn copy_program(from: impl AsRef<Path>, to: &Path) {
    let copied = Command::new("cp").arg(from.as_ref()).arg(to).status();
    assert!(copied.is_ok_and(|status| status.success()), "{} cannot be copied", from.as_ref().display());
}

/// Copies the files of a directory into a new one. Files behind links are copied too. Programs can be run at once, as
/// with [`copy_program`].
///
/// # Panics
/// If they cannot be copied.
pub fn copy_directory(from: impl AsRef<Path>, to: &Path) {
    let from = from.as_ref();
    let made = std::fs::create_dir_all(to);
    let copied = Command::new("cp").arg("-RL").arg(from.join(".")).arg(to).status();
    let is_whole = made.is_ok() && copied.is_ok_and(|status| status.success());
    assert!(is_whole, "{} cannot be copied", from.display());
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
    without_package(&mut cargo);
    cargo.env("CARGO_TERM_COLOR", "never").env("CARGO_TARGET_DIR", target);
    cargo
}

/// Removes from the environment of another cargo the variables that describe the package of this program. If
/// `CARGO_PKG_NAME` or `OUT_DIR` changes, the build script of `ring` runs again, and everything that depends on it is
/// built again.
pub fn without_package(cargo: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text == "OUT_DIR" || text.starts_with("CARGO_MANIFEST_") || text.starts_with("CARGO_PKG_") {
            cargo.env_remove(&name);
        }
    }
}

/// Returns the [`cargo`] for packages outside of the workspace that tests build: each is built once, so debug information and
/// incremental files would only cost time.
pub fn cargo_of_packages(target: &Path) -> Command {
    let mut cargo = cargo(target);
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "none").env("CARGO_INCREMENTAL", "0");
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
    #[should_panic(expected = "run `cargo build -p test-bed --example none`")]
    fn a_missing_example_is_named_with_the_command_that_builds_it() {
        example("none");
    }

    #[test]
    fn variables_of_the_tests_are_not_passed_to_cargo() {
        let cargo = cargo(Path::new("somewhere"));
        let set: Vec<_> =
            cargo.get_envs().filter(|(_, value)| value.is_some()).map(|(name, _)| name).collect();
        assert_eq!(set, ["CARGO_TARGET_DIR", "CARGO_TERM_COLOR"]);
        let is_removed = |name: &str| cargo.get_envs().any(|(key, value)| key == name && value.is_none());
        assert!(env::var_os("CARGO_PKG_NAME").is_some(), "cargo sets it for each test");
        assert!(
            ["CARGO_PKG_NAME", "CARGO_PKG_VERSION_MAJOR", "CARGO_MANIFEST_DIR"].into_iter().all(is_removed)
        );
    }
}
