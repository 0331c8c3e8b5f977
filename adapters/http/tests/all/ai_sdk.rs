//! Tests the chat route with its real client, the npm package `ai` (SPEC 11.3).

use std::path::Path;

use serde_json::{Value, json};
use skills_call::model::{Delta, Finish, Message, Role, Usage};
use skills_call::testing::ScriptedModel;
use skills_http::{Api, Guard};

use crate::support::{self, Serving, node, runner, serve, skills};

async fn serving(root: &Path, model: ScriptedModel) -> (Serving, String) {
    let api = Api::new(runner(root).model(model)).workspace(root);
    let serving = serve(api, Guard::new()).await;
    let url = format!("http://{}/api/ai/chat", serving.address);
    (serving, url)
}

/// Returns the result of `readUIMessageStream` for the answer to one message.
async fn stream(model: ScriptedModel) -> Value {
    let root = skills();
    let (_serving, url) = serving(root.path(), model).await;
    node::run("chat.mjs", &["stream", &url]).await
}

fn parts<'a>(message: &'a Value, kind: &str) -> Vec<&'a Value> {
    message["parts"].as_array().expect("parts").iter().filter(|part| part["type"] == kind).collect()
}

// SPEC 11.3
#[tokio::test]
#[ignore = "needs node and npm"]
async fn text_arrives_in_pieces() {
    let thinking = ScriptedModel::default().deltas([
        Delta::Reasoning("hm".to_owned()),
        Delta::Text("Ich prüfe ".to_owned()),
        Delta::Text("技能 🔎".to_owned()),
        Delta::End { finish: Finish::Stop, usage: Usage { input_tokens: 2, output_tokens: 3 } },
    ]);
    let seen = stream(thinking).await;
    assert_eq!(seen["errors"], json!([]));
    assert_eq!(seen["texts"], json!(["", "Ich prüfe ", "Ich prüfe 技能 🔎"]));
    let message = &seen["message"];
    assert_eq!(message["role"], "assistant");
    assert!(message["id"].as_str().is_some_and(|id| id.starts_with("msg_")), "{message}");
    assert_eq!(message["metadata"]["usage"], json!({"inputTokens": 2, "outputTokens": 3}));
    assert_eq!(parts(message, "reasoning")[0]["text"], "hm");
    assert_eq!(parts(message, "text")[0]["state"], "done");
}

