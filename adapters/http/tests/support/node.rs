//! Programs of Node, with packages that are installed once below `target/`; a machine without Node skips them loudly.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
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
            test_bed::skip(&format!("there is no {program}, so no client of Node meets this server"));
            return None;
        }
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client");
    let wanted = fs::read(source.join("package-lock.json")).expect("a file");
    let mut hasher = DefaultHasher::new();
    wanted.hash(&mut hasher);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("client-{:x}", hasher.finish()));
    if !target.is_dir() && !packages(&source, &target) {
        test_bed::skip("npm cannot install the packages, so no client of Node meets this server");
        return None;
    }
    for entry in fs::read_dir(&source).expect("a directory") {
        let entry = entry.expect("an entry");
        if entry.path().extension().is_some_and(|extension| extension == "mjs") {
            fs::copy(entry.path(), target.join(entry.file_name())).expect("a copy");
        }
    }
    Some(target)
}

/// Installs beside the target and renames: whoever sees the target sees all of it.
fn packages(source: &Path, target: &Path) -> bool {
    let draft = target.with_extension(std::process::id().to_string());
    fs::create_dir_all(&draft).expect("a directory");
    for name in ["package.json", "package-lock.json"] {
        fs::copy(source.join(name), draft.join(name)).expect("a copy");
    }
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    let status = Command::new("npm").args(install).current_dir(&draft).stdout(Stdio::null()).status();
    // Another process may have been faster.
    status.is_ok_and(|status| status.success()) && (fs::rename(&draft, target).is_ok() || target.is_dir())
}
