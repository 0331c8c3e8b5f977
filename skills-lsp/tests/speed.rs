//! How long a keystroke takes among 1,000 skills: run by `cargo test --release -p skills-lsp --test speed -- --ignored
//! --nocapture` (SPEC 17.14).
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};

const SKILLS: usize = 1_000;
const STROKES: usize = 1_000;

fn tell(client: &Connection, method: &str, params: Value) {
    client.sender.send(Message::Notification(Notification { method: method.to_owned(), params })).unwrap();
}

/// Waits until the problems of a file are told.
fn told(client: &Connection, uri: &str) {
    while let Message::Notification(note) = client.receiver.recv_timeout(Duration::from_secs(60)).unwrap() {
        if note.params["uri"] == uri {
            return;
        }
    }
}

// SPEC 17.14
#[test]
#[ignore = "a measurement"]
fn a_keystroke_among_a_thousand_skills() {
    let top =
        std::env::temp_dir().canonicalize().unwrap().join(format!("skills-lsp-speed-{}", std::process::id()));
    let body = "Read the file, then say what it holds.\n".repeat(100);
    for at in 0..SKILLS {
        let dir = top.join(format!("skills/s{at}"));
        fs::create_dir_all(dir.join("references")).unwrap();
        let text =
            format!("---\nname: s{at}\ndescription: Does the thing of number {at}.\n---\n# S\n\n{body}");
        fs::write(dir.join("SKILL.md"), text).unwrap();
        fs::write(dir.join("references/notes.md"), &body).unwrap();
        if at % 10 == 0 {
            let input =
                r#"{ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] }"#;
            let manifest = format!(
                "{{ \"name\": \"s{at}\", \"description\": \"Does the thing of number {at}.\", \"category\": \"c\", \
                 \"mode\": \"code\", \"input\": {input}, \"output\": {input} }}"
            );
            fs::write(dir.join("skill.json"), manifest).unwrap();
        }
    }
    let (server, client) = Connection::memory();
    let server = std::thread::spawn(move || skills_lsp::serve(server).unwrap());
    let folder = format!("file://{}", top.display());
    let params = json!({ "capabilities": {}, "rootUri": folder });
    client
        .sender
        .send(Message::Request(Request { id: 1.into(), method: "initialize".into(), params }))
        .unwrap();
    client.receiver.recv().unwrap();
    tell(&client, "initialized", json!({}));
    let uri = format!("{folder}/skills/s501/SKILL.md");
    let text = fs::read_to_string(top.join("skills/s501/SKILL.md")).unwrap();
    tell(&client, "textDocument/didOpen", json!({ "textDocument": { "uri": uri, "text": text } }));
    let mut times: Vec<Duration> = Vec::new();
    for stroke in 0..STROKES {
        // Each stroke makes a fault or takes it away, so that something is told each time.
        let change = match stroke % 2 {
            0 => {
                json!({ "range": { "start": { "line": 2, "character": 17 }, "end": { "line": 2, "character": 17 } }, "text": ":" })
            }
            _ => {
                json!({ "range": { "start": { "line": 2, "character": 17 }, "end": { "line": 2, "character": 18 } }, "text": "" })
            }
        };
        let start = Instant::now();
        let document = json!({ "uri": uri, "version": stroke });
        tell(
            &client,
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [change] }),
        );
        told(&client, &uri);
        times.push(start.elapsed());
    }
    let params = Value::Null;
    client
        .sender
        .send(Message::Request(Request { id: 2.into(), method: "shutdown".into(), params }))
        .unwrap();
    client.receiver.recv().unwrap();
    tell(&client, "exit", json!({}));
    server.join().unwrap();
    fs::remove_dir_all(&top).unwrap();
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned();
    eprintln!("p50 {:?}, p99 {:?}, most {:?}; {memory}", at(50), at(99), at(100));
    assert!(at(99) < Duration::from_millis(50), "p99 is {:?}", at(99));
}
