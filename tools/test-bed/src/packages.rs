//! Installs the npm packages that a test needs, once for all tests.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{has, skip};

const MANIFESTS: [&str; 2] = ["package.json", "package-lock.json"];

/// Installs the packages in the lock file of a directory, unless they are installed. Returns a directory
/// below `target` with the packages and the scripts of `source`. Returns `None`, with a note that the test is
/// skipped, if npm is missing or fails.
///
/// # Panics
/// If the directory has no lock file, or if `target` cannot be written.
pub fn packages(source: &Path, target: &Path) -> Option<PathBuf> {
    if !has("node") || !has("npm") {
        return None;
    }
    match put(source, target) {
        Ok(Some(place)) => Some(place),
        Ok(None) => {
            skip(&format!("npm cannot install what {} says", source.display()));
            None
        }
        Err(error) => panic!("{}: {error}", source.display()),
    }
}

fn put(source: &Path, target: &Path) -> Result<Option<PathBuf>> {
    let lock = fs::read(source.join("package-lock.json"))?;
    let mut hasher = DefaultHasher::new();
    lock.hash(&mut hasher);
    let place = target.join(format!("npm-{:x}", hasher.finish()));
    if !place.is_dir() && !install(source, &place)? {
        return Ok(None);
    }
    for entry in fs::read_dir(source)? {
        let (script, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if script.is_file() && !MANIFESTS.iter().any(|one| name == *one) {
            copy(&script, &place.join(name))?;
        }
    }
    Ok(Some(place))
}

/// Installs into a temporary directory and renames it, so that other processes see all of it or nothing.
fn install(source: &Path, place: &Path) -> Result<bool> {
    let draft = place.with_extension(std::process::id().to_string());
    fs::create_dir_all(&draft)?;
    for name in MANIFESTS {
        fs::copy(source.join(name), draft.join(name))?;
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    let status = Command::new("npm").args(install).current_dir(&draft).stdout(Stdio::null()).status();
    let is_there = status.is_ok_and(|status| status.success()) && fs::rename(&draft, place).is_ok();
    if !is_there {
        // Another process may have been faster.
        fs::remove_dir_all(&draft)?;
    }
    Ok(is_there || place.is_dir())
}

/// Copies with a rename, since another process may be reading the file.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let draft = to.with_extension(std::process::id().to_string());
    fs::copy(from, &draft)?;
    fs::rename(&draft, to)
}
