//! Tests calls with server-sent events: steps, then the result (SPEC 11.5).
#![cfg(unix)]

use serde_json::{Value, json};
use skills_call::{BoxFuture, Context, Dispatch, Failure};
use skills_http::{Api, Guard};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{Answer, Serving, gone, request, runner, send, serve, skills, started, write};

/// Returns pipelines that fail in their second step, repeat one, and take long.
fn shown() -> tempfile::TempDir {
    let root = skills();
    let pipeline = |name: &str, steps: Value| {
        let skill = json!({
            "name": name, "description": "Runs.", "category": "c", "mode": "composite", "calls": ["double", "fails", "waits"],
            "input": {"type": "object", "properties": {"list": {"type": "array", "items": {"type": "integer"}, "default": [1, 2]}}},
            "output": {"type": "object"}, "pipeline": steps
        });
        (format!("{name}/skill.json"), skill.to_string())
    };
    let code = |name: &str| {
        let any = json!({"type": "object"});
        let skill = json!({"name": name, "description": "Runs.", "category": "c", "mode": "code", "input": any, "output": any});
        (format!("{name}/skill.json"), skill.to_string())
    };
    let files = [
        pipeline(
            "breaks",
            json!([
                {"step": "each", "skill": "double", "foreach": "{{input.list}}", "input": {"n": "{{item}}"}},
                {"step": "rare", "skill": "double", "input": {"n": 1}, "condition": "false"},
                {"step": "bad", "skill": "fails", "input": {}, "depends": ["each"]},
                {"step": "after", "skill": "double", "input": {"n": 1}, "depends": ["bad"]}]),
        ),
        pipeline("dawdles", json!([{"step": "only", "skill": "waits", "input": {}}])),
        code("fails"),
        code("waits"),
        ("fails/SKILL.md".to_owned(), "---\nexec: run\n---\nFails.\n".to_owned()),
        ("fails/run".to_owned(), "#!/bin/sh\necho no luck >&2\nexit 4\n".to_owned()),
        ("waits/SKILL.md".to_owned(), "---\nexec: run\n---\nWaits.\n".to_owned()),
        (
            "waits/run".to_owned(),
            "#!/bin/sh\necho $$ > \"$SKILL_WORKSPACE/pid\"\nsleep 60\necho '{}'\n".to_owned(),
        ),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    write(root.path(), &files);
    root
}

fn head(serving: &Serving, name: &str, body: &str) -> String {
    format!(
        "POST /v1/skills/{name}/call HTTP/1.1\r\nhost: {}\r\nconnection: close\r\naccept: text/event-stream\r\n\
         content-length: {}\r\n\r\n{body}",
        serving.address,
        body.len()
    )
}

/// Calls a skill and returns the answer with its events, each a name and JSON.
async fn call(serving: &Serving, name: &str, body: &str) -> (Answer, Vec<(String, Value)>) {
    let answer = send(serving.address, head(serving, name, body).as_bytes()).await;
    let mut events = Vec::new();
    if answer.head.contains("content-type: text/event-stream") {
        for frame in answer.body.split_terminator("\n\n") {
            let (name, data) =
                frame.strip_prefix("event: ").and_then(|rest| rest.split_once("\ndata: ")).expect("a frame");
            events.push((name.to_owned(), serde_json::from_str(data).expect("JSON in one line")));
        }
    }
    (answer, events)
}

// SPEC 11.5
#[tokio::test]
async fn steps_are_sent_and_then_the_output() {
    let root = shown();
    let serving = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let (answer, events) = call(&serving, "chain", r#"{"input": {"n": 1}}"#).await;
    assert_eq!(answer.status, 200);
    let (last, before) = events.split_last().expect("events");
    assert_eq!(*last, ("output".to_owned(), json!({"output": {"said": "twice"}})));
    assert!(before.iter().all(|(name, _)| name == "steps"), "{before:?}");
    // All steps are known when the first one begins.
    let first = json!({"steps": [{"step": "chain.one", "state": "running"}, {"step": "chain.two", "state": "waiting"}]});
    assert_eq!(before.first().expect("an event").1, first);
    let done =
        json!({"steps": [{"step": "chain.one", "state": "done"}, {"step": "chain.two", "state": "done"}]});
    assert_eq!(before.last().expect("an event").1, done);
    // A call without steps has only an output.
    let (_, events) = call(&serving, "double", r#"{"input": {"n": 1}}"#).await;
    assert_eq!(events, [("output".to_owned(), json!({"output": {"said": "twice"}}))]);
}

// SPEC 11.5, 11.2
#[tokio::test]
async fn a_failure_has_a_status_before_the_first_step_and_an_event_after_it() {
    let root = shown();
    let serving = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let (answer, events) = call(&serving, "breaks", "").await;
    assert_eq!(answer.status, 200);
    let (last, before) = events.split_last().expect("events");
    assert_eq!(
        (last.0.as_str(), &last.1["error"], &last.1["status"]),
        ("problem", &json!("call_failed"), &json!(500))
    );
    assert!(last.1["detail"].as_str().is_some_and(|detail| detail.contains("no luck")), "{last:?}");
    let steps = json!([
        {"step": "breaks.each", "state": "done"}, {"step": "breaks.rare", "state": "skipped"},
        {"step": "breaks.bad", "state": "failed"}, {"step": "breaks.after", "state": "waiting"}]);
    assert_eq!(before.last().expect("an event").1["steps"], steps);
    let received = before.iter().map(|(_, data)| data.to_string()).collect::<String>();
    assert!(received.contains("1 of 2"), "{received}");

    for (name, body, status, code) in [
        ("chain", r#"{"input": {"n": "x"}}"#, 400, "invalid_input"),
        ("chain", "{", 400, "invalid_json"),
        ("none", "", 404, "not_found"),
        ("review", r#"{"input": {"code": "x"}}"#, 503, "no_model"),
        ("fails", "", 500, "call_failed"),
    ] {
        let (answer, _) = call(&serving, name, body).await;
        assert_eq!((answer.status, answer.json()["error"].as_str()), (status, Some(code)), "{name}");
    }
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    assert_eq!(call(&serving, "chain", "").await.0.status, 403);
}

struct Panics;

#[allow(clippy::panic, reason = "the panic is what is tested")]
impl Dispatch for Panics {
    fn call<'a>(
        &'a self,
        skill: &str,
        _: String,
        _: &'a Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
        (skill == "double")
            .then(|| -> BoxFuture<'a, Result<String, Failure>> { Box::pin(async { panic!("it is broken") }) })
    }
}

// SPEC 6.4, 11.2
#[tokio::test]
async fn a_panic_of_a_host_function_is_answered() {
    let root = shown();
    let serving = serve(Api::new(runner(root.path()).host(Panics)).enable_exec(), Guard::new()).await;
    let answer = request(serving.address, "POST", "/v1/skills/double/call", r#"{"input": {"n": 1}}"#).await;
    assert_eq!((answer.status, &answer.json()["error"]), (500, &json!("call_failed")));
    assert!(answer.body.contains("failed: it panicked"), "{}", answer.body);
}

// SPEC 11.5, 11.2
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_call_ends_when_its_client_disconnects() {
    let root = shown();
    let workspace = tempfile::tempdir().expect("a directory");
    let api = Api::new(runner(root.path())).enable_exec().workspace(workspace.path());
    let serving = serve(api, Guard::new()).await;
    let mut stream = TcpStream::connect(serving.address).await.expect("it listens");
    stream.write_all(head(&serving, "dawdles", "").as_bytes()).await.expect("it reads");
    // The first step is reported while it runs.
    let mut read = String::new();
    while !read.contains("running") {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).await.expect("it answers");
        assert_ne!(count, 0, "{read}");
        read.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    let pid = started(workspace.path()).await;
    drop(stream);
    gone(&pid).await;
}
