//! Tests the limits of SPEC 7.7 for every protocol, with the same attacks on each.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skills_call::model::{Delta, LanguageModel};
use skills_genai::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::server::{Reply, Server, collect, hello};

/// One model for each protocol.
const MODELS: [&str; 5] =
    ["m", "groq::m", "openai_resp::gpt-5", "anthropic::claude-sonnet-4-5", "gemini::gemini-2.5-flash"];

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

/// Returns text as events of a protocol.
fn text(model: &str, text: &str) -> String {
    event(&match protocol(model) {
        "chat" => json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }),
        "responses" => json!({ "type": "response.output_text.delta", "output_index": 0, "delta": text }),
        "anthropic" => json!({ "type": "content_block_delta", "index": 0,
                               "delta": { "type": "text_delta", "text": text } }),
        _ => json!({ "candidates": [{ "content": { "parts": [{ "text": text }] } }] }),
    })
}

fn call(model: &str, index: u64) -> String {
    event(&match protocol(model) {
        "chat" => json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [{
            "index": index, "id": format!("c{index}"), "function": { "name": "look", "arguments": "" } }] } }] }),
        "responses" => json!({ "type": "response.output_item.added", "output_index": index, "item": {
            "type": "function_call", "call_id": format!("c{index}"), "name": "look", "arguments": "" } }),
        "anthropic" => json!({ "type": "content_block_start", "index": index, "content_block": {
            "type": "tool_use", "id": format!("c{index}"), "name": "look", "input": {} } }),
        _ => json!({ "candidates": [{ "content": { "parts": [{ "functionCall": {
            "id": format!("c{index}"), "name": "look", "args": {} } }] } }] }),
    })
}

/// Returns a piece of the arguments of a call. Gemini sends calls as a whole.
fn more(model: &str, index: u64, piece: &str) -> String {
    event(&match protocol(model) {
        "chat" => json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [{
            "index": index, "function": { "arguments": piece } }] } }] }),
        "responses" => json!({ "type": "response.function_call_arguments.delta", "output_index": index,
                               "delta": piece }),
        "anthropic" => json!({ "type": "content_block_delta", "index": index,
                               "delta": { "type": "input_json_delta", "partial_json": piece } }),
        _ => json!({ "candidates": [{ "content": { "parts": [{ "functionCall": {
            "id": format!("c{index}"), "name": "look", "args": { "a": piece } } }] } }] }),
    })
}

fn end(model: &str) -> String {
    match protocol(model) {
        "chat" => "data: [DONE]\n\n".to_owned(),
        "responses" => event(&json!({ "type": "response.completed", "response": { "status": "completed" } })),
        "anthropic" => event(&json!({ "type": "message_stop" })),
        _ => event(&json!({ "candidates": [{ "finishReason": "STOP" }] })),
    }
}

/// Returns a whole answer.
fn whole(model: &str, text: &str, calls: usize, arguments: &str) -> Value {
    let id = |index: usize| format!("c{index}");
    match protocol(model) {
        "chat" => {
            let call =
                |index| json!({ "id": id(index), "function": { "name": "look", "arguments": arguments } });
            let calls: Vec<Value> = (0..calls).map(call).collect();
            json!({ "choices": [{ "message": { "content": text, "tool_calls": calls }, "finish_reason": "stop" }] })
        }
        "responses" => {
            let said = json!({ "type": "message", "content": [{ "type": "output_text", "text": text }] });
            let call = |index| json!({ "type": "function_call", "call_id": id(index), "name": "look", "arguments": arguments });
            let items: Vec<Value> = std::iter::once(said).chain((0..calls).map(call)).collect();
            json!({ "status": "completed", "output": items })
        }
        "anthropic" => {
            let said = json!({ "type": "text", "text": text });
            let call = |index| json!({ "type": "tool_use", "id": id(index), "name": "look", "input": { "a": arguments } });
            let blocks: Vec<Value> = std::iter::once(said).chain((0..calls).map(call)).collect();
            json!({ "content": blocks, "stop_reason": "end_turn" })
        }
        _ => {
            let said = json!({ "text": text });
            let call = |index| json!({ "functionCall": { "id": id(index), "name": "look", "args": { "a": arguments } } });
            let parts: Vec<Value> = std::iter::once(said).chain((0..calls).map(call)).collect();
            json!({ "candidates": [{ "content": { "parts": parts }, "finishReason": "STOP" }] })
        }
    }
}

fn protocol(model: &str) -> &str {
    match model.split_once("::") {
        Some(("openai_resp", _)) => "responses",
        Some((name @ ("anthropic" | "gemini"), _)) => name,
        _ => "chat",
    }
}

