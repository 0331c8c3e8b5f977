//! Tests hostile servers: invalid responses must cause an error, without using up memory or time (SPEC 7.7).

use std::time::Duration;

use serde_json::{Value, json};
use skills_call::model::{Delta, Finish, LanguageModel};

use crate::server::{Reply, Server, collect, hello};

fn event(delta: &Value) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }))
}

fn call(index: u64, id: &str, arguments: &str) -> String {
    let function = json!({ "name": "look", "arguments": arguments });
    event(&json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": function }] }))
}

fn more(index: u64, arguments: &str) -> String {
    event(&json!({ "tool_calls": [{ "index": index, "function": { "arguments": arguments } }] }))
}

/// Returns the result of a stream from a server with this protocol.
async fn stream(name: &str, events: &str) -> Result<Vec<Delta>, String> {
    let last = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] });
    let server = Server::start([Reply::events(&format!("{events}data: {last}\n\ndata: [DONE]\n\n"))]).await;
    match collect(&server.model(name), &hello()).await {
        (deltas, None) => Ok(deltas),
        (_, Some(error)) => {
            assert!(!error.is_retryable, "{error}");
            Err(error.message)
        }
    }
}

fn start(index: usize, id: &str) -> Delta {
    Delta::ToolCallStart { index, id: id.to_owned(), name: "look".to_owned() }
}

fn piece(index: usize, text: &str) -> Delta {
    Delta::ToolCallArguments { index, text: text.to_owned() }
}

fn end() -> Delta {
    Delta::End { finish: Finish::ToolCalls, usage: skills_call::model::Usage::default() }
}

// SPEC 7.7: a large index allocates no memory
#[tokio::test]
async fn a_call_may_have_any_index() {
    let last = u64::from(u32::MAX);
    let events = call(last, "a", "") + &more(last, "{}");
    let expected = vec![start(0, "a"), piece(0, "{}"), end()];
    assert_eq!(stream("m", &events).await, Ok(expected));
    let events = call(0, "a", "") + &more(0, "{\"b\"") + &call(1, "c", "{}") + &more(0, ":1}");
    let expected =
        vec![start(0, "a"), piece(0, "{\"b\""), start(1, "c"), piece(1, "{}"), piece(0, ":1}"), end()];
    assert_eq!(stream("groq::m", &events).await, Ok(expected));
}

// SPEC 12.2: calls that all have the index 0 are distinguished by their ids
#[tokio::test]
async fn calls_with_the_same_index_are_separate() {
    let events = call(0, "a", "") + &more(0, "{}") + &call(0, "b", "") + &more(0, "{\"c\":1}");
    let expected = vec![start(0, "a"), piece(0, "{}"), start(1, "b"), piece(1, "{\"c\":1}"), end()];
    assert_eq!(stream("m", &events).await, Ok(expected));
}

// SPEC 12.2: an empty id means the last call, and is not passed on
#[tokio::test]
async fn an_empty_id_means_the_last_call() {
    let last = event(
        &json!({ "tool_calls": [{ "index": 0, "id": "", "function": { "name": "", "arguments": "}" } }] }),
    );
    let expected = vec![start(0, "call_0"), piece(0, "{"), piece(0, "}"), end()];
    assert_eq!(stream("m", &(call(0, "", "{") + &last)).await, Ok(expected));
    // A piece without any call is an error.
    assert!(stream("m", &last).await.is_err());
}

// SPEC 7.7: the provider says when to retry
#[tokio::test]
async fn a_wait_is_passed_on() {
    let cases = [
        ("retry-after: 7", Some(Duration::from_secs(7))),
        ("retry-after-ms: 250", Some(Duration::from_millis(250))),
        ("retry-after: Wed, 21 Oct 2015 07:28:00 GMT", None),
        ("retry-after: -1", None),
        ("retry-after: 1e300", None),
    ];
    for (header, expected) in cases {
        for name in ["m", "openai_resp::m", "anthropic::m", "gemini::m"] {
            let server =
                Server::start([Reply::failed("429 Too Many Requests", "slow down").with(header)]).await;
            let error = server.model(name).complete(&hello()).await.expect_err("a limit");
            assert_eq!(error.retry_after, expected, "{header}");
        }
    }
}

// SPEC 12.4: the source of an error contains no secrets
#[tokio::test]
async fn errors_of_a_lost_connection_contain_no_secrets() {
    let server = Server::start([Reply::cut("text/event-stream", "data: {")]).await;
    let error = server.model("m").complete(&hello()).await.expect_err("cut");
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
}
