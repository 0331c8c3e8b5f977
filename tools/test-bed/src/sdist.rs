//! Downloads the source of a Python package, for files that the installed package does not contain: the test suite of
//! JSON Schema.

use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::need;

/// A source package of PyPI.
struct Sdist {
    name: &'static str,
    version: &'static str,
    /// The SHA-256 digest of the file, in hexadecimal. pip refuses another file.
    sha256: &'static str,
}

/// The implementation of JSON Schema in Python contains JSON-Schema-Test-Suite.
const SUITE: Sdist = Sdist {
    name: "jsonschema",
    version: "4.26.0",
    sha256: "0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326",
};

/// Returns a directory with JSON-Schema-Test-Suite: its `tests` by draft, and its `remotes`.
///
/// # Panics
/// If Python or pip is missing, or if the package cannot be downloaded.
pub fn json_schema_suite() -> PathBuf {
    need("python3");
    let target = test_directory().unwrap_or_else(|error| panic!("no directory for the suite: {error}"));
    let place = target.join(format!("{}-{}", SUITE.name, SUITE.version));
    // A lock is needed because the tests of one process use the same temporary directory.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !place.is_dir() {
        SUITE.put(&target, &place).unwrap_or_else(|error| panic!("{}: {error}", SUITE.name));
    }
    place.join("json")
}

/// Returns the directory `tmp` beside the directory of the test programs. Cargo names it only for some tests.
fn test_directory() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let directory = program.ancestors().nth(2).ok_or_else(|| Error::other("the test is in no directory"))?;
    Ok(directory.join("tmp"))
}

impl Sdist {
    /// Unpacks into a temporary directory and renames it, so that other processes see all of it or nothing.
    fn put(&self, target: &Path, place: &Path) -> Result<()> {
        let Self { name, version, sha256 } = self;
        let draft = target.join(format!("{name}-{version}.{}", std::process::id()));
        fs::create_dir_all(&draft)?;
        fs::write(draft.join("wanted.txt"), format!("{name}=={version} --hash=sha256:{sha256}\n"))?;
        let pip = [
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-binary",
            name,
        ];
        python(&draft, &[&pip[..], &["--require-hashes", "--requirement", "wanted.txt"]].concat())?;
        python(&draft, &["-m", "tarfile", "--extract", &format!("{name}-{version}.tar.gz"), "."])?;
        match fs::rename(draft.join(format!("{name}-{version}")), place) {
            // Another process was faster.
            Err(error) if !place.is_dir() => return Err(error),
            _ => {}
        }
        fs::remove_dir_all(&draft)
    }
}

fn python(directory: &Path, arguments: &[&str]) -> Result<()> {
    let mut python = Command::new("python3");
    let status =
        python.args(arguments).current_dir(directory).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::other(format!("python3 {} failed", arguments.join(" "))))
    }
}
