//! `--otlp`: a real receiver of OpenTelemetry gets calls over HTTP and MCP, decoded by the protocol's own classes.
#![cfg(all(unix, feature = "mcp", feature = "model", feature = "otlp", feature = "serve"))]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

mod receiver;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use receiver::{Receiver, Span, attribute};

use crate::child::{kill, until_gone};
use crate::command::{Place, Run};
use crate::provider::Provider;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CLIENT: &str = "00f067aa0ba902b7";
/// A busy machine may take longer than a command waits by default.
const TIMEOUT: &str = "OTEL_EXPORTER_OTLP_TIMEOUT";
const LONG_TIMEOUT: &str = "60000";

fn place() -> Place {
    let any = r#"{"type": "object"}"#;
    let skill = |name: &str, mode: &str, more: &str| {
        format!(
            r#"{{"name": "{name}", "description": "Is {name}.", "category": "c", "mode": "{mode}", "input": {any}, "output": {any}{more}}}"#
        )
    };
    let steps = r#", "calls": ["count", "tell"], "pipeline": [
        {"step": "first", "skill": "count", "input": {"text": "{{input.text}}"}},
        {"step": "second", "skill": "tell", "input": {"of": "{{steps.first}}"}}],
        "outputMapping": {"counted": "{{steps.first}}", "told": "{{steps.second}}"}"#;
    Place::new(&[
        ("s/count/skill.json", &skill("count", "code", "")),
        ("s/count/SKILL.md", "---\nexec: run.sh\n---\n"),
        ("s/count/run.sh", "#!/bin/sh\nprintf '{\"parent\": \"%s\"}' \"$TRACEPARENT\"\n"),
        ("s/tell/skill.json", &skill("tell", "llm", "")),
        ("s/tell/prompt.md", "Tell.\n"),
        ("s/report/skill.json", &skill("report", "composite", steps)),
        ("s/fails/skill.json", &skill("fails", "code", "")),
        ("s/fails/SKILL.md", "---\nexec: run.sh\n---\n"),
        ("s/fails/run.sh", "#!/bin/sh\necho s3cret >&2\nexit 4\n"),
    ])
}

/// The tree below a span, each node with its name and its children in the order in which they began.
fn tree(spans: &[Span], root: &str) -> Value {
    let mut children: Vec<&Span> = spans.iter().filter(|span| span.parent() == root).collect();
    children.sort_by_key(|span| span.0["startTimeUnixNano"].as_str().unwrap().to_owned());
    children.iter().map(|span| json!({"name": span.name(), "children": tree(spans, span.id())})).collect()
}

fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    spans.iter().find(|span| span.name() == name).expect(name)
}

fn leaf(name: &str) -> Value {
    json!({"name": name, "children": []})
}

/// The spans of a call of the pipeline.
fn pipeline() -> Value {
    json!({"name": "invoke_workflow report", "children": [
        {"name": "execute_tool count", "children": [leaf("run.sh")]},
        {"name": "execute_tool tell", "children": [leaf("chat tiny")]}
    ]})
}

