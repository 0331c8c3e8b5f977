//! `skills lsp` as an editor starts it: over its standard input and output (SPEC 17.10).
#![cfg(unix)] // as the files that the tests share

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::command::Place;

const FAULTY: &str = "---\nname: pdf\ndescription: Reads: PDF files.\n---\n# PDF\n";

fn send(to: &mut impl Write, message: &Value) {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
    to.flush().expect("the server reads");
}

fn receive(from: &mut impl BufRead) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert!(from.read_line(&mut line).expect("the server writes") > 0, "the server is gone");
        match line.trim() {
            "" => break,
            header => {
                if let Some(value) = header.strip_prefix("Content-Length: ") {
                    length = value.parse().expect("a number");
                }
            }
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).expect("a message");
    serde_json::from_slice(&bytes).expect("JSON")
}

// SPEC 17.10: a complete session; the disk is not written
#[test]
fn a_session_over_pipes() {
    let place = Place::new(&[("skills/pdf/SKILL.md", FAULTY)]);
    let mut command = place.command(&["lsp"]);
    command.env("XDG_CACHE_HOME", place.path("cache"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut to = child.stdin.take().expect("a pipe");
    let mut from = BufReader::new(child.stdout.take().expect("a pipe"));
    let params =
        json!({ "processId": null, "rootUri": format!("file://{}", place.path("")), "capabilities": {} });
    send(&mut to, &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    assert_eq!(receive(&mut from)["result"]["capabilities"]["hoverProvider"], true);
    send(&mut to, &json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let answer = receive(&mut from);
    assert_eq!(answer["params"]["diagnostics"][0]["code"], "yaml-unquoted-colon", "{answer}");
    // SPEC 17.21: without an address, the link leads to a file
    let page = answer["params"]["diagnostics"][0]["codeDescription"]["href"].as_str().expect("a link");
    let page = page.strip_prefix("file://").expect("a file");
    assert!(page.starts_with(&place.path("cache/skills/rules/")), "{page}");
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.starts_with("# yaml-unquoted-colon\n") && page.contains("Wrong:"), "{page}");
    assert_eq!(answer["params"]["uri"], format!("file://{}", place.path("skills/pdf/SKILL.md")));
    let text = FAULTY.replace("Reads: ", "Reads ");
    let document =
        json!({ "uri": answer["params"]["uri"], "languageId": "markdown", "version": 1, "text": text });
    let params = json!({ "textDocument": document });
    send(&mut to, &json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params }));
    assert_eq!(receive(&mut from)["params"]["diagnostics"], json!([]));
    send(&mut to, &json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }));
    assert_eq!(receive(&mut from)["id"], 2);
    send(&mut to, &json!({ "jsonrpc": "2.0", "method": "exit" }));
    drop(to);
    assert!(child.wait().expect("it ends").success());
    assert_eq!(std::fs::read_to_string(place.path("skills/pdf/SKILL.md")).expect("a file"), FAULTY);
}

// SPEC 17.18: an invalid message gets an answer, and the session continues
#[test]
fn a_malformed_message_does_not_end_the_session() {
    let place = Place::new(&[]);
    let mut child =
        place.command(&["lsp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut to = child.stdin.take().expect("a pipe");
    let mut from = BufReader::new(child.stdout.take().expect("a pipe"));
    write!(to, "Content-Length: 3\r\n\r\n{{a}}").expect("the server reads");
    let answer = receive(&mut from);
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null), "{answer}");
    send(&mut to, &json!({ "jsonrpc": "2.0", "id": 1, "method": "textDocument/hover" }));
    assert_eq!(receive(&mut from)["error"]["code"], -32002, "it was asked for too early");
    send(&mut to, &json!({ "jsonrpc": "2.0", "id": 9, "method": "initialize", "params": {} }));
    assert_eq!(receive(&mut from)["error"]["code"], -32602, "the capabilities are missing");
    let params = json!({ "capabilities": {} });
    send(&mut to, &json!({ "jsonrpc": "2.0", "id": 2, "method": "initialize", "params": params }));
    assert_eq!(receive(&mut from)["result"]["capabilities"]["hoverProvider"], true);
    send(&mut to, &json!([{ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }]));
    assert_eq!(receive(&mut from)["error"]["code"], -32600);
    send(&mut to, &json!({ "jsonrpc": "2.0", "id": 4, "method": "shutdown" }));
    assert_eq!(receive(&mut from)["id"], 4);
    send(&mut to, &json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert!(child.wait().expect("it ends").success());
}

// SPEC 12.1, 17.18: an impossible length is an error, and allocates no memory
#[test]
fn an_impossible_length_is_an_error() {
    for length in ["18446744073709551615", "100000000000000", "-1"] {
        let place = Place::new(&[]);
        let mut command = place.command(&["lsp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut to = child.stdin.take().expect("a pipe");
        write!(to, "Content-Length: {length}\r\n\r\n{{}}").expect("the server reads");
        // The client waits for an answer: the server ends by itself.
        let output = child.wait_with_output().expect("it ends");
        drop(to);
        let answer = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{answer}");
        assert!(answer.starts_with("error: ") && answer.contains(length), "{answer}");
    }
}

// SPEC 17.10, 17.11, 17.12: the client library that editors use
#[test]
#[ignore = "needs node and npm"]
fn a_session_with_the_client_of_editors() {
    let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("../skills-lsp/tests/editors");
    let packages = test_bed::packages(&clients, Path::new(env!("CARGO_TARGET_TMPDIR")));
    let place = Place::new(&[("skills/pdf/SKILL.md", FAULTY)]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/editor/client.cjs");
    let mut node = Command::new("node");
    node.args([script, env!("CARGO_BIN_EXE_skills"), &place.path("")])
        .env("NODE_PATH", packages.join("node_modules"));
    let run = node.output();
    let run = run.expect("node runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let answer: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(answer["codes"], json!(["yaml-unquoted-colon"]));
    assert_eq!(answer["fix"], "\"Reads: PDF files.\"");
    assert_eq!(answer["symbols"], json!(["name", "description", "PDF"]));
    let rest = [&answer["code"], &answer["encoding"], &answer["hover"], &answer["folds"]];
    assert_eq!(rest, [&json!(0), &json!("utf-16"), &json!(true), &json!(1)]);
}