async fn streamed(model: &str, events: &str) -> Result<Vec<Delta>, String> {
    let server = Server::start([Reply::events(&format!("{events}{}", end(model)))]).await;
    match collect(&server.model(model), &hello()).await {
        (deltas, None) => Ok(deltas),
        (_, Some(error)) => {
            assert!(!error.is_retryable, "{model}: {error}");
            Err(error.message)
        }
    }
}

async fn answered(model: &str, body: &Value) -> Result<usize, String> {
    let server = Server::start([Reply::json(body)]).await;
    match server.model(model).complete(&hello()).await {
        Ok(answer) => Ok(answer.text.len() + answer.tool_calls.len()),
        Err(error) => {
            assert!(!error.is_retryable, "{model}: {error}");
            Err(error.message)
        }
    }
}

// SPEC 14.16: no number that a server gives makes room for anything
#[tokio::test]
async fn a_call_may_have_any_number() {
    for model in MODELS {
        for number in [u64::from(u32::MAX), u64::MAX] {
            let events = call(model, number) + &more(model, number, "{}");
            let deltas = streamed(model, &events).await.unwrap_or_else(|error| panic!("{model}: {error}"));
            let starts = deltas.iter().filter_map(|delta| match delta {
                Delta::ToolCallStart { index, .. } => Some(*index),
                _ => None,
            });
            let expected: &[usize] = if protocol(model) == "gemini" { &[0, 1] } else { &[0] };
            assert_eq!(starts.collect::<Vec<_>>(), expected, "{model}");
        }
    }
}

// SPEC 14.16
#[tokio::test]
async fn what_is_too_much_in_a_stream_is_an_error() {
    for model in MODELS {
        let calls: String = (0..10_000).map(|index| call(model, index)).collect();
        let arguments = match protocol(model) {
            "gemini" => more(model, 0, &"x".repeat(1 << 20)),
            _ => call(model, 0) + &more(model, 0, &"x".repeat(1 << 19)).repeat(3),
        };
        let values = format!("data: {{\"x\":[{}0]}}\n\n", "{},".repeat(1 << 17));
        let cases = [
            (calls, "the limit of 128 calls"),
            (arguments, "the arguments of a call exceed the limit of 1 MiB"),
            (text(model, &"x".repeat(20 << 20)), "the bytes of an event exceed the limit of 4 MiB"),
            (
                text(model, &"x".repeat(3 << 20)).repeat(6),
                "the bytes of an answer exceed the limit of 16 MiB",
            ),
            (values, "the values of a response exceed the limit of 131072 values"),
        ];
        for (events, words) in cases {
            let error = streamed(model, &events).await.expect_err("too much");
            assert!(error.contains(words), "{model}: {error}");
        }
    }
}

// SPEC 14.16
#[tokio::test]
async fn what_is_too_much_in_an_answer_is_an_error() {
    for model in MODELS {
        let mut values = whole(model, "fine", 0, "");
        values["x"] = Value::Array(vec![json!({}); 1 << 17]);
        let cases = [
            (whole(model, "", 10_000, "{}"), "the limit of 128 calls"),
            (
                whole(model, "", 1, &"x".repeat((1 << 20) + 1)),
                "the arguments of a call exceed the limit of 1 MiB",
            ),
            (
                whole(model, &"x".repeat(17 << 20), 0, ""),
                "the bytes of a response exceed the limit of 16 MiB",
            ),
            (values, "the values of a response exceed the limit of 131072 values"),
        ];
        for (body, words) in cases {
            let error = answered(model, &body).await.expect_err("too much");
            assert!(error.contains(words), "{model}: {error}");
        }
        // Exactly at the limit, with JSON punctuation inside a string.
        let fits = "{[,\\\"".repeat(1 << 18);
        assert_eq!(answered(model, &whole(model, &fits, 128, "{}")).await, Ok(fits.len() + 128), "{model}");
    }
}

// SPEC 14.16: what came is not copied for each piece that comes
#[tokio::test]
async fn many_pieces_take_no_longer_than_one() {
    for model in MODELS.iter().filter(|model| protocol(model) != "gemini") {
        let start = Instant::now();
        let events = call(model, 0) + &more(model, 0, "0123456789").repeat(100_000);
        let deltas = streamed(model, &events).await.expect("they are below every limit");
        assert_eq!(deltas.len(), 100_002);
        // Copying the earlier pieces each time would move 50 GB.
        assert!(start.elapsed() < Duration::from_secs(20), "{model}: {:?}", start.elapsed());
    }
}

