//! Skills written by a test, and an rmcp client at the other end of a pipe.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

mod raw;
pub(crate) mod rng;

use std::path::Path;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::{ClientHandler, RoleClient, ServiceError, ServiceExt};
use serde_json::{Value, json};
use skills_call::Runner;
use skills_load::LayersBuilder;
use skills_mcp::Server;
use tempfile::TempDir;

#[allow(unused_imports, reason = "each test binary uses its part")]
pub(crate) use raw::Raw;

/// Writes files to a new directory.
pub(crate) fn directory(files: &[(&str, &[u8])]) -> TempDir {
    let root = tempfile::tempdir().expect("a directory");
    for (path, bytes) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().expect("inside the root")).expect("a directory");
        std::fs::write(path, bytes).expect("a file");
    }
    root
}

/// Returns skills of every kind.
pub(crate) fn skills() -> TempDir {
    directory(&[
        (
            "prose/SKILL.md",
            b"\xef\xbb\xbf---\r\nname: prose\r\ndescription: Says how.\r\nlicense: MIT\r\nmetadata: {level: 3}\r\n---\r\n# How\r\n\r\nRead `notes.md`.\r\n",
        ),
        ("prose/notes.md", "a note, é\n".as_bytes()),
        ("prose/assets/a b.bin", b"\xff\x00\x01"),
        ("prose/assets/deep/x.json", b"{}\n"),
        ("prose/notes.txt", b"beside\n"),
        (
            "move/SKILL.md",
            b"---\nname: move\ndescription: Moves.\narguments: [source, target]\n---\nMove $source to $target. ($ARGUMENTS)\n",
        ),
        (
            "typing/SKILL.md",
            b"---\nname: typing\ndescription: Types.\nargument-hint: a line\ndisable-model-invocation: true\n---\nType: $ARGUMENTS\n",
        ),
        ("mute/SKILL.md", b"---\nname: mute\ndescription: Not for users.\nuser-invocable: false\n---\nQuiet.\n"),
        (
            "secret/SKILL.md",
            b"---\nname: secret\ndescription: Needs leave.\nrequires: [\"cap:secret\"]\n---\nNo.\n",
        ),
        ("secret/file.md", b"no\n"),
        ("inner/SKILL.md", b"---\nname: inner\ndescription: For programs.\ntags: [internal]\n---\nIn.\n"),
        ("inner/file.md", b"no\n"),
        ("hidden/run", b"#!/bin/sh\necho '{\"said\": \"no\"}'\n"),
        ("hidden/SKILL.md", b"---\nexec: run\ntags: [internal]\n---\n"),
        ("hidden/skill.json", function("hidden", "code", "").as_bytes()),
        ("double/SKILL.md", b"---\nexec: bin/double\n---\nDoubles.\n"),
        ("double/bin/double", b"#!/bin/sh\nread line\necho \"{\\\"said\\\": \\\"twice\\\"}\"\n"),
        ("double/skill.json", function("double", "code", "").as_bytes()),
        ("fails/SKILL.md", b"---\nexec: run\n---\nFails.\n"),
        ("fails/run", b"#!/bin/sh\necho 'out of luck' >&2\nexit 3\n"),
        ("fails/skill.json", function("fails", "code", "").as_bytes()),
        ("slow/SKILL.md", b"---\nexec: run\n---\nWaits.\n"),
        ("slow/run", b"#!/bin/sh\ncd \"$SKILL_WORKSPACE\"\nsetsid sleep 300 &\necho $! > child\necho $$ > pid.new\nmv pid.new pid\nwait\n"),
        ("slow/skill.json", function("slow", "code", r#""timeout": 300000,"#).as_bytes()),
        ("lonely/skill.json", function("lonely", "code", "").as_bytes()),
        ("review/skill.json", function("review", "llm", "").as_bytes()),
        ("review/prompt.md", b"Review {{input.n}}.\n"),
        ("chain/skill.json", function("chain", "composite", CHAIN).as_bytes()),
    ])
}

const CHAIN: &str = r#""calls": ["double"], "pipeline": [
    {"step": "one", "skill": "double", "input": {"n": "{{input.n}}"}},
    {"step": "never", "skill": "double", "condition": "input.n > 1000", "input": {"n": 1}, "depends": ["one"]},
    {"step": "many", "skill": "double", "foreach": "{{input.list}}", "input": {"n": "{{item}}"}, "depends": ["one"]},
    {"step": "two", "skill": "double", "input": {"n": "{{input.n}}"}, "depends": ["many"]}],"#;

/// Returns a `skill.json` from `{n, list}` to `{said}`.
fn function(name: &str, mode: &str, more: &str) -> String {
    format!(
        r#"{{"name": "{name}", "description": "Is {name}.", "category": "c", "mode": "{mode}", {more}
        "input": {{"type": "object", "required": ["n"], "additionalProperties": false,
            "properties": {{"n": {{"type": "integer", "maximum": 2000}},
                            "list": {{"type": "array", "items": {{"type": "integer"}}, "default": []}}}}}},
        "output": {{"type": "object", "properties": {{"said": {{"type": "string"}}}}, "required": ["said"]}}}}"#
    )
}