// SPEC 11.3
#[tokio::test]
#[ignore = "needs node and npm"]
async fn tools_answer_or_fail_and_the_client_continues() {
    let model = ScriptedModel::default()
        .tool_call("known", "load_skill", r#"{"name": "prose"}"#)
        .tool_call("unknown", "load_skill", r#"{"name": "none"}"#)
        .tool_call("run", "double", r#"{"n": 4}"#)
        .tool_call("wrong", "double", r#"{"n": "x"}"#)
        .tool_call("absent", "vanish", "{}")
        .tool_call("broken", "double", "{\"n\": ")
        .tool_call("known", "load_skill", r#"{"name": "prose"}"#)
        .text("and on");
    let seen = stream(model).await;
    assert_eq!(seen["errors"], json!([]), "{seen}");
    let message = &seen["message"];
    let calls: Vec<&Value> =
        [parts(message, "tool-load_skill"), parts(message, "dynamic-tool")].into_iter().flatten().collect();
    let of = |id: &str| *calls.iter().find(|part| part["toolCallId"] == id).expect("a call");
    assert_eq!(calls.len(), 7, "{calls:#?}");
    assert_eq!(
        (of("known")["state"].as_str(), &of("known")["input"]["name"]),
        (Some("output-available"), &json!("prose"))
    );
    assert!(of("known")["output"].as_str().is_some_and(|text| text.starts_with("## Skill: prose")));
    assert_eq!(of("unknown")["state"], "output-error");
    assert!(
        of("unknown")["errorText"].as_str().is_some_and(|text| text.starts_with("Skill \"none\" not found"))
    );
    assert_eq!(
        (&of("run")["output"], of("run")["toolName"].as_str()),
        (&json!({"said": "twice"}), Some("double"))
    );
    for id in ["wrong", "absent", "broken"] {
        assert_eq!(of(id)["state"], "output-error", "{id}");
    }
    assert_eq!(parts(message, "text")[0]["text"], "and on");
    assert_eq!(parts(message, "step-start").len(), 8);
}

// SPEC 11.3
#[tokio::test]
#[ignore = "needs node and npm"]
async fn a_pipeline_shows_its_progress() {
    let model = ScriptedModel::default().tool_call("p", "chain", r#"{"n": 1}"#).text("done");
    let seen = stream(model).await;
    assert_eq!(seen["errors"], json!([]));
    let states =
        ["p input-streaming", "p input-available", "p output-available preliminary", "p output-available"];
    assert_eq!(seen["states"], json!(states));
    let call = parts(&seen["message"], "dynamic-tool")[0];
    assert_eq!((&call["output"], call.get("preliminary")), (&json!({"said": "twice"}), None), "{call}");
}

// SPEC 11.3: the client sends in the next turn what it kept of the last one.
#[tokio::test]
#[ignore = "needs node and npm"]
async fn a_second_turn_contains_the_first() {
    let root = skills();
    let model = ScriptedModel::default()
        .tool_call("a", "double", r#"{"n": 4}"#)
        .tool_call("b", "load_skill", r#"{"name": "none"}"#)
        .text("first")
        .error("overloaded", false)
        .text("third");
    let (_serving, url) = serving(root.path(), model.clone()).await;
    let seen = node::run("chat.mjs", &["turns", &url, "one", "two", "three"]).await;
    // The second turn failed, but the chat continued.
    assert_eq!(
        (&seen["status"], &seen["errors"]),
        (&json!("ready"), &json!(["the model failed; the server's log says why"])),
        "{seen}"
    );
    assert_eq!(seen["finishes"][0]["finishReason"], "stop");
    let last = model.requests().pop().expect("a request");
    let results = last.messages.iter().flat_map(Message::tool_results);
    let answers: Vec<_> =
        results.map(|result| (result.call_id.clone(), result.content.clone(), result.is_error)).collect();
    assert_eq!(answers[0], ("a".to_owned(), r#"{"said":"twice"}"#.to_owned(), false));
    assert!(answers[1].1.starts_with("Skill \"none\" not found") && answers[1].2, "{answers:?}");
    let history: Vec<&Message> =
        last.messages.iter().filter(|message| matches!(message.role, Role::User | Role::Assistant)).collect();
    let assistant = |text: &str| Message::assistant(text, vec![]);
    assert_eq!(history[0], &Message::user("one"));
    assert!(history[1].tool_calls().map(|call| call.id.as_str()).eq(["a"]));
    assert!(history[2].tool_calls().map(|call| call.id.as_str()).eq(["b"]));
    assert_eq!(history[3], &assistant("first"));
    assert_eq!(history[4..], [&Message::user("two"), &Message::user("three")]);
}

// SPEC 11.3: a call waits for the user, and the answer continues the message that asked.
#[tokio::test]
#[ignore = "needs node and npm"]
async fn a_user_allows_and_refuses_calls() {
    let root = skills();
    let model = ScriptedModel::default()
        .tool_call("", "double", r#"{"n": 4.0}"#)
        .tool_call("", "double", r#"{"n": 5}"#)
        .text("done");
    let (_serving, url) = serving(root.path(), model.clone()).await;
    let seen = node::run("chat.mjs", &["approve", &url]).await;
    assert_eq!((&seen["errors"], &seen["status"]), (&json!([]), &json!("ready")), "{seen}");
    assert_eq!(seen["messages"].as_array().map(Vec::len), Some(2), "{seen}");
    let tools = parts(&seen["messages"][1], "dynamic-tool");
    let states: Vec<&Value> = tools.iter().map(|tool| &tool["state"]).collect();
    assert_eq!(states, ["output-available", "output-denied"], "{seen}");
    assert_ne!(seen["asked"][0], seen["asked"][1], "each call has its own id");
    assert_eq!(model.requests().len(), 3);
}

// SPEC 11.3, 11.2: a client that disconnects ends the work.
#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "needs node and npm"]
async fn stopping_ends_the_program() {
    let root = skills();
    support::write(
        root.path(),
        &[
            ("wait/SKILL.md", "---\nexec: run\n---\nWaits.\n"),
            (
                "wait/run",
                "#!/bin/sh\necho $$ > \"$SKILL_WORKSPACE/new\"\nmv \"$SKILL_WORKSPACE/new\" \"$SKILL_WORKSPACE/pid\"\nsleep 60\n",
            ),
            (
                "wait/skill.json",
                r#"{"name": "wait", "description": "Waits.", "category": "c", "mode": "code",
            "version": "1.0.0", "input": {"type": "object"}, "output": {"type": "object"}}"#,
            ),
        ],
    );
    let file = root.path().join("pid");
    let model = ScriptedModel::default().tool_call("w", "wait", "{}").text("never");
    let (_serving, url) = serving(root.path(), model.clone()).await;
    let path = file.to_str().expect("UTF-8");
    let seen = node::run("chat.mjs", &["abort", &url, path]).await;
    assert_eq!(seen["finishes"][0]["isAbort"], true, "{seen}");
    let pid = std::fs::read_to_string(&file).expect("it started").trim().to_owned();
    support::gone(&pid).await;
    assert_eq!(model.requests().len(), 1, "the model is not asked again");
}

// SPEC 11.3
#[tokio::test]
#[ignore = "needs node and npm"]
async fn without_a_model_the_client_gets_an_error() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let url = format!("http://{}/api/ai/chat", serving.address);
    let seen = node::run("chat.mjs", &["stream", &url]).await;
    assert_eq!(seen["thrown"], r#"{"error":"no_model"}"#);
    let seen = node::run("chat.mjs", &["turns", &url, "one"]).await;
    assert_eq!((&seen["status"], &seen["errors"]), (&json!("error"), &json!([r#"{"error":"no_model"}"#])));
}
