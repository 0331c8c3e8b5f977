//! Tests the limits of SPEC 7.7 for every protocol, with the same attacks on each.

use std::time::Duration;

use serde_json::{Value, json};
use skills_call::model::{Delta, LanguageModel};
use skills_genai::Genai;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::server::{Reply, Server, collect, hello};

/// One model for each protocol.
const MODELS: [&str; 5] =
    ["m", "groq::m", "openai_resp::gpt-5", "anthropic::claude-sonnet-4-5", "gemini::gemini-2.5-flash"];

fn event(data: &Value) -> String {
    // Anthropic's events have a name, which is their type.
    let name = data["type"].as_str().unwrap_or("message");
    format!("event: {name}\ndata: {data}\n\n")
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
        "chat" => {
            event(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }))
                + "data: [DONE]\n\n"
        }
        "responses" => event(
            &json!({ "type": "response.completed", "response": { "id": "r", "model": "m", "status": "completed" } }),
        ),
        "anthropic" => {
            event(&json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }))
                + &event(&json!({ "type": "message_stop" }))
        }
        _ => event(&json!({ "candidates": [{ "finishReason": "STOP" }] })),
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

// SPEC 14.16: a number from the server allocates no memory
#[tokio::test]
async fn a_call_may_have_any_index() {
    for model in MODELS {
        for number in [5, u64::from(u32::MAX)] {
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
async fn too_large_answers_are_errors() {
    for model in MODELS {
        // A call of the Responses API is only known to genai's reader until its arguments come.
        let calls: String = (0..1000).map(|index| call(model, index) + &more(model, index, "{}")).collect();
        let arguments = match protocol(model) {
            "gemini" => more(model, 0, &"x".repeat(1 << 20)),
            _ => call(model, 0) + &more(model, 0, &"x".repeat(1 << 19)).repeat(3),
        };
        let cases = [
            (calls, "the limit of 128 calls"),
            (arguments, "the arguments of a call exceed the limit of 1 MiB"),
        ];
        for (events, words) in cases {
            let error = streamed(model, &events).await.expect_err("too much");
            assert!(error.contains(words), "{model}: {error}");
        }
    }
}

// SPEC 14.16: received text is not copied again for each new piece
#[tokio::test]
async fn many_pieces_cost_no_more_than_one() {
    // genai copies the arguments of the other protocols for each piece.
    for model in MODELS.iter().filter(|model| protocol(model) == "chat") {
        let events = call(model, 0) + &more(model, 0, "0123456789").repeat(5_000);
        let deltas = streamed(model, &events).await.expect("they are below every limit");
        assert_eq!(deltas.len(), 5_002);
        let bytes = deltas.iter().map(|delta| match delta {
            Delta::ToolCallArguments { text, .. } => text.len(),
            _ => 0,
        });
        assert_eq!(bytes.sum::<usize>(), 50_000, "{model}: each piece has only its own text");
    }
}

/// Starts a server that repeats `piece` without end after a head. Returns a model that uses it.
async fn endless(model: &str, kind: &str, piece: String) -> Genai {
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
    Genai::builder(model).base_url(url).key("k").build().expect("a model")
}

// SPEC 14.16: an endless answer is ended
#[tokio::test]
async fn an_endless_answer_ends() {
    for model in MODELS {
        let asked = endless(model, "text/event-stream", text(model, &"x".repeat(1 << 13)))
            .await
            .with_timeout(Duration::from_secs(600));
        let error = asked.complete(&hello()).await.expect_err("too much");
        assert!(error.message.contains("the limit of 16 MiB"), "{model}: {error}");
    }
}

// SPEC 14.16: a body that genai reads without a limit ends at the time limit
#[tokio::test]
async fn a_time_limit_ends_every_answer() {
    for (kind, piece) in [("text/plain", "x"), ("text/event-stream", "x"), ("text/event-stream", ": x\n\n")] {
        let asked = endless("m", kind, piece.to_owned()).await.with_timeout(Duration::from_millis(200));
        let error = asked.complete(&hello()).await.expect_err("no time");
        assert!(error.is_retryable && error.message.ends_with(": timed out"), "{error}");
    }
}

// SPEC 14.16, 7.11: an endless event, which genai reads without yielding, still ends at the time limit
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_time_limit_ends_an_endless_event() {
    for model in MODELS {
        let asked = endless(model, "text/event-stream", "x".repeat(1 << 16)).await;
        let asked = asked.with_timeout(Duration::from_millis(200));
        let error = asked.complete(&hello()).await.expect_err("no time");
        assert!(error.message.ends_with(": timed out"), "{model}: {error}");
    }
}

// SPEC 14.16, 6.4: the time limit holds while an answer or an error message still arrives
#[tokio::test]
async fn time_limits_are_kept() {
    for model in MODELS {
        for piece in [" ".to_owned(), ": nothing\n".to_owned(), text(model, "")] {
            let asked = endless(model, "text/event-stream", piece).await;
            let request = hello();
            let answer = async { drop(collect(&asked, &request).await) };
            // The limit is only noticed if the reader yields now and then.
            tokio::time::timeout(Duration::from_millis(100), answer).await.expect_err("it goes on");
        }
    }
}

/// Starts a server that sends `head`, and then repeats `piece` without end.
async fn raw(model: &str, head: &'static str, piece: &'static str) -> Genai {
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
    Genai::builder(model).base_url(url).key("k").build().expect("a model")
}

// SPEC 14.16: endless headers and other data around an answer are bounded in size or time
#[tokio::test]
async fn endless_headers_end() {
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
        drop(asked.unwrap_or_else(|_| panic!("{head:?}: it goes on")).expect_err("it is not an answer"));
    }
    // The number of interim responses is not limited, but the time limit ends them.
    let model = raw("anthropic::m", "", "HTTP/1.1 100 Continue\r\n\r\n").await;
    let request = hello();
    let asked = tokio::time::timeout(Duration::from_millis(200), model.complete(&request)).await;
    asked.expect_err("it goes on");
}
