//! Tests the page in a real browser: it lists, runs and chats. Screenshots are saved below `target/` (SPEC
//! 11.1).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

mod chats;
mod forms;
mod runs;
mod skills;
mod views;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use skills_call::testing::ScriptedModel;
use skills_http::{Api, Guard};

use crate::support::{node, runner, serve};
use skills::shown;

/// Runs a scenario on the page in the browser.
pub(super) async fn act(scene: &str, api: Api, guard: Guard) -> Value {
    let browser = browser();
    let serving = serve(api, guard).await;
    let url = format!("http://{}/", serving.address);
    let pictures = concat!(env!("CARGO_TARGET_TMPDIR"), "/page");
    let seen = node::run("page.mjs", &[&browser, &url, pictures, scene]).await;
    assert_eq!(seen["problems"], json!([]), "the page breaks nothing and asks nobody else");
    seen
}

/// Finds a browser of the Chromium family, preferably the one in `CHROME`.
///
/// # Panics
/// If there is none.
fn browser() -> String {
    let wanted = std::env::var("CHROME").ok();
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    for name in wanted.into_iter().chain(known) {
        let found =
            Command::new("sh").args(["-c", "command -v \"$0\"", &name]).stderr(Stdio::null()).output();
        let path = found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        if let Ok(path) = path.map_err(drop).and_then(|path| if path.is_empty() { Err(()) } else { Ok(path) })
        {
            return path;
        }
    }
    panic!("this test needs Chromium (CHROME may name it)");
}

pub(super) fn api(root: &Path, model: ScriptedModel) -> Api {
    Api::new(runner(root).model(model)).enable_exec()
}

/// Runs a scenario with all features enabled.
pub(super) async fn play(scene: &str) -> Value {
    let (root, workspace) = (shown(), tempfile::tempdir().expect("a directory"));
    act(scene, api(root.path(), ScriptedModel::default()).workspace(workspace.path()), Guard::new()).await
}

pub(super) fn names(value: &Value) -> Vec<&str> {
    value.as_array().expect("an array").iter().map(|name| name.as_str().expect("a text")).collect()
}

// SPEC 11.28: a text of a skill or a model cannot stop the page
#[test]
#[ignore = "needs node"]
fn no_text_takes_the_page_quadratic_time() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (script, page) = (place.join("tests/client/markdown.mjs"), place.join("src/ui.html"));
    let output = Command::new("node").arg(script).arg(page).stdin(Stdio::null()).output().expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(seen, json!({"count": 3840, "slow": []}));
}
