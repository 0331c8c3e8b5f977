//! `skills mcp`: the official client of MCP for Node, lines on standard input, and wrong use (SPEC 11.1, 11.4).
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]
#![cfg(all(unix, feature = "mcp"))]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use crate::command::Place;

/// The version of the client; another may say other things.
const CLIENT: &str = "@modelcontextprotocol/sdk@1.32.2";

fn function(name: &str, mode: &str, more: &str) -> String {
    format!(
        r#"{{"name": "{name}", "description": "Is {name}.", "category": "c", "mode": "{mode}", {more}
        "input": {{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
            "properties": {{"n": {{"type": "integer"}}}}}},
        "output": {{"type": "object", "properties": {{"n": {{"type": "integer"}}}}}}}}"#
    )
}

fn skills() -> Place {
    let pipeline = r#""calls": ["echo"], "pipeline": [
        {"step": "one", "skill": "echo", "input": {"n": "{{input.n}}"}},
        {"step": "two", "skill": "echo", "input": {"n": "{{input.n}}"}, "depends": ["one"]}],"#;
    let files = [
        (
            "move/SKILL.md",
            "---\nname: move\ndescription: Moves.\narguments: [source, target]\n---\nMove $source to $target.\n",
        ),
        ("move/notes.md", "é\n"),
        ("echo/SKILL.md", "---\nexec: run\ndisable-model-invocation: false\n---\n"),
        ("echo/run", "#!/bin/sh\ncat\n"),
        ("echo/skill.json", &function("echo", "code", "")),
        ("slow/SKILL.md", "---\nexec: run\n---\n"),
        ("slow/run", "#!/bin/sh\necho $$ > pid.new\nmv pid.new pid\nsleep 300\n"),
        ("slow/skill.json", &function("slow", "code", r#""timeout": 300000,"#)),
        ("chain/skill.json", &function("chain", "composite", pipeline)),
        (
            "secret/SKILL.md",
            "---\nname: secret\ndescription: Needs leave.\nrequires: [\"cap:x\"]\n---\nNo.\n",
        ),
    ];
    Place::new(&files)
}

/// Installs the client once for all runs.
fn client() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-client");
    fs::create_dir_all(&directory).expect("a directory");
    test_bed::need("node");
    test_bed::need("npm");
    let has_client = Command::new("npm").args(["ls", CLIENT, "--depth=0"]).current_dir(&directory).output();
    if has_client.is_ok_and(|out| out.status.success()) {
        return directory;
    }
    fs::write(directory.join("package.json"), "{\"private\": true}\n").expect("a file");
    let install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", CLIENT];
    let output = Command::new("npm").args(install).current_dir(&directory).output().expect("npm");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    directory
}

// SPEC 11.4
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs node and npm"]
fn the_official_client_is_served() {
    let client = client();
    let (root, workspace) = (skills(), Place::new(&[]));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.mjs");
    let output = Command::new("node")
        .args([script.as_path(), &client, Path::new(env!("CARGO_BIN_EXE_skills")), &root.top, &workspace.top])
        .output()
        .expect("node");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}{problems}");
    assert_eq!(stdout, "stdio: ok\nhttp: ok\n");
}

fn run(arguments: &[&str], home: &Path, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_skills"))
        .arg("mcp")
        .args(arguments)
        .current_dir(home)
        .env("HOME", home)
        .env_remove("MCP_TEST_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command");
    // A command that refuses to start reads nothing.
    drop(child.stdin.take().expect("piped").write_all(input.as_bytes()));
    child.wait_with_output().expect("it ends")
}

const LINES: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"lines","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"prompts/list"}
"#;

/// The names of the prompts that lines on standard input get.
fn prompts(output: &Output) -> Vec<String> {
    let answers: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("nothing but messages"))
        .collect();
    let answer = answers.iter().find(|answer| answer["id"] == 2).expect("an answer before the end");
    let names = answer["result"]["prompts"].as_array().expect("a list");
    names.iter().map(|prompt| prompt["name"].as_str().expect("text").to_owned()).collect()
}

// SPEC 1.6, 11.1
#[test]
fn lines_are_answered_until_the_input_ends() {
    let (root, home) = (skills(), Place::new(&[]));
    let dir = root.top.to_str().expect("UTF-8");
    let output = run(&[dir], &home.top, LINES);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(prompts(&output), ["move"]);
    let own = home.top.join(".agents/skills/own");
    fs::create_dir_all(&own).expect("a directory");
    fs::write(own.join("SKILL.md"), "---\nname: own\ndescription: Own.\n---\nOwn.\n").expect("a file");
    assert_eq!(prompts(&run(&[], &home.top, LINES)), ["own"]);
    let own = home.top.join(".agents/skills");
    let both = run(&[own.to_str().expect("UTF-8"), dir], &home.top, LINES);
    assert_eq!(prompts(&both), ["move", "own"]);
    assert!(run(&[dir], &home.top, "").status.success(), "a client that says nothing");
}

/// A running command, and its output on both streams.
struct Talk {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Value>,
    home: PathBuf,
}

