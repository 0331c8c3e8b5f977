//! `skills serve`: prints its address, guards its routes, serves changes, and ends everything on a signal.
#![cfg(all(unix, feature = "serve", feature = "model"))]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::child::{eventually, kill, reads, until_gone};
use crate::command::Place;
use crate::provider::Provider;

const ECHO: &str = "---\nname: echo\ndescription: Says it again.\nexec: run\n---\n";
const TELL: &str = r#"{
    "name": "tell", "description": "Tells.", "category": "c", "mode": "llm",
    "input": {"type": "object", "required": ["topic"]}, "output": {"type": "object", "required": ["text"]}
}"#;

fn place() -> Place {
    Place::new(&[
        ("s/echo/SKILL.md", ECHO),
        ("s/echo/bin/run", "#!/bin/sh\ncat\n"),
        ("s/slow/SKILL.md", &ECHO.replace("echo", "slow")),
        ("s/slow/bin/run", "#!/bin/sh\necho $$ > pid.part\nmv pid.part pid\nsleep 600\n"),
        ("s/tell/skill.json", TELL),
        ("s/tell/prompt.md", "Tell of {{ input.topic }}.\n"),
    ])
}

/// A server under way; it is killed when a test fails.
struct Serving {
    process: Child,
    address: String,
}

impl Serving {
    fn start(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").unwrap().to_owned();
        Self { process, address }
    }

    fn of(place: &Place, arguments: &[&str]) -> Self {
        let all = [&["serve", "s", "--bind", "127.0.0.1:0"], arguments].concat();
        Self::start(&mut place.command(&all))
    }

    /// Sends a request with these headers and returns status and body.
    fn ask(&self, line: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = format!("Host: {}", self.address);
        let is_named = headers.iter().any(|header| header.starts_with("Host:"));
        let mut head = format!("{line} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for header in headers.iter().copied().chain((!is_named).then_some(host.as_str())) {
            head.push_str(&format!("{header}\r\n"));
        }
        write!(stream, "{head}\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path}"), &[], "")
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, text) = self.ask(&format!("POST {path}"), &[], &body.to_string());
        (status, serde_json::from_str(&text).unwrap())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

// SPEC 11.2: the list equals that of the command; running is disabled by default; foreign hosts are refused
#[test]
fn lists_are_open_and_running_is_off() {
    let place = place();
    let serving = Serving::of(&place, &[]);
    assert!(serving.address.starts_with("127.0.0.1:"), "{}", serving.address);
    let listed = place.run(&["list", "s", "--json"]).out;
    // The command assumes a model, as `tools` does; the server knows that it has none.
    let (can, cannot) = (
        "\"callable\": true",
        "\"callable\": false,\n    \"missing\": \"Skill \\\"tell\\\" (llm) has no model\"",
    );
    assert_eq!(serving.get("/v1/skills"), (200, listed.trim_end().replace(can, cannot)));
    // Both say whether the skill can be called (SPEC 11.6).
    let shown = place.run(&["show", "echo", "--dir", "s", "--json"]).out;
    let skill: Value = serde_json::from_str(&serving.get("/v1/skills/echo").1).unwrap();
    assert!(skill["callable"].is_boolean(), "{skill}");
    assert_eq!(skill, serde_json::from_str::<Value>(&shown).unwrap());
    let disabled =
        json!({"error": "disabled", "detail": "skill exec via HTTP is disabled; start with --enable-exec"});
    for path in ["/v1/skills/echo/exec", "/v1/skills/tell/call", "/v1/skills/none/exec"] {
        assert_eq!(serving.post(path, &json!({})), (403, disabled.clone()), "{path}");
    }
    for header in ["Host: evil.example", "Origin: http://evil.example"] {
        assert_eq!(serving.ask("GET /v1/skills", &[header], "").0, 403, "{header}");
    }
    assert_eq!(serving.get("/").0, 404, "there is no page without `--ui`");
    assert_eq!(serving.get("/v1/skills/none").0, 404);
}

