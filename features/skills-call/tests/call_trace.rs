//! The events of calls as `tracing` sees them (SPEC 7.6).

mod functions;
#[path = "../../skills-exec/tests/recorder/mod.rs"]
mod recorder;

use functions::{functions, manifest};
use recorder::Recorder;
use serde_json::json;
use skills_call::Runner;
use skills_call::testing::ScriptedModel;

// SPEC 7.6
#[tokio::test(start_paused = true)]
async fn events_of_a_call_have_the_names_of_the_contract() {
    let any = r#"{"type": "object"}"#;
    let output = r#"{"type": "object", "required": ["ok"]}"#;
    let steps = r#""calls": ["ask"], "pipeline": [
        {"step": "one", "skill": "ask", "input": {"secret": "{{input.secret}}"}},
        {"step": "two", "skill": "ask", "input": {}, "condition": "input.no"}]"#;
    let library = functions(&[
        ("ask/skill.json", &manifest("ask", "llm", any, output, r#""retry": 1"#)),
        ("ask/prompt.md", "Ask."),
        ("all/skill.json", &manifest("all", "composite", any, any, steps)),
    ]);
    let recorder = Recorder::default();
    let guard = tracing::subscriber::set_default(recorder.clone());
    let model = ScriptedModel::default().text("{}").text(r#"{"ok": 1}"#);
    let runner = Runner::new(library).model(model);
    runner.call_json("all", json!({"secret": "s3cret"})).await.expect("it runs");
    drop(guard);
    let events = recorder.0.lock().expect("not poisoned").clone();
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "skill_call",
        "step_start",
        "skill_call",
        "gen_ai.chat",
        "skill_validation_retry",
        "gen_ai.chat",
        "skill_result",
        "step_end",
        "step_skipped",
        "skill_result",
    ];
    assert_eq!(names, expected);
    let fields = |name: &str| &events.iter().rfind(|(known, _)| known == name).expect("it was reported").1;
    assert_eq!(fields("gen_ai.chat")["gen_ai.request.model"], "\"scripted\"");
    let ask = &events.iter().find(|(name, _)| name == "skill_result").expect("it was reported").1;
    assert_eq!((ask["skill"].as_str(), ask["gen_ai.usage.output_tokens"].as_str()), ("\"ask\"", "2"));
    assert_eq!(fields("skill_result")["duration_ms"], "0");
    assert_eq!(fields("skill_validation_retry")["max_attempts"], "2");
    let around = &events[0].1["call_id"];
    assert_eq!(events[0].1.get("parent_call_id"), None);
    for (name, fields) in &events[1..] {
        let is_inside = fields["skill"] == "\"ask\"";
        assert_eq!(fields["call_id"] == *around, !is_inside, "{name}: {fields:?}");
        assert_eq!(fields.get("parent_call_id"), is_inside.then_some(around), "{name}: {fields:?}");
    }
    assert!(!format!("{events:?}").contains("s3cret"), "inputs are reported only if the host asks for them");
}

// SPEC 7.6
#[tokio::test(start_paused = true)]
async fn a_dropped_call_is_reported_as_cancelled() {
    let any = r#"{"type": "object"}"#;
    let library =
        functions(&[("ask/skill.json", &manifest("ask", "llm", any, any, "")), ("ask/prompt.md", "Ask.")]);
    let recorder = Recorder::default();
    let guard = tracing::subscriber::set_default(recorder.clone());
    let runner = Runner::new(library).model(ScriptedModel::default().silence());
    let limit = std::time::Duration::from_secs(2);
    tokio::time::timeout(limit, runner.call_json("ask", json!({}))).await.expect_err("it never ends");
    drop(guard);
    let events = recorder.0.lock().expect("not poisoned").clone();
    let (name, fields) = events.last().expect("events");
    let field = |name: &str| fields[name].as_str();
    assert_eq!((name.as_str(), field("duration_ms")), ("skill_result", "2000"));
    assert_eq!(
        (field("error.type"), field("error")),
        ("\"cancelled\"", "\"Skill \\\"ask\\\" was cancelled\"")
    );
}

// SPEC 7.6
#[cfg(unix)]
#[tokio::test]
async fn an_executed_program_is_reported_with_its_call() {
    let library = functions(&[
        ("tool/SKILL.md", "---\nname: tool\ndescription: It does.\nexec: run.sh\n---\n"),
        ("tool/run.sh", "#!/bin/sh\nexit 3\n"),
    ]);
    let scratch = tempfile::tempdir().expect("a directory");
    let cache = skills_exec::cache::Cache::new(None, scratch.path().into());
    let recorder = Recorder::default();
    let guard = tracing::subscriber::set_default(recorder.clone());
    let runner = Runner::new(library).cache(cache);
    runner.exec("tool", "", skills_exec::ExecOptions::default()).await.expect("a program");
    drop(guard);
    let events = recorder.0.lock().expect("not poisoned").clone();
    let [(name, fields)] = &events[..] else { panic!("{events:?}") };
    assert_eq!((name.as_str(), fields["exit_code"].as_str()), ("skill.exec", "3"));
    assert!(fields["call_id"].parse::<u64>().is_ok(), "{fields:?}");
}