/// Starts a server that repeats `piece` without end after a head. Returns a model that uses it.
async fn endless(model: &str, kind: &str, piece: String) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    // Error responses are read only up to a limit.
    let status = if kind == "text/plain" { "500 Internal Server Error" } else { "200 OK" };
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        stream.read_buf(&mut Vec::new()).await.expect("a request");
        stream.write_all(head.as_bytes()).await.expect("it is read");
        while stream.write_all(piece.as_bytes()).await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    Client::builder(model).base_url(url).key("k").build().expect("a model")
}

// SPEC 14.16: an answer without end ends by itself, in whatever it is wrapped
#[tokio::test]
async fn an_endless_answer_ends() {
    for model in MODELS {
        let asked = endless(model, "application/json", " ".repeat(1 << 16)).await;
        let error = asked.complete(&hello()).await.expect_err("too much");
        assert!(error.message.contains("the limit of 16 MiB"), "{model}: {error}");
        let asked = endless(model, "text/event-stream", text(model, &"x".repeat(1 << 18))).await;
        let (_, error) = collect(&asked, &hello()).await;
        let error = error.expect("too much");
        assert!(error.message.contains("the limit of 16 MiB"), "{model}: {error}");
        let asked = endless(model, "text/plain", "x".repeat(1 << 14)).await;
        let error = asked.complete(&hello()).await.expect_err("a failure");
        assert!(error.message.contains("HTTP 500") && error.message.len() < 600, "{model}: {error}");
    }
    let line = format!(": {}\n", "nothing ".repeat(1 << 10)).repeat(8);
    for model in ["m", "anthropic::claude-sonnet-4-5"] {
        let asked = endless(model, "text/event-stream", line.clone()).await;
        let (_, error) = collect(&asked, &hello()).await;
        let error = error.expect("too much");
        assert!(error.message.contains("the bytes of a stream exceed the limit of 256 MiB"), "{error}");
    }
}

// SPEC 14.16, 6.4: a limit of time holds while an answer still comes, and while a failure is told
#[tokio::test]
async fn a_limit_of_time_holds() {
    for model in MODELS {
        let kinds = [
            ("application/json", " "),
            ("text/event-stream", ": nothing\n"),
            ("text/event-stream", "data: {}\n\n"),
        ];
        for (kind, piece) in kinds {
            let asked = endless(model, kind, piece.to_owned()).await;
            let request = hello();
            let answer = async {
                match kind {
                    "application/json" => drop(asked.complete(&request).await),
                    _ => drop(collect(&asked, &request).await),
                }
            };
            let start = Instant::now();
            tokio::time::timeout(Duration::from_millis(100), answer).await.expect_err("it goes on");
            assert!(start.elapsed() < Duration::from_secs(5), "{model}: {:?}", start.elapsed());
        }
    }
}

/// Starts a server that sends `head`, and then repeats `piece` without end.
async fn raw(model: &str, head: &'static str, piece: &'static str) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        stream.read_buf(&mut Vec::new()).await.expect("a request");
        stream.write_all(head.as_bytes()).await.expect("it is read");
        let pieces = piece.repeat(100);
        while stream.write_all(pieces.as_bytes()).await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    Client::builder(model).base_url(url).key("k").build().expect("a model")
}

// SPEC 14.16: what stands around an answer has no end either, and is bounded or ends with the time
#[tokio::test]
async fn an_endless_head_ends() {
    const CHUNKED: &str =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    for (head, piece) in [
        ("HTTP/1.1 200 OK\r\n", "x-a: b\r\n"),
        ("HTTP/1.1 200 OK\r\nx-a: ", "b"),
        ("HTTP/1.1 200 ", "O"),
        (CHUNKED, "0;x=y"),
        (CHUNKED, "f"),
        (
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n0\r\n",
            "x-a: b\r\n",
        ),
    ] {
        let model = raw("anthropic::m", head, piece).await;
        let request = hello();
        let asked = tokio::time::timeout(Duration::from_secs(20), model.complete(&request)).await;
        drop(asked.unwrap_or_else(|_| panic!("{head:?}: it goes on")).expect_err("it is no answer"));
    }
    // The number of interim responses is not limited, but the time limit ends them.
    let model = raw("anthropic::m", "", "HTTP/1.1 100 Continue\r\n\r\n").await;
    let request = hello();
    let asked = tokio::time::timeout(Duration::from_millis(200), model.complete(&request)).await;
    asked.expect_err("it goes on");
}