// SPEC 11.2, 7.1: programs run, input is checked, prompts are answered by the model that the command names
#[test]
fn skills_run_when_that_is_enabled() {
    let place = place();
    let provider = Provider::start(&[r#"{"text": "tall"}"#]);
    let serving = Serving::of(&place, &["--enable-exec", "--model", "any", "--base-url", &provider.url]);
    let (status, outcome) = serving.post("/v1/skills/echo/exec", &json!({"input": "ä b"}));
    assert_eq!((status, &outcome["stdout"], &outcome["exit_code"]), (200, &json!("ä b"), &json!(0)));
    let call = serving.post("/v1/skills/tell/call", &json!({"input": {"topic": "oaks"}}));
    assert_eq!(call, (200, json!({"output": {"text": "tall"}})));
    assert!(provider.asked()[0].1["messages"].to_string().contains("Tell of oaks."));
    let (status, wrong) = serving.post("/v1/skills/tell/call", &json!({"input": {}}));
    assert_eq!((status, &wrong["error"]), (400, &json!("invalid_input")));
    let without = Serving::of(&place, &["--enable-exec"]);
    let answer = without.post("/v1/skills/tell/call", &json!({"input": {"topic": "oaks"}}));
    assert_eq!(answer, (503, json!({"error": "no_model"})));
}

// SPEC 11.29: the client is referred to the log, which has the reason without `-v`
#[test]
fn failures_are_logged() {
    let place = place();
    let provider = Provider::start(&["this is not an object"]);
    let mut command = place.command(&["serve", "s", "--bind", "127.0.0.1:0", "--enable-exec"]);
    command.args(["--model", "any", "--base-url", &provider.url]).stderr(Stdio::piped());
    let mut serving = Serving::start(&mut command);
    let (status, answer) = serving.post("/v1/skills/tell/call", &json!({"input": {"topic": "oaks"}}));
    assert_eq!(status, 500, "{answer}");
    drop(provider);
    // The provider is unavailable: its address is in the log, and not in the answer.
    let (status, answer) = serving.post("/v1/skills/tell/call", &json!({"input": {"topic": "oaks"}}));
    assert_eq!((status, answer.to_string().contains("127.0.0.1")), (500, false), "{answer}");
    serving.process.kill().unwrap();
    let mut log = String::new();
    serving.process.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("ERROR") && log.contains("127.0.0.1"), "{log}");
}

// SPEC 11.2: a token is required except for the page, and an address that others can reach requires one
#[test]
fn an_address_that_others_can_reach_needs_a_token() {
    let place = place();
    for arguments in [&["--bind", "0.0.0.0:0"][..], &["--bind", "[::]:0"], &["--token-env", "SKILLS_NO_SUCH"]]
    {
        let run = place.run(&[&["serve", "s"], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains("token"), "{}", run.err);
    }
    let arguments =
        ["serve", "s", "--bind", "0.0.0.0:0", "--token-env", "T", "--allow-host", "a.example", "--ui"];
    let mut serving = Serving::start(place.command(&arguments).env("T", "s3cret"));
    serving.address = serving.address.replace("0.0.0.0", "127.0.0.1");
    assert_eq!(serving.get("/v1/skills").0, 401);
    assert_eq!(serving.ask("GET /v1/skills", &["Authorization: Bearer other"], "").0, 401);
    let own = "Authorization: Bearer s3cret";
    assert_eq!(serving.ask("GET /v1/skills", &[own], "").0, 200);
    assert_eq!(serving.ask("GET /v1/skills", &[own, "Host: a.example:80"], "").0, 200);
    assert_eq!(serving.ask("GET /v1/skills", &[own, "Host: b.example:80"], "").0, 403);
    let (status, page) = serving.get("/");
    assert_eq!((status, page.contains("<html"), page.contains("s3cret")), (200, true, false));
}

// SPEC 11.2, 1.7: a skill that is added while it runs is served
#[test]
fn changes_are_served() {
    let place = place();
    let serving = Serving::of(&place, &[]);
    assert_eq!(serving.get("/v1/skills/late").0, 404);
    place.write("s/late/SKILL.md", &ECHO.replace("echo", "late"));
    eventually("the new skill is served", || (serving.get("/v1/skills/late").0 == 200).then_some(()));
}

// SPEC 7.2, 11.2: a signal ends the server and what it runs
#[test]
fn a_signal_ends_the_server_and_its_programs() {
    let place = place();
    let mut serving = Serving::of(&place, &["--enable-exec", "--workspace", "."]);
    let mut stream = TcpStream::connect(&serving.address).unwrap();
    let head = format!("POST /v1/skills/slow/exec HTTP/1.1\r\nHost: {}\r\n", serving.address);
    write!(stream, "{head}Content-Length: 0\r\n\r\n").unwrap();
    let pid = reads(&place.top.join("pid"));
    kill("TERM", &serving.process.id().to_string());
    assert_eq!(serving.process.wait().unwrap().code(), Some(0));
    until_gone(pid.trim());
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = place.run(&["serve", "s", "--bind", &address]);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    assert!(refused.err.contains(&format!("cannot serve at {address}: ")), "{}", refused.err);
}

// SPEC 11.7: SIGINT and SIGTERM end the command within 2 s, even with open connections
#[cfg(feature = "mcp")]
#[test]
fn a_signal_ends_it_while_clients_listen() {
    let place = place();
    let host = |address: &str| format!("host: {address}\r\naccept: application/json, text/event-stream\r\n");
    for (signal, arguments) in [("INT", ["serve", "--bind"]), ("TERM", ["mcp", "--bind"])] {
        let mut command = place.command(&[arguments[0], "s", arguments[1], "127.0.0.1:0"]);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        if arguments[0] == "mcp" {
            BufReader::new(process.stderr.take().unwrap()).read_line(&mut line).unwrap();
        } else {
            BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        }
        let address = line.trim().split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        let head = |text: &str| {
            let mut stream = TcpStream::connect(&address).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let head: Vec<String> =
                lines.by_ref().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
            (stream, head)
        };
        let _kept = if arguments[0] == "mcp" {
            let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;
            let begin = format!(
                "POST /mcp HTTP/1.1\r\n{}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                host(&address),
                body.len()
            );
            let (first, head_line) = head(&begin);
            let session = head_line.iter().find(|line| line.starts_with("mcp-session-id")).unwrap();
            let listen = format!("GET /mcp HTTP/1.1\r\n{}{session}\r\n\r\n", host(&address));
            let (second, head_line) = head(&listen);
            assert!(head_line[0].contains(" 200 "), "{head_line:?}");
            vec![first, second]
        } else {
            vec![head(&format!("GET /v1/skills HTTP/1.1\r\n{}\r\n", host(&address))).0]
        };
        let begun = std::time::Instant::now();
        kill(signal, &process.id().to_string());
        let code = if signal == "INT" { 130 } else { 0 };
        assert_eq!(process.wait().unwrap().code(), Some(code), "SPEC 11.26");
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{arguments:?}: {:?}", begun.elapsed());
    }
}

// SPEC 11.7: as the first process of a container, it reaps orphans, and passes signals and the exit code on
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs unshare"]
fn the_first_process_reaps_what_it_adopts() {
    let alone = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
    test_bed::need("unshare");
    let place = place();
    // `exec` of the shell makes the command the first process, which must then reap processes that the shell started.
    let skills = env!("CARGO_BIN_EXE_skills");
    let script = format!("(sleep 1 &) ; (sleep 1.2 &) ; exec {skills} serve s --bind 127.0.0.1:0");
    let mut command = Command::new("unshare");
    command.args(alone).args(["sh", "-c", &script]).current_dir(&place.top).env("HOME", &place.top);
    let serving = Serving::start(&mut command);
    let children =
        |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let first = eventually("there is a first process", || {
        let pid = children(&serving.process.id().to_string()).trim().to_owned();
        (!pid.is_empty()).then_some(pid)
    });
    assert_eq!(serving.get("/v1/skills/echo").0, 200);
    std::thread::sleep(std::time::Duration::from_secs(2));
    let left = children(&first);
    assert_eq!(left.split_whitespace().count(), 1, "only the server is left: {left}");
    kill("TERM", &first);
    let mut serving = serving;
    assert_eq!(serving.process.wait().unwrap().code(), Some(0));
}
