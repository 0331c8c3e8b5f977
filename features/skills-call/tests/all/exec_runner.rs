//! Tests that the policy of a runner applies to all programs: of `exec`, of calls, and on another executor.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic as tests may")]

use std::time::Duration;

use serde_json::json;
use skills_call::{CallError, CallOptions, Event, Runner};
use skills_exec::{Caps, Environment, ExecOptions, NotRun, Outcome, Refusal, RunOptions, Sandbox, run_skill};
use skills_load::{FormatPolicy, LayersBuilder};

use crate::echo::Echo;
use crate::functions;
use crate::planted::Planted;

const DATES: &str = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema",
    "properties": {"on": {"type": "string", "format": "date"}, "n": {"default": 3}}}"#;

fn document(name: &str, lines: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n{lines}\n---\n")
}

/// Returns the skill `tool` with a shell script and further lines in its frontmatter.
fn tool(lines: &str, script: &str) -> Planted {
    Planted::new(&[
        ("tool/SKILL.md", &document("tool", &format!("exec: run.sh\n{lines}"))),
        ("tool/run.sh", &format!("#!/bin/sh\n{script}\n")),
        ("tool/in.json", DATES),
    ])
}

async fn exec(runner: &Runner, input: &str) -> Result<Outcome, NotRun> {
    runner.exec("tool", input, ExecOptions::default()).await
}

// SPEC 7.1, 7.2, 12.4
#[tokio::test]
async fn environment_caps_and_workspace_come_from_the_runner() {
    let planted = tool("", "printf '%s' \"$TOKEN\"; pwd >&2");
    let runner = Runner::from(planted.load())
        .environment(Environment::from_variables([("TOKEN".into(), "secret".into())], ["TOKEN"]))
        .caps(Caps { stdout: 4, ..Caps::default() })
        .workspace(planted.path());
    let outcome = exec(&runner, "").await.unwrap();
    assert_eq!(outcome.stdout, "secr");
    assert_eq!(outcome.error, "stdout was cut at 4 bytes, 2 more were dropped");
    assert_eq!(outcome.stderr.trim(), planted.path().to_str().unwrap());
    let elsewhere = planted.path().join("tool");
    let options = ExecOptions::default().workspace(elsewhere.clone()).timeout("30s".to_owned());
    let outcome = runner.exec("tool", "", options).await.unwrap();
    assert_eq!(outcome.stderr.trim(), elsewhere.to_str().unwrap());
}

// SPEC 7.1, 12.3: programs of `exec` and of calls are confined, or refused if no sandbox is available
#[tokio::test]
async fn a_runner_confines_programs() {
    let planted = tool("schema: in.json", "echo x > \"$SKILL_PATH/written\" && echo 1");
    let runner = Runner::from(planted.load()).sandbox(Sandbox::default());
    assert_ne!(exec(&runner, "{}").await.unwrap().exit_code, 0);
    let error = runner.call_json("tool", json!({})).await.unwrap_err();
    assert!(matches!(error, CallError::Program { .. }), "{error}");
    assert!(!planted.path().join("tool/written").exists());
    let free = Runner::from(planted.load());
    assert_eq!(free.call_json("tool", json!({})).await.unwrap(), json!(1));
    assert!(planted.path().join("tool/written").exists());
}

