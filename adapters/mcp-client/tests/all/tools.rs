//! Skills of mode `mcp`, called through connections to the example program `mcp_peer`.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use skills_call::mcp::{ToolDefinition, ToolServer, ToolServers};
use skills_call::trace::TraceContext;
use skills_call::{CallError, CallOptions, Event, Runner};
use skills_load::LayersBuilder;
use skills_mcp_client::{Approved, Connection, Options, Servers};

use crate::support::{address, log, until};

/// Writes a skill for the tool of a peer, as its definition is now.
async fn pin(root: &Path, servers: &Servers, tool: &str) {
    let defined: std::sync::Arc<ToolDefinition> =
        servers.definition(ToolServer { text: "peer", directory: None }, tool).await.expect("a tool");
    let manifest = json!({
        "name": tool, "description": defined.description, "category": "test", "mode": "mcp",
        "mcp": {"server": "peer", "tool": tool, "digest": defined.digest()},
        "input": defined.input, "output": defined.output, "timeout": 2000,
    });
    let directory = root.join(tool);
    std::fs::create_dir_all(&directory).expect("a directory");
    std::fs::write(directory.join("skill.json"), manifest.to_string()).expect("a file");
}

async fn play(root: &Path, name: &str, tool: &str) -> (Runner, Servers) {
    let path = root.join("log");
    let peer = Connection::new(
        Approved::typed(address(&["play", name, path.to_str().expect("UTF-8")])),
        Options::default(),
    );
    let servers = Servers::default().named([("peer".to_owned(), peer)]);
    pin(&root.join("skills"), &servers, tool).await;
    let layers = LayersBuilder::new().directory(root.join("skills")).load().expect("skills");
    (Runner::from(layers).mcp(servers.clone()), servers)
}

fn count(root: &Path, line: &str) -> usize {
    log(&root.join("log")).iter().filter(|other| *other == line).count()
}

// SPEC 6.14, 6.15
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_changes_a_tool_after_it_was_pinned_is_not_called() {
    let root = tempfile::tempdir().expect("a directory");
    let (runner, _) = play(root.path(), "changes", "add").await;
    assert_eq!(runner.call_json("add", json!({"a": 1})).await.expect("a sum"), json!({"sum": 3}));
    assert_eq!(count(root.path(), "tools/list"), 1, "the list of the pin is still fresh");
    // The server says that its list has changed after the answer.
    let mut error = None;
    for _ in 0..400 {
        match runner.call_json("add", json!({"a": 1})).await {
            Ok(_) => tokio::time::sleep(Duration::from_millis(25)).await,
            Err(found) => {
                error = Some(found);
                break;
            }
        }
    }
    let error = error.expect("the change is noticed");
    assert!(matches!(&error, CallError::ToolChanged { changes, .. } if changes.len() == 1), "{error}");
    assert!(error.to_string().contains("Adds, and reads your mail."), "{error}");
    let calls = count(root.path(), "tools/call");
    runner.call_json("add", json!({"a": 1})).await.expect_err("still changed");
    assert_eq!(count(root.path(), "tools/call"), calls, "nothing more is sent");
}

// SPEC 6.16
#[tokio::test(flavor = "multi_thread")]
async fn progress_and_the_trace_are_passed_and_the_limit_cancels() {
    let root = tempfile::tempdir().expect("a directory");
    let (runner, _) = play(root.path(), "progress", "any").await;
    let (sender, reports) = std::sync::mpsc::channel();
    let trace =
        TraceContext::new("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", None).expect("one");
    let options = CallOptions::default().trace(trace.clone()).on_event(move |event: &Event| {
        if let Event::ToolProgress { progress, .. } = event {
            sender.send(*progress).ok();
        }
    });
    runner.call_text("any", "{}", options).await.expect("an answer");
    assert_eq!(reports.try_iter().collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    assert_eq!(count(root.path(), trace.parent()), 1);

    let root = tempfile::tempdir().expect("a directory");
    let (runner, _) = play(root.path(), "silent", "any").await;
    let error = runner.call_json("any", json!({})).await.expect_err("no answer");
    assert!(matches!(error, CallError::Timeout { .. }), "{error}");
    until("the request is cancelled", || count(root.path(), "notifications/cancelled") == 1).await;
}

// SPEC 6.16
#[tokio::test(flavor = "multi_thread")]
async fn sampling_and_elicitation_are_refused() {
    let root = tempfile::tempdir().expect("a directory");
    let (runner, _) = play(root.path(), "asks", "any").await;
    runner.call_json("any", json!({})).await.expect("an answer");
    until("all are refused", || count(root.path(), "answer error -32601") == 3).await;
    let root = tempfile::tempdir().expect("a directory");
    let (runner, _) = play(root.path(), "input-required", "any").await;
    let error = runner.call_json("any", json!({})).await.expect_err("refused").to_string();
    assert!(error.contains("asked for input"), "{error}");
}

// SPEC 6.17
#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_polled_to_its_result_and_cancelled_with_the_call() {
    let root = tempfile::tempdir().expect("a directory");
    let (runner, _) = play(root.path(), "task", "any").await;
    assert_eq!(runner.call_json("any", json!({})).await.expect("a result"), json!({"text": "done"}));
    assert_eq!(count(root.path(), "tasks/get"), 2);

    let root = tempfile::tempdir().expect("a directory");
    let (runner, _) = play(root.path(), "endless-task", "any").await;
    let error = runner.call_json("any", json!({})).await.expect_err("no result");
    assert!(matches!(error, CallError::Timeout { .. }), "{error}");
    assert!((1..=20).contains(&count(root.path(), "tasks/get")), "at most every 100 ms");
    until("the task is cancelled", || count(root.path(), "tasks/cancel") == 1).await;
}

// SPEC 6.14
#[tokio::test]
async fn a_name_without_a_server_is_an_error() {
    let server = ToolServer { text: "tracker", directory: None };
    let error = Servers::default().definition(server, "any").await.expect_err("unknown").to_string();
    assert!(error.contains("no server with the name `tracker` is known"), "{error}");
}

// SPEC 22.10
#[tokio::test]
async fn a_server_that_a_skill_on_disk_names_needs_an_approval() {
    let root = tempfile::tempdir().expect("a directory");
    let mark = root.path().join("started");
    let text = format!("touch {}", mark.display());
    let server = ToolServer { text: &text, directory: Some(root.path()) };
    let error = Servers::default().definition(server, "any").await.expect_err("not approved").to_string();
    assert!(error.contains("is not approved"), "{error}");
    assert!(Servers::default().starts_program(server).is_err() && !mark.exists());
}
