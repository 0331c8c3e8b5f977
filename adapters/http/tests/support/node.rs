//! Programs of Node, with packages that are installed once below `target/`; a machine without Node skips them loudly.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tokio::sync::OnceCell;

static INSTALLED: OnceCell<Option<PathBuf>> = OnceCell::const_new();

/// Runs a script of `tests/client` and reads the JSON it prints; nothing where there is no Node.
pub(crate) async fn run(script: &str, arguments: &[&str]) -> Option<serde_json::Value> {
    let directory = INSTALLED.get_or_init(|| async { blocking(install).await }).await.clone()?;
    let mut command = Command::new("node");
    command.current_dir(directory).arg(script).args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = blocking(move || command.output()).await.expect("node runs");
    assert!(output.status.success(), "{script} {arguments:?}: {}", output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{script}: {error}: {text}")))
}

/// The test's own server goes on meanwhile.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("it does not panic")
}

/// Installs what the lock file says, unless that is there; returns the directory with the scripts beside the packages.
fn install() -> Option<PathBuf> {
    for program in ["node", "npm"] {
        let found = Command::new(program).arg("--version").stdout(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            eprintln!("SKIPPED: there is no {program}, so no client of Node meets this server");
            return None;
        }
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("client");
    fs::create_dir_all(&target).expect("a directory");
    // Another test may be installing.
    let lock = fs::File::create(target.join("lock")).expect("a file");
    lock.lock().expect("a lock");
    for entry in fs::read_dir(&source).expect("a directory") {
        let entry = entry.expect("an entry");
        if entry.path().extension().is_some_and(|extension| extension == "mjs") {
            fs::copy(entry.path(), target.join(entry.file_name())).expect("a copy");
        }
    }
    let wanted = fs::read(source.join("package-lock.json")).expect("a file");
    let done = target.join("installed");
    if fs::read(&done).is_ok_and(|installed| installed == wanted) {
        return Some(target);
    }
    for name in ["package.json", "package-lock.json"] {
        fs::copy(source.join(name), target.join(name)).expect("a copy");
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    let status = Command::new("npm").args(install).current_dir(&target).stdout(Stdio::null()).status();
    if !status.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: npm cannot install the packages, so no client of Node meets this server");
        return None;
    }
    fs::write(done, wanted).expect("a file");
    Some(target)
}