// SPEC 4.4, 6.1: one policy decides about `format`, for `exec` and for calls, for tier 3 and for a `skill.json`
#[tokio::test]
async fn formats_are_asserted_wherever_the_input_is_checked() {
    let typed = functions::manifest("typed", "code", DATES, "{}", "");
    let planted = tool("schema: in.json", "cat");
    planted.write("typed/skill.json", &typed);
    planted.write("typed/SKILL.md", "---\nexec: run.sh\n---\n");
    planted.write("typed/run.sh", "#!/bin/sh\ncat\n");
    let layers = |formats| LayersBuilder::new().directory(planted.path()).formats(formats).load().unwrap();
    for name in ["tool", "typed"] {
        let exec = |formats| {
            let runner = Runner::from(layers(formats));
            async move { runner.exec(name, r#"{"on": "soon"}"#, ExecOptions::default()).await }
        };
        assert_eq!(exec(FormatPolicy::AsDraft).await.unwrap().stdout, r#"{"on":"soon","n":3}"#, "{name}");
        let error = exec(FormatPolicy::Assert).await.unwrap_err();
        assert!(error.to_string().contains("/on: format: "), "{error}");
        let asserting = Runner::from(layers(FormatPolicy::Assert));
        let error = asserting.call_json(name, json!({"on": "soon"})).await.unwrap_err();
        assert!(error.to_string().contains("/on: format: "), "{error}");
        // The handle of a skill applies the policy, too.
        let layers = layers(FormatPolicy::Assert);
        let error = run_skill(layers.get(name).unwrap(), r#"{"on": "soon"}"#, &RunOptions::of_process());
        assert_eq!(error.unwrap_err().code(), "invalid_input", "{name}");
    }
}

// SPEC 6.3, 7.1: a program of tier 3 is called like any function
#[tokio::test]
async fn a_program_with_a_schema_can_be_called() {
    let planted = tool("schema: in.json", "cat");
    let runner = Runner::from(planted.load());
    assert!(runner.is_callable("tool"));
    assert_eq!(runner.call_json("tool", json!({"on": "x"})).await.unwrap(), json!({"on": "x", "n": 3}));
    let refused = runner.call_json("tool", json!({"on": 1})).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Skill \"tool\" input validation failed\n/on: type: expected a string, found 1"
    );
    let plan = runner.plan("tool", "{}").unwrap();
    assert_eq!((plan.to_json()["server"].as_str(), plan.input.as_str()), (Some("program"), r#"{"n":3}"#));
    for (script, output) in
        [("echo ' [1, 2] '", json!([1, 2])), ("echo hello", json!("hello\n")), ("", json!(""))]
    {
        let planted = tool("schema: in.json", script);
        let runner = Runner::from(planted.load());
        assert_eq!(runner.call_json("tool", json!({})).await.unwrap(), output, "{script}");
    }
    let planted = tool("schema: in.json", "echo no >&2; exit 3");
    let error = Runner::from(planted.load()).call_json("tool", json!({})).await.unwrap_err();
    assert_eq!(error.to_string(), "Skill \"tool\" failed: its program exited with code 3: no");
    // Without a schema it is not a tool.
    let planted = tool("", "cat");
    let runner = Runner::from(planted.load());
    assert!(!runner.is_callable("tool"));
    let error = runner.call_json("tool", json!({})).await.unwrap_err();
    assert!(matches!(error, CallError::Missing(_)), "{error}");
}

// SPEC 7.1, 7.3: an invalid time limit is refused, and not treated as unlimited
#[tokio::test]
async fn an_invalid_limit_in_the_frontmatter_refuses_the_run() {
    // A value that no form of the key allows belongs to another system, and has no effect (SPEC 2.13).
    let planted = tool("timeout: [1]\nschema: in.json", "cat");
    let foreign = Runner::from(planted.load());
    assert_eq!(exec(&foreign, "{}").await.unwrap().exit_code, 0);
    for limit in ["0", "-5", "abc"] {
        let planted = tool(&format!("timeout: {limit}\nschema: in.json"), "cat");
        let runner = Runner::from(planted.load());
        let error = exec(&runner, "{}").await.unwrap_err();
        assert_eq!(error.code(), "invalid_timeout", "{limit}");
        let error = runner.call_json("tool", json!({})).await.unwrap_err();
        assert!(error.to_string().contains("is not a time limit"), "{error}");
        let given = ExecOptions::default().timeout("10s".to_owned());
        assert_eq!(runner.exec("tool", "{}", given).await.unwrap().exit_code, 0, "the caller's goes before");
        let given = CallOptions::default().timeout(Duration::from_secs(10));
        runner.call_json_with("tool", json!({}), given).await.unwrap();
    }
}

// SPEC 7.3, 8.3
#[tokio::test]
async fn skills_that_cannot_be_run_are_refused() {
    let planted = Planted::of_names(&["prose"]);
    let runner = Runner::from(planted.load());
    let prose = runner.exec("prose", "", ExecOptions::default()).await;
    assert!(matches!(prose, Err(NotRun::Refused(Refusal::NotExecutable { .. }))), "{prose:?}");
    assert_eq!(exec(&runner, "").await.unwrap_err().to_string(), "not_found: skill not found: tool");
}

// SPEC 7.2: dropping the handle ends the run
#[tokio::test]
async fn a_dropped_run_ends() {
    let planted = tool("", "echo $$ > \"$SKILL_PATH/pid\"; exec sleep 60");
    let running = Runner::from(planted.load()).exec("tool", "", ExecOptions::default());
    let pid = || std::fs::read_to_string(planted.path().join("tool/pid")).unwrap_or_default();
    let eventually = |what: &dyn Fn() -> bool| {
        for _ in 0..1000 {
            if what() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it did not happen");
    };
    // It runs although its future is not polled.
    eventually(&|| pid().ends_with('\n'));
    drop(running);
    let pid = pid();
    eventually(&|| {
        let kill = std::process::Command::new("kill").args(["-s", "0", pid.trim()]).output();
        !kill.unwrap().status.success()
    });
}

// SPEC 7.1, 7.4: an executor gets everything about a run; the files of a bundle are in memory
#[tokio::test]
async fn an_executor_is_one_trait_implementation() {
    let bundle = functions::functions(&[
        ("tool/skill.json", &functions::manifest("tool", "code", "{}", r#"{"required": ["files"]}"#, "")),
        ("tool/SKILL.md", "---\nexec: run.sh\n---\n"),
        ("tool/run.sh", "#!/bin/sh\nexit 1\n"),
    ]);
    let log = functions::Log::default();
    let runner = Runner::new(bundle).executor(Echo).on_event(log.observer());
    let expected = json!({"program": "run.sh", "input": {"a": 1}, "ms": 30_000, "files": ["SKILL.md", "run.sh", "skill.json"]});
    assert_eq!(runner.call_json("tool", json!({"a": 1})).await.unwrap(), expected);
    assert!(matches!(&log.events()[1], Event::Exec { exit_code: 0, .. }), "{:?}", log.events());
    let options = ExecOptions::default().timeout("2s".to_owned());
    let outcome = runner.exec("tool", r#"{"a": 1}"#, options).await.unwrap();
    assert!(outcome.stdout.contains("\"ms\":2000"), "{}", outcome.stdout);
    let planted = tool("", "exit 1");
    let outcome = exec(&Runner::from(planted.load()).executor(Echo), "1").await.unwrap();
    assert!(outcome.stdout.contains("\"files\":[\"tool\"]"), "{}", outcome.stdout);
}

// SPEC 4.3, 6.1: a bundle contains the tables of its programs, and its policy for `format`
#[tokio::test]
async fn a_program_of_a_bundle_is_checked_by_its_tables() {
    let planted = tool("schema: in.json", "cat");
    let options = skills_core::options::Options { formats: FormatPolicy::Assert, ..Default::default() };
    let bundle = functions::load_as(planted.path(), &options);
    let cache = skills_exec::cache::Cache::new(None, std::env::temp_dir());
    let runner = Runner::new(bundle).cache(cache);
    assert_eq!(runner.call_json("tool", json!({})).await.unwrap(), json!({"n": 3}));
    let error = runner.call_json("tool", json!({"on": "soon"})).await.unwrap_err();
    assert!(error.to_string().contains("/on: format: "), "{error}");
    assert_eq!(exec(&runner, r#"{"on": "soon"}"#).await.unwrap_err().code(), "invalid_input");
}