fn post(address: &str, path: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

// SPEC 20.1, 20.3, 20.4, 20.5
#[test]
#[ignore = "needs python3 and pip"]
fn a_call_over_http_is_one_tree_in_a_receiver() {
    let receiver = Receiver::start();
    let (place, model) = (place(), Provider::start(&[r#"{"text": "s3cret"}"#]));
    let mut command = place.command(&["serve", "s", "--bind", "127.0.0.1:0", "--enable-exec"]);
    command
        .args(["--model", "tiny", "--base-url", &model.url, "--otlp", &receiver.url])
        .env(TIMEOUT, LONG_TIMEOUT);
    let mut serving = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(serving.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("http://").unwrap();
    let client = format!("traceparent: 00-{TRACE}-{CLIENT}-01\r\ntracestate: vendor=1\r\n");
    let answer = post(address, "/v1/skills/report/call", &client, r#"{"input": {"text": "s3cret"}}"#);
    let output: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}"));
    post(address, "/v1/skills/fails/exec", "", "{\"input\": {}}");
    kill("TERM", &serving.id().to_string());
    until_gone(&serving.id().to_string());
    serving.wait().unwrap();
    let spans = receiver.spans();
    let ours: Vec<Span> = spans.iter().filter(|span| span.0["traceId"] == TRACE).cloned().collect();
    let expected = json!([{"name": "POST /v1/skills/{name}/call", "children": [pipeline()]}]);
    assert_eq!(tree(&ours, CLIENT), expected, "one tree below the span of the client");
    assert_eq!(ours.len(), 6);
    // The program got its own span, and the trace state of the client is passed on.
    let program = named(&ours, "run.sh");
    assert_eq!(output["output"]["counted"]["parent"], format!("00-{TRACE}-{}-01", program.id()));
    assert_eq!(program.0["traceState"], "vendor=1");
    let chat = named(&ours, "chat tiny");
    let chat_attribute = |key: &str| chat.attribute(key);
    assert_eq!(
        ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model"].map(chat_attribute),
        [json!("chat"), json!("openai"), json!("tiny")]
    );
    assert_eq!(chat_attribute("gen_ai.response.finish_reasons"), json!([{"stringValue": "stop"}]));
    assert_eq!(
        (chat_attribute("gen_ai.usage.input_tokens"), chat_attribute("gen_ai.usage.output_tokens")),
        (json!("3"), json!("2"))
    );
    assert_eq!(chat.0["kind"], "SPAN_KIND_CLIENT");
    let server = named(&ours, "POST /v1/skills/{name}/call");
    assert_eq!(
        (&server.0["kind"], server.attribute("http.response.status_code")),
        (&json!("SPAN_KIND_SERVER"), json!("200"))
    );
    assert_eq!(program.attribute("process.exit.code"), "0");
    // A failure has a kind, and no text.
    let failed = named(&spans, "execute_tool fails run.sh");
    assert_eq!(
        (failed.attribute("error.type"), &failed.0["status"]["code"]),
        (json!("4"), &json!("STATUS_CODE_ERROR"))
    );
    assert_ne!(failed.0["traceId"], TRACE);
    assert!(!receiver.everything().contains("s3cret"), "payloads are never sent");
    assert!(
        receiver.everything().contains(r#""service.name""#) && receiver.everything().contains("\"skills\"")
    );

    let metrics = receiver.metrics();
    let points = |name: &str| -> Vec<Value> {
        let found = metrics.iter().filter(|metric| metric["name"] == name);
        found
            .flat_map(|metric| metric["histogram"]["dataPoints"].as_array().cloned().unwrap_or_default())
            .collect()
    };
    let tokens = points("gen_ai.client.token.usage");
    let of = |kind: &str| {
        tokens.iter().find(|point| attribute(point, "gen_ai.token.type") == kind).unwrap()["sum"].clone()
    };
    assert_eq!((of("input"), of("output")), (json!(3.0), json!(2.0)));
    assert_eq!(points("gen_ai.client.operation.duration").len(), 1);
    assert_eq!(points("gen_ai.invoke_agent.duration").len(), 1);
    let failures = points("gen_ai.execute_tool.duration");
    assert!(failures.iter().any(|point| attribute(point, "error.type") == "4"), "{failures:?}");
}

// SPEC 20.2, 20.3: the request has its trace parent, and a call the attributes of its skill
#[test]
#[ignore = "needs python3 and pip"]
fn a_call_over_mcp_is_part_of_its_clients_trace() {
    let receiver = Receiver::start();
    let (place, model) = (place(), Provider::start(&[]));
    drop(model);
    let mut command = place.command(&["mcp", "s", "--on-demand"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.url).env("OTEL_SERVICE_NAME", "agent");
    command.env(TIMEOUT, LONG_TIMEOUT);
    let mut serving = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(serving.stdout.take().unwrap()).lines();
    let mut input = serving.stdin.take().unwrap();
    let mut say = |message: Value| writeln!(input, "{message}").unwrap();
    say(
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}),
    );
    lines.next().unwrap().unwrap();
    say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let meta = json!({"traceparent": format!("00-{TRACE}-{CLIENT}-01")});
    say(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "count", "arguments": {"text": "s3cret"}, "_meta": meta}}));
    let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    say(json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": "search_skills", "arguments": {"query": "s3cret count"}}}));
    let found: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(found["result"]["structuredContent"]["skills"][0]["name"], "count", "{found}");
    drop(input);
    serving.wait().unwrap();

    let spans = receiver.spans();
    let ours: Vec<Span> = spans.iter().filter(|span| span.0["traceId"] == TRACE).cloned().collect();
    let expected = json!([{"name": "tools/call count", "children": [
        {"name": "execute_tool count", "children": [leaf("run.sh")]}]}]);
    assert_eq!(tree(&ours, CLIENT), expected);
    let parent = format!("00-{TRACE}-{}-01", named(&ours, "run.sh").id());
    assert_eq!(answer["result"]["structuredContent"]["parent"], parent);
    let tool = named(&ours, "execute_tool count");
    assert_eq!(
        (tool.attribute("gen_ai.skill.name"), tool.attribute("gen_ai.tool.type")),
        (json!("count"), json!("function"))
    );
    named(&spans, "execute_tool search_skills");
    assert!(!receiver.everything().contains("s3cret") && receiver.everything().contains("\"agent\""));
}

// SPEC 20.3, 20.4
#[test]
#[ignore = "needs python3 and pip"]
fn a_command_continues_the_trace_of_its_caller() {
    let receiver = Receiver::start();
    let place = place();
    let run = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.args(["--dir", "s", "--input", "{}", "--otlp", &receiver.url]);
        Run::of(command.env("TRACEPARENT", format!("00-{TRACE}-{CLIENT}-01")).env(TIMEOUT, LONG_TIMEOUT))
    };
    let (call, exec) = (run(&["call", "count"]), run(&["exec", "count"]));
    assert_eq!((call.code, &*call.err), (0, ""));
    assert_eq!((exec.code, &*exec.err), (0, ""));
    let spans = receiver.spans();
    let expected = json!([
        {"name": "execute_tool count", "children": [leaf("run.sh")]},
        leaf("execute_tool count run.sh")
    ]);
    assert_eq!(tree(&spans, CLIENT), expected);
    assert!(exec.out.contains(named(&spans, "execute_tool count run.sh").id()), "{}", exec.out);
    // Without a collector the command does its work, and reports that once.
    let mut command = place.command(&["call", "count", "--dir", "s", "--otlp", "http://127.0.0.1:9"]);
    let alone = Run::of(&mut command);
    assert_eq!(
        (alone.code, alone.err.matches("traces cannot be sent to http://127.0.0.1:9").count()),
        (0, 1),
        "{}",
        alone.err
    );
    let wrong = place.run(&["call", "count", "--dir", "s", "--otlp", "not an address"]);
    assert_eq!(wrong.code, 2, "{}", wrong.err);
}

/// A collector that gives each request this answer after a delay, and then repeats `more` while the client reads. Returns its address,
/// how many requests came, and how many bytes they took.
fn collector(
    head: &'static str,
    more: &'static [u8],
    delay: Duration,
) -> (String, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (requests, bytes) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (Arc::clone(&requests), Arc::clone(&bytes));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map(Result::unwrap) {
            let (requests, bytes) = (Arc::clone(&counts.0), Arc::clone(&counts.1));
            std::thread::spawn(move || {
                let mut read = BufReader::new(stream.try_clone().unwrap());
                loop {
                    let (mut length, mut line) = (0, String::new());
                    while read.read_line(&mut line).unwrap_or(0) > 2 {
                        let lower = line.to_ascii_lowercase();
                        length = lower
                            .strip_prefix("content-length: ")
                            .map_or(length, |n| n.trim().parse().unwrap());
                        line.clear();
                    }
                    if line.is_empty() || read.read_exact(&mut vec![0; length]).is_err() {
                        return;
                    }
                    requests.fetch_add(1, Ordering::SeqCst);
                    std::thread::sleep(delay);
                    let mut written = stream.write_all(head.as_bytes());
                    while !more.is_empty() && written.is_ok() {
                        bytes.fetch_add(more.len(), Ordering::SeqCst);
                        written = stream.write_all(more);
                    }
                }
            });
        }
    });
    (url, requests, bytes)
}

