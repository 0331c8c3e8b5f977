//! Tests whole calls: a skill is called, the model is called over HTTP, and its answers are checked and
//! corrected (SPEC 7.5).

use std::path::{Path, PathBuf};

use serde_json::json;
use skills_call::model::Usage;
use skills_call::{CallError, CallOptions, Runner};
use skills_load::{Layers, LayersBuilder};

use crate::openai::text;
use crate::server::{Reply, Server};

/// Returns a skill that a model runs, with two further attempts after the first.
fn library(test: &str) -> Layers {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let skill = root.join("review");
    std::fs::create_dir_all(&skill).expect("a directory");
    let output = json!({
        "type": "object", "properties": { "passed": { "type": "boolean" } }, "required": ["passed"]
    });
    let input = json!({
        "type": "object", "properties": { "code": { "type": "string" } }, "required": ["code"]
    });
    let manifest = json!({
        "name": "review", "description": "Reviews code", "category": "code", "mode": "llm",
        "input": input, "output": output, "retry": 2
    });
    std::fs::write(skill.join("skill.json"), manifest.to_string()).expect("a file");
    std::fs::write(skill.join("prompt.md"), "Review {{input.code}}.\n").expect("a file");
    LayersBuilder::new().directory(&root).load().expect("the skill is sound")
}

fn runner(test: &str, server: &Server) -> Runner {
    Runner::from(library(test)).model(server.model("m"))
}

// SPEC 7.5: a wrong answer is sent back with its violations, and the tokens of all attempts count
#[tokio::test]
async fn a_wrong_answer_is_corrected() {
    let server = Server::start([
        text("Looks fine to me."),
        text("{\"passed\": \"yes\"}"),
        text("```json\n{\"passed\": true}\n```"),
    ])
    .await;
    let runner = runner("mended", &server);
    let outcome = runner.call_json_with("review", json!({ "code": "fn main() {}" }), CallOptions::default());
    let outcome = outcome.await.expect("the third answer fits");
    assert_eq!(outcome.output, json!({ "passed": true }));
    assert_eq!(outcome.usage, Usage { input_tokens: 57, output_tokens: 30 });
    let asked = server.asked();
    let format = &asked[0].body["response_format"]["json_schema"];
    assert_eq!((&format["name"], &format["strict"]), (&json!("review"), &json!(true)));
    let first = &asked[0].body["messages"];
    assert!(first[0]["content"].as_str().is_some_and(|prompt| prompt.starts_with("Review fn main() {}.")));
    assert_eq!(first[1]["content"], "{\"code\":\"fn main() {}\"}");
    let last = &asked[2].body["messages"];
    assert_eq!(last.as_array().map(Vec::len), Some(6));
    assert_eq!(last[4], json!({ "role": "assistant", "content": "{\"passed\": \"yes\"}" }));
    assert!(last[5]["content"].as_str().is_some_and(|content| content.contains("/passed")), "{}", last[5]);
}

// SPEC 7.5: a retryable error costs an attempt
#[tokio::test]
async fn a_rate_limit_costs_an_attempt() {
    let limit = || Reply::failed("429 Too Many Requests", "slow down");
    let server = Server::start([limit(), text("{\"passed\": false}")]).await;
    let output = runner("limit", &server).call_json("review", json!({ "code": "x" })).await;
    assert_eq!(output.expect("the second answer fits"), json!({ "passed": false }));
}

// SPEC 7.5: an error that is not retryable ends the call
#[tokio::test]
async fn a_wrong_key_is_not_tried_twice() {
    let server = Server::start([Reply::failed("401 Unauthorized", "bad key sk-secret-1")]).await;
    let error =
        runner("key", &server).call_json("review", json!({ "code": "x" })).await.expect_err("a refusal");
    assert!(matches!(&error, CallError::Model { source, .. } if !source.is_retryable), "{error}");
    let shown = format!("{error:#?}");
    assert!(shown.contains("HTTP 401 Unauthorized: bad key ***") && !shown.contains("secret"), "{shown}");
    assert_eq!(server.asked().len(), 1);
}

// SPEC 3.7: the optional properties of this repository's skill stay optional
#[tokio::test]
async fn code_review_answers() {
    let answer =
        json!({ "issues": [{ "severity": "high", "message": "m" }], "verdict": "block", "summary": "s" });
    let server = Server::start([text(&answer.to_string())]).await;
    let skills = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
    let layers = LayersBuilder::new().directory(skills).load().expect("the skills are sound");
    let runner: Runner = Runner::from(layers).model(server.model("m"));
    let output = runner.call_json("code_review", json!({ "code": "x" })).await.expect("the answer fits");
    assert_eq!(output, answer);
    let format = &server.first().body["response_format"]["json_schema"];
    assert_eq!((&format["name"], &format["strict"]), (&json!("code_review"), &json!(false)));
}
