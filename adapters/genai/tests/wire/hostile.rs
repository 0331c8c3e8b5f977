//! A server that sends what no server should: it costs an error, not the memory or the time of the program (SPEC 7.7).

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skills_genai::Client;
use skills_runtime::model::{Delta, Finish, LanguageModel};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

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

/// What comes of a stream at a server with this protocol.
async fn stream(name: &str, events: &str) -> Result<Vec<Delta>, String> {
    let server = Server::start([Reply::events(&format!("{events}data: [DONE]\n\n"))]).await;
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
    Delta::End { finish: Finish::ToolCalls, usage: skills_runtime::model::Usage::default() }
}

// SPEC 7.7: no index makes room for anything
#[tokio::test]
async fn a_call_may_have_any_number() {
    let last = u64::from(u32::MAX);
    let events = call(last, "a", "") + &more(last, "{}");
    let expected = vec![start(0, "a"), piece(0, "{}"), end()];
    assert_eq!(stream("m", &events).await, Ok(expected));
    let events = call(u64::MAX, "a", "{}");
    assert_eq!(stream("m", &events).await, Ok(vec![start(0, "a"), piece(0, "{}"), end()]));
    // A protocol like OpenAI's, by genai.
    assert_eq!(
        stream("groq::m", &call(last, "a", "{}")).await,
        Ok(vec![start(0, "a"), piece(0, "{}"), end()])
    );
    let error =
        stream("groq::m", &(call(last, "a", "") + &more(last, "{}"))).await.expect_err("it fits no call");
    assert!(error.contains("do not fit together"), "{error}");
    let events = call(0, "a", "") + &more(0, "{\"b\"") + &call(1, "c", "{}") + &more(0, ":1}");
    let expected =
        vec![start(0, "a"), piece(0, "{\"b\""), start(1, "c"), piece(1, "{}"), piece(0, ":1}"), end()];
    assert_eq!(stream("groq::m", &events).await, Ok(expected));
}

// SPEC 12.2: calls that are all given the number 0 are told apart by their ids
#[tokio::test]
async fn calls_with_one_number_stay_apart() {
    let events = call(0, "a", "") + &more(0, "{}") + &call(0, "b", "") + &more(0, "{\"c\":1}");
    let expected = vec![start(0, "a"), piece(0, "{}"), start(1, "b"), piece(1, "{\"c\":1}"), end()];
    assert_eq!(stream("m", &events).await, Ok(expected));
}

// SPEC 7.7
#[tokio::test]
async fn what_is_too_much_is_an_error() {
    let calls: String = (0..129).map(|index| call(index, &format!("c{index}"), "{}")).collect();
    let long = "x".repeat(1 << 20);
    let arguments = call(0, "a", &long) + &more(0, "x");
    let line = event(&json!({ "content": "x".repeat(20 << 20) }));
    let answer = event(&json!({ "content": "x".repeat(3 << 20) })).repeat(6);
    let cases = [
        (&calls, "the limit of 128 calls"),
        (&arguments, "the arguments of a call exceed the limit of 1 MiB"),
        (&line, "the bytes of an event exceed the limit of 4 MiB"),
        (&answer, "the bytes of an answer exceed the limit of 16 MiB"),
    ];
    for (events, words) in cases {
        let error = stream("m", events).await.expect_err("too much");
        assert!(error.contains(words), "{error}");
    }
    // A protocol like OpenAI's, by genai.
    let error = stream("groq::m", &calls).await.expect_err("too much");
    assert!(error.contains("the limit of 128 calls"), "{error}");
    let body =
        json!({ "choices": [{ "message": { "content": "x".repeat(17 << 20) }, "finish_reason": "stop" }] });
    let server = Server::start([Reply::json(&body)]).await;
    let error = server.model("m").complete(&hello()).await.expect_err("too much");
    assert!(error.message.contains("the bytes of a response exceed the limit of 16 MiB"), "{error}");
}

// SPEC 7.7: what came is not copied for each piece that comes
#[tokio::test]
async fn many_pieces_take_no_longer_than_one() {
    let start = Instant::now();
    let events = call(0, "a", "") + &more(0, "0123456789").repeat(100_000);
    let deltas = stream("m", &events).await.expect("they are below every limit");
    assert_eq!(deltas.len(), 100_002);
    // Copying what came before would move 50 GB.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

// SPEC 7.7, 6.4: a limit of time holds while an answer still comes
#[tokio::test]
async fn an_endless_answer_ends_in_time() {
    for kind in ["application/json", "text/event-stream"] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            stream.read_buf(&mut Vec::new()).await.expect("a request");
            let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await.expect("it is read");
            while stream.write_all(b": nothing\n").await.is_ok() {
                tokio::task::yield_now().await;
            }
        });
        let model = Client::builder("m").base_url(url).key("k").build().expect("a model");
        let request = hello();
        let asked = async {
            match kind {
                "application/json" => drop(model.complete(&request).await),
                _ => drop(collect(&model, &request).await),
            }
        };
        tokio::time::timeout(Duration::from_millis(100), asked).await.expect_err("it goes on");
    }
}

// SPEC 7.7: the provider says when to come again
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
        for name in ["m", "anthropic::claude-sonnet-4-5"] {
            let server =
                Server::start([Reply::failed("429 Too Many Requests", "slow down").with(header)]).await;
            let error = server.model(name).complete(&hello()).await.expect_err("a limit");
            assert_eq!(error.retry_after, expected, "{header}");
        }
    }
}

// SPEC 12.4: what lies behind an error tells no secrets
#[tokio::test]
async fn a_lost_connection_is_the_source() {
    let server = Server::start([Reply::cut("application/json", "{")]).await;
    let error = server.model("m").complete(&hello()).await.expect_err("cut");
    let shown = format!("{error:?} {}", std::error::Error::source(&error).expect("a source"));
    assert!(!shown.contains("secret"), "{shown}");
}