impl Drop for Talk {
    fn drop(&mut self) {
        // It may have ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Talk {
    fn start(dir: &Path, home: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_skills"))
            .arg("mcp")
            .arg(dir)
            .current_dir(home)
            .env("HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(home.join("stderr")).expect("a file"))
            .spawn()
            .expect("the command");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("text");
                if sender.send(serde_json::from_str(&line).expect("nothing but messages")).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take().expect("piped");
        Self { child, input, lines, home: home.to_owned() }
    }

    /// Reads messages up to one; a command that never says it fails the test by the limit.
    fn wait_for(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.lines.recv_timeout(Duration::from_secs(60)).expect("a message");
            if is_wanted(&message) {
                return message;
            }
        }
    }

    fn say(&mut self, line: &str) {
        self.input.write_all(line.as_bytes()).expect("it reads");
    }

    fn prompts(&mut self) -> Vec<String> {
        self.say("{\"jsonrpc\":\"2.0\",\"id\":\"prompts\",\"method\":\"prompts/list\"}\n");
        let answer = self.wait_for(|message| message["id"] == "prompts");
        let names = answer["result"]["prompts"].as_array().expect("a list");
        names.iter().map(|prompt| prompt["name"].as_str().expect("text").to_owned()).collect()
    }

    /// Waits until the command has printed a message to the user.
    fn problem(&self, text: &str) {
        for _ in 0..1200 {
            if fs::read_to_string(self.home.join("stderr")).expect("a file").contains(text) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{text}: {}", fs::read_to_string(self.home.join("stderr")).expect("a file"));
    }
}

// SPEC 1.2, 1.6, 1.7, 11.4
#[test]
fn current_skills_are_served_and_changes_are_notified() {
    let (root, home) = (skills(), Place::new(&[]));
    // A link is exchanged in one step.
    let dir = home.top.join("link");
    let exchange = |target: &Path| {
        symlink(target, home.top.join("next")).expect("a link");
        fs::rename(home.top.join("next"), &dir).expect("exchanged");
    };
    exchange(&root.top);
    let mut talk = Talk::start(&dir, &home.top);
    talk.say(LINES);
    let info = talk.wait_for(|message| message["id"] == 1);
    let capabilities = &info["result"]["capabilities"];
    assert_eq!(capabilities["tools"]["listChanged"], true);
    assert_eq!(capabilities["prompts"]["listChanged"], true);
    assert_eq!(capabilities["resources"]["listChanged"], true);
    assert_eq!(talk.prompts(), ["move"]);
    let changed = |message: &Value| message["method"] == "notifications/prompts/list_changed";

    let own = root.top.join("own");
    fs::create_dir(&own).expect("a directory");
    let text = "---\nname: own\ndescription: Own.\n---\nOwn.\n";
    fs::write(own.join("SKILL.md"), text).expect("a file");
    talk.wait_for(changed);
    assert_eq!(talk.prompts(), ["move", "own"]);
    fs::write(own.join("SKILL.md"), "---\nname: [own\n---\n").expect("a file");
    talk.wait_for(changed);
    assert_eq!(talk.prompts(), ["move"]);
    talk.problem("own/SKILL.md:");
    fs::write(own.join("SKILL.md"), text).expect("a file");
    talk.wait_for(changed);

    let file = home.top.join("file");
    fs::write(&file, "").expect("a file");
    exchange(&file);
    talk.problem("error: read skills dir");
    assert_eq!(talk.prompts(), ["move", "own"], "the last that could be read");
    fs::remove_dir_all(&own).expect("removed");
    exchange(&root.top);
    talk.wait_for(changed);
    assert_eq!(talk.prompts(), ["move"]);
}

// SPEC 11.4, 12.1
#[cfg(target_os = "linux")]
#[test]
fn an_endless_message_takes_little_memory() {
    let (root, home) = (skills(), Place::new(&[]));
    let mut talk = Talk::start(&root.top, &home.top);
    talk.say(LINES);
    talk.wait_for(|message| message["id"] == 2);
    talk.say("{\"method\":\"tools/call\",\"params\":{\"name\":\"");
    let part = "x".repeat(1 << 20);
    (0..128).for_each(|_| talk.say(&part));
    talk.say("\"},\"jsonrpc\":\"2.0\",\"id\":3}\n");
    assert_eq!(talk.wait_for(|message| message["id"] == 3)["error"]["code"], -32600);
    assert_eq!(talk.prompts(), ["move"]);
    let status = fs::read_to_string(format!("/proc/{}/status", talk.child.id())).expect("it runs");
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kib: u64 = most.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kib < 96 << 10, "{kib} KiB");
}

// SPEC 11.1, 11.2
#[test]
fn wrong_use_is_refused() {
    let home = Place::new(&[]);
    let serve = |arguments: &[&str]| {
        let output = run(arguments, &home.top, "");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = serve(&["--bind", "127.0.0.1:0", "--token-env", "MCP_TEST_TOKEN"]);
    assert_eq!(
        (code, text.as_str()),
        (Some(2), "error: `--token-env`: the variable MCP_TEST_TOKEN is not set\n")
    );
    let (code, text) = serve(&["--bind", "0.0.0.0:0"]);
    assert_eq!(code, Some(2));
    assert!(
        text.contains("so a token is required: name the variable that holds it with `--token-env`"),
        "{text}"
    );
    assert_eq!(serve(&["--token-env", "X"]).0, Some(2), "a token is for HTTP");
    assert_eq!(serve(&["--bind", "nowhere"]).0, Some(2));
    fs::write(home.top.join("file"), "").expect("a file");
    assert_eq!(serve(&["file"]).0, Some(1), "no directory");
}