// SPEC 20.4: at most 64 KiB of an endless answer are read, plus the socket buffers
#[test]
fn an_answer_without_an_end_is_not_read() {
    let (url, requests, bytes) = collector("HTTP/1.1 200 OK\r\n\r\n", &[b'a'; 1 << 16], Duration::ZERO);
    let place = place();
    let run = Run::of(
        place
            .command(&["call", "count", "--dir", "s", "--input", "{}", "--otlp", &url])
            .env(TIMEOUT, LONG_TIMEOUT),
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.err.matches("it answers with more than 65536 bytes").count(), 1, "{}", run.err);
    let (requests, bytes) = (requests.load(Ordering::SeqCst), bytes.load(Ordering::SeqCst));
    assert_eq!(requests, 2, "spans and metrics, each once");
    assert!(bytes < 64 << 20, "{bytes} bytes were taken");
}

// SPEC 20.4: a slow collector gets the time that the user sets
#[test]
fn a_slow_collector_gets_the_configured_time() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    let (url, requests, _) = collector(head, b"", Duration::from_secs(2));
    let place = place();
    let mut command = place.command(&["call", "count", "--dir", "s", "--input", "{}", "--otlp", &url]);
    let run = Run::of(command.env(TIMEOUT, LONG_TIMEOUT));
    assert_eq!((run.code, run.err.contains("cannot be sent")), (0, false), "{}", run.err);
    assert_eq!(requests.load(Ordering::SeqCst), 2, "spans and metrics, each once");
}

// SPEC 20.4: data that a collector cannot take now is not sent again
#[test]
fn a_busy_collector_gets_one_request() {
    let head = "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n";
    let (url, requests, _) = collector(head, b"", Duration::ZERO);
    let place = place();
    let run = Run::of(
        place
            .command(&["call", "count", "--dir", "s", "--input", "{}", "--otlp", &url])
            .env(TIMEOUT, LONG_TIMEOUT),
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.err.matches("it answers 503").count(), 1, "{}", run.err);
    assert_eq!(requests.load(Ordering::SeqCst), 2, "spans and metrics, each once");
}
