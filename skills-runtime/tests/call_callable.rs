//! What is offered as callable: a pipeline whose every call would fail is not, and the calls themselves are the oracle.

mod functions;

use functions::{functions, manifest};
use serde_json::json;
use skills_runtime::call::{ErrorKind, Functions, Runner};
use skills_runtime::testing::ScriptedModel;

const ANY: &str = r#"{"type": "object"}"#;

/// `ask` needs a model, `act` a host; `done` is a pipeline without needs, `inner` one that asks.
fn library(steps: &str) -> &'static Functions {
    let calling = |name: &str, calls: &str, steps: &str| {
        manifest(name, "composite", ANY, ANY, &format!(r#""calls": [{calls}], "pipeline": [{steps}]"#))
    };
    functions(&[
        ("ask/skill.json", &manifest("ask", "llm", ANY, ANY, r#""retry": 0"#)),
        ("ask/prompt.md", "Answer.\n"),
        ("act/skill.json", &manifest("act", "code", ANY, ANY, "")),
        (
            "done/skill.json",
            &calling(
                "done",
                r#""ask""#,
                r#"{"step": "s", "skill": "ask", "input": {}, "condition": "{{ false }}"}"#,
            ),
        ),
        ("inner/skill.json", &calling("inner", r#""ask""#, r#"{"step": "s", "skill": "ask", "input": {}}"#)),
        ("p/skill.json", &calling("p", r#""ask", "act", "done", "inner""#, steps)),
    ])
}

// SPEC 6.2, 11.3, 11.4
#[tokio::test]
async fn a_pipeline_is_callable_when_what_always_runs_is() {
    let cases = [
        (r#"{"step": "a", "skill": "done", "input": {}}"#, None),
        (r#"{"step": "a", "skill": "ask", "input": {}}"#, Some(ErrorKind::NoModel)),
        (r#"{"step": "a", "skill": "act", "input": {}}"#, Some(ErrorKind::NoHost)),
        (r#"{"step": "a", "skill": "inner", "input": {}}"#, Some(ErrorKind::NoModel)),
        (
            r#"{"step": "a", "skill": "done", "input": {}}, {"step": "b", "skill": "ask", "input": {}}"#,
            Some(ErrorKind::NoModel),
        ),
        (r#"{"step": "a", "skill": "ask", "input": {}, "condition": "{{ input.x }}"}"#, None),
        (r#"{"step": "a", "skill": "ask", "input": {}, "foreach": "{{ input.l }}"}"#, None),
        (r#"{"step": "a", "skill": "ask", "input": {}, "continueOnError": true}"#, None),
        // What waits for a result that may be missing may be skipped; what only comes later may not.
        (
            r#"{"step": "a", "skill": "ask", "input": {}, "condition": "{{ input.x }}"},
               {"step": "b", "skill": "act", "input": {"x": "{{ steps.a.x }}"}}"#,
            None,
        ),
        (
            r#"{"step": "a", "skill": "ask", "input": {}, "condition": "{{ input.x }}"},
               {"step": "b", "skill": "act", "input": {}, "depends": ["a"]}"#,
            Some(ErrorKind::NoHost),
        ),
    ];
    for (steps, fault) in cases {
        let library = library(steps);
        let runner = Runner::new(*library);
        assert_eq!(runner.is_callable("p"), fault.is_none(), "{steps}");
        let called = runner.call_json("p", json!({"l": []})).await.map_err(|error| error.kind());
        assert_eq!(called.err(), fault, "{steps}");
        let model = ScriptedModel::default().text("{}").text("{}");
        let asking = Runner::new(*library).model(model);
        let needs_host = fault == Some(ErrorKind::NoHost);
        assert_eq!(asking.is_callable("p"), !needs_host, "{steps}");
        let called = asking.call_json("p", json!({"l": []})).await.map_err(|error| error.kind());
        assert_eq!(called.err(), fault.filter(|_| needs_host), "{steps}");
    }
}
