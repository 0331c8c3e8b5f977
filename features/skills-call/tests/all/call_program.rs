//! Tests functions that run a program: the working directory, the input and the output (SPEC 6.2, 7.1, 7.4).
#![cfg(unix)]

use std::time::Duration;

use serde_json::json;
use skills_call::{CallError, CallOptions, Event, Functions, Runner};
use skills_exec::cache::Cache;
use skills_load::LayersBuilder;

use crate::functions::{Log, functions, manifest};
use crate::support::Scratch;
#[cfg(target_os = "linux")]
use crate::support::{carriers, eventually};

const ANY: &str = r#"{"type": "object"}"#;
const DOCUMENT: &str = "---\nexec: run.sh\n---\n";

/// Returns a runner for the skill `tool` with a shell script, and a separate cache.
fn runner(scratch: &Scratch, script: &str) -> Runner {
    Runner::new(tool(script)).cache(Cache::new(Some(scratch.path().join("cache")), scratch.path().into()))
}

fn tool(script: &str) -> &'static Functions {
    functions(&[
        ("tool/skill.json", &manifest("tool", "code", ANY, r#"{"type": "object", "required": ["ok"]}"#, "")),
        ("tool/SKILL.md", DOCUMENT),
        ("tool/run.sh", &format!("#!/bin/sh\n{script}\n")),
        ("tool/data.txt", "beside"),
    ])
}

async fn refused(runner: &Runner) -> String {
    runner.call_json("tool", json!({})).await.expect_err("it must not succeed").to_string()
}

// SPEC 6.2, 7.1, 7.4, 7.6
#[tokio::test]
async fn json_goes_in_and_comes_out() {
    let scratch = Scratch::new();
    let log = Log::default();
    let script = r#"input=$(cat); printf '{"ok": %s, "beside": "%s", "name": "%s", "in": "%s"}\n' "$input" "$(cat "$SKILL_PATH/data.txt")" "$SKILL_NAME" "$(basename "$PWD")""#;
    let runner = runner(&scratch, script).on_event(log.observer());
    assert!(runner.is_callable("tool"));
    std::fs::create_dir(scratch.path().join("here")).expect("a workspace");
    let options = CallOptions::default().workspace(scratch.path().join("here"));
    let outcome = runner.call_json_with("tool", json!({"a": 1}), options).await.expect("it runs");
    let expected = json!({"ok": {"a": 1}, "beside": "beside", "name": "tool", "in": "here"});
    assert_eq!(outcome.output, expected);
    let events = log.events();
    assert!(
        matches!(&events[1], Event::Exec { skill, exit_code: 0, error: None, .. } if skill == "tool"),
        "{events:?}"
    );
}

// SPEC 7.1, 12.4
#[tokio::test]
async fn a_program_sees_only_the_passed_environment() {
    let scratch = Scratch::new();
    let script = r#"printf '{"ok": "%s"}' "$CARGO_MANIFEST_DIR""#;
    let output = runner(&scratch, script).call_json("tool", json!({})).await.expect("it runs");
    assert_eq!(output, json!({"ok": ""}));
}

// SPEC 6.2, 6.4
#[tokio::test]
async fn invalid_outputs_are_refused() {
    let scratch = Scratch::new();
    let text = refused(&runner(&scratch, "echo broken >&2; exit 3")).await;
    assert_eq!(text, "Skill \"tool\" failed: its program exited with code 3: broken");
    let text = refused(&runner(&scratch, "kill -9 $$")).await;
    assert_eq!(text, "Skill \"tool\" failed: its program exited with code 137 (killed by SIGKILL)");
    let text = refused(&runner(&scratch, "echo '{\"fine\": true}'")).await;
    let expected =
        "Skill \"tool\" output validation failed\n(root): required: expected the property \"ok\", found none";
    assert_eq!(text, expected);
    for (script, found) in [
        (
            "echo hello",
            "1:1: `hello`: the program printed text that is not JSON; print debugging output to standard error",
        ),
        ("", "nothing: the program printed nothing"),
        ("echo", "nothing: the program printed nothing"),
    ] {
        let text = refused(&runner(&scratch, script)).await;
        let expected = "Skill \"tool\" output validation failed\n(root): json: expected a JSON value, found ";
        assert_eq!(text, format!("{expected}{found}"), "{script}");
    }
    let text = refused(&runner(&scratch, "echo '{\"ok\": 12345678901234567890}'").max_output(10)).await;
    assert!(text.contains("stdout was cut at 10 bytes"), "{text}");
}

// SPEC 6.4, 7.2
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_ends_at_its_limit_and_when_the_call_is_dropped() {
    let scratch = Scratch::new();
    let log = Log::default();
    let runner =
        runner(&scratch, &format!("exec sleep 1000.{}", std::process::id())).on_event(log.observer());
    let options = CallOptions::default().timeout(Duration::from_millis(100));
    let error = runner.call_json_with("tool", json!({}), options).await.expect_err("too long");
    assert_eq!(error.to_string(), "Skill \"tool\" timed out after 100ms");
    let events = log.events();
    assert!(events.iter().any(|event| matches!(event, Event::Exec { exit_code: 124, .. })), "{events:?}");
    let sleeping = format!("1000.{}", std::process::id());
    assert!(eventually(|| carriers(&sleeping).is_empty()));
    let call = runner.call_json("tool", json!({}));
    let started = async {
        while carriers(&sleeping).is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        result = call => panic!("{result:?}"),
        () = started => {}
    }
    assert!(eventually(|| carriers(&sleeping).is_empty()), "dropping the call ends the program");
}

// SPEC 6.2, 7.1
#[tokio::test]
async fn a_skill_on_disk_runs_in_its_directory() {
    let scratch = Scratch::new();
    scratch.file("tool/skill.json", manifest("tool", "code", ANY, ANY, ""), 0o644);
    scratch.file("tool/SKILL.md", DOCUMENT, 0o644);
    scratch.file("tool/run.sh", "#!/bin/sh\nprintf '{\"ok\": \"%s\"}' \"$SKILL_PATH\"", 0o755);
    let layers = LayersBuilder::new().directory(scratch.path()).load().expect("readable");
    let output = Runner::new(layers).call_json("tool", json!({})).await.expect("the file on disk runs");
    assert_eq!(output, json!({"ok": scratch.path().join("tool")}));
}

// SPEC 7.4
#[tokio::test]
async fn files_that_cannot_be_unpacked_are_an_error() {
    let nowhere = Cache::new(None, "/proc/nowhere".into());
    let error =
        Runner::new(tool("true")).cache(nowhere).call_json("tool", json!({})).await.expect_err("nowhere");
    assert!(matches!(error, CallError::NotRun { .. }), "{error}");
}