/// Reads a directory of skills into a runner.
pub(crate) fn runner(root: &Path) -> Runner {
    Runner::from(LayersBuilder::new().directory(root).load().expect("readable"))
}

/// A server over [`skills`], whose programs run in their own directory.
pub(crate) struct Shop {
    pub(crate) root: TempDir,
    pub(crate) workspace: TempDir,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self { root: skills(), workspace: tempfile::tempdir().expect("a directory") }
    }

    pub(crate) fn server(&self) -> Server {
        Server::new(runner(self.root.path())).workspace(self.workspace.path())
    }

    /// Waits for the program of `slow` to run, and returns its process id.
    pub(crate) async fn pid(&self) -> String {
        let path = self.workspace.path().join("pid");
        until("the program runs", || path.exists()).await;
        std::fs::read_to_string(path).expect("written").trim().to_owned()
    }

    /// Returns the id of the process that it has started, in its own session.
    pub(crate) fn child(&self) -> String {
        std::fs::read_to_string(self.workspace.path().join("child")).expect("written").trim().to_owned()
    }
}

pub(crate) type Client<H = ()> = RunningService<RoleClient, H>;

/// Connects an rmcp client to a server with a pipe.
pub(crate) async fn connect(server: Server) -> Client {
    connect_as((), server).await
}

pub(crate) async fn connect_as<H: ClientHandler>(handler: H, server: Server) -> Client<H> {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(far);
    tokio::spawn(skills_mcp::serve(server, read, write));
    handler.serve(near).await.expect("a session")
}

/// Returns the arguments of a call.
pub(crate) fn arguments(name: &str, input: Value) -> CallToolRequestParams {
    let Value::Object(members) = input else { panic!("an object") };
    CallToolRequestParams::new(name.to_owned()).with_arguments(members)
}

pub(crate) async fn call<H: ClientHandler>(
    client: &Client<H>,
    name: &str,
    n: i64,
) -> Result<CallToolResult, ServiceError> {
    client.peer().call_tool(arguments(name, json!({ "n": n }))).await
}

/// Returns the first text of a result.
pub(crate) fn text(result: &CallToolResult) -> String {
    let value = serde_json::to_value(result).expect("JSON");
    value["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// Returns the code and the text of an error of the protocol.
pub(crate) fn refusal<T: std::fmt::Debug>(result: Result<T, ServiceError>) -> (i32, String) {
    match result {
        Err(ServiceError::McpError(error)) => (error.code.0, error.message.into_owned()),
        other => panic!("no error of the protocol: {other:?}"),
    }
}

/// Waits until a condition holds. The test fails if it takes too long.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what}");
}

pub(crate) fn is_alive(pid: &str) -> bool {
    // A zombie has no command line.
    std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty())
}
