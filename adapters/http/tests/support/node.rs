//! Runs Node programs, with packages that are installed once below `target/`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tokio::sync::OnceCell;

static INSTALLED: OnceCell<PathBuf> = OnceCell::const_new();

/// Runs a script in `tests/client` and parses the JSON it prints.
pub(crate) async fn run(script: &str, arguments: &[&str]) -> serde_json::Value {
    let directory = INSTALLED.get_or_init(|| async { blocking(install).await }).await;
    let mut command = Command::new("node");
    command.current_dir(directory).arg(script).args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = blocking(move || command.output()).await.expect("node runs");
    assert!(output.status.success(), "{script} {arguments:?}: {}", output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{script}: {error}: {text}"))
}

/// Runs blocking work while the test's server continues.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("it does not panic")
}

fn install() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client");
    test_bed::packages(&source, Path::new(env!("CARGO_TARGET_TMPDIR")))
}
