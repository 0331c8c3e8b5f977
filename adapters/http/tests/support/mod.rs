//! A server with skills written by a test, and a client on plain sockets that sends exact bytes.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::panic, clippy::print_stderr, reason = "it is a part of tests")]

pub(crate) mod node;

use std::net::SocketAddr;
use std::path::Path;

use skills_call::Runner;
use skills_http::{Api, Guard, Server, bind};
use skills_load::LayersBuilder;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// Returns skills of every kind, in their own directory.
pub(crate) fn skills() -> TempDir {
    let root = tempfile::tempdir().expect("a directory");
    let files = [
        ("prose/SKILL.md", "---\nname: prose\ndescription: Says how.\n---\n# How\n\nRead `notes.md`.\n"),
        ("prose/notes.md", "a note\n"),
        ("helper/SKILL.md", "---\nname: helper\ndescription: Has scripts.\n---\nHelps.\n"),
        ("helper/run.sh", "#!/bin/sh\necho hi\n"),
        ("echo/SKILL.md", "---\nname: echo\ndescription: Says it again.\nexec: bin/echo\n---\nSays.\n"),
        ("echo/bin/echo", "#!/bin/sh\ncat\nexit 3\n"),
        ("slow/SKILL.md", "---\nname: slow\ndescription: Takes long.\nexec: bin/slow\n---\nWaits.\n"),
        ("slow/bin/slow", "#!/bin/sh\necho $$ > \"$SKILL_WORKSPACE/pid\"\nsleep 60\n"),
        ("lost/SKILL.md", "---\nname: lost\ndescription: Lost its program.\nexec: bin/none\n---\nGone.\n"),
        (
            "secret/SKILL.md",
            "---\nname: secret\ndescription: Needs leave.\nexec: run\nrequires: [\"cap:secret\"]\n---\nNo.\n",
        ),
        ("secret/run", "#!/bin/sh\necho no\n"),
        ("inner/SKILL.md", "---\nname: inner\ndescription: For programs.\ntags: [internal]\n---\nIn.\n"),
        (
            "typed/SKILL.md",
            "---\nname: typed\ndescription: Has a schema.\nexec: run\nschema: in.json\n---\nIn.\n",
        ),
        ("typed/run", "#!/bin/sh\ncat\n"),
        (
            "typed/in.json",
            r#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}"#,
        ),
        ("double/SKILL.md", "---\nexec: bin/double\n---\nDoubles.\n"),
        ("double/bin/double", "#!/bin/sh\nread line\necho \"{\\\"said\\\": \\\"twice\\\"}\"\n"),
        ("double/skill.json", DOUBLE),
        ("chain/skill.json", CHAIN),
        ("review/skill.json", REVIEW),
        ("review/prompt.md", "Review {{input.code}}.\n"),
    ];
    write(root.path(), &files);
    root
}

/// Writes files below a directory.
pub(crate) fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("inside the root")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
}

const DOUBLE: &str = r#"{"name": "double", "description": "Doubles a number.", "category": "c", "mode": "code",
    "version": "1.0.0", "tags": ["sum"],
    "input": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    "output": {"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]}}"#;

const CHAIN: &str = r#"{"name": "chain", "description": "Doubles twice.", "category": "c", "mode": "composite",
    "version": "1.0.0", "calls": ["double"],
    "input": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    "output": {"type": "object", "properties": {"said": {"type": "string"}}},
    "pipeline": [
        {"step": "one", "skill": "double", "input": {"n": "{{input.n}}"}},
        {"step": "two", "skill": "double", "input": {"n": "{{input.n}}"}, "depends": ["one"]}]}"#;

const REVIEW: &str = r#"{"name": "review", "description": "Reviews.", "category": "c", "mode": "llm",
    "version": "1.0.0", "timeout": 200,
    "input": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]},
    "output": {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}}"#;

/// Reads a directory of skills into a runner.
pub(crate) fn runner(root: &Path) -> Runner {
    Runner::from(LayersBuilder::new().directory(root).load().expect("readable"))
}

/// A server that is shut down at the end of the test.
pub(crate) struct Serving {
    pub(crate) address: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves everything on a free port.
pub(crate) async fn serve(api: Api, guard: Guard) -> Serving {
    serve_with(api, guard, |server| server).await
}

/// Serves everything on a free port, with limits.
pub(crate) async fn serve_with(api: Api, guard: Guard, limit: impl FnOnce(Server) -> Server) -> Serving {
    let server = limit(bind(([127, 0, 0, 1], 0).into()).await.expect("a free port"));
    let address = server.address().expect("an address");
    let routes = api.routes().merge(api.chat()).merge(skills_http::ui());
    Serving { address, task: tokio::spawn(server.run(routes, guard)) }
}

/// A response of a server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> serde_json::Value {
        let read = serde_json::from_str(&self.body).map_err(|error| format!("{error}: {}", self.body));
        read.expect("an answer of JSON")
    }
}

/// Sends bytes and reads until the server closes the connection.
pub(crate) async fn send(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    // A server may refuse before it has read everything.
    drop(stream.write_all(bytes).await);
    let mut read = Vec::new();
    drop(stream.read_to_end(&mut read).await);
    Answer::parse(&read)
}

impl Answer {
    /// Parses the first of several responses. Missing parts of a truncated one are empty.
    pub(crate) fn parse(read: &[u8]) -> Self {
        Self::split(read).0
    }

    /// Parses the first response, and returns the bytes after it.
    pub(crate) fn split(read: &[u8]) -> (Self, &[u8]) {
        let end = read.windows(4).position(|window| window == b"\r\n\r\n");
        let (head, rest) = end.map_or((read, &[][..]), |end| (&read[..end], &read[end + 4..]));
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        let (body, rest) = if head.contains("transfer-encoding: chunked") {
            unchunk(rest)
        } else if rest.starts_with(b"HTTP/1.") {
            // A response to HEAD has the length of a body that is not sent.
            (Vec::new(), rest)
        } else {
            let (body, rest) = rest.split_at(length.unwrap_or(rest.len()).min(rest.len()));
            (body.to_vec(), rest)
        };
        (Self { status, head, body: String::from_utf8_lossy(&body).into_owned() }, rest)
    }
}

fn unchunk(mut rest: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size =
            std::str::from_utf8(&rest[..end]).ok().and_then(|size| usize::from_str_radix(size, 16).ok());
        rest = &rest[end + 2..];
        let size = size.unwrap_or(0).min(rest.len());
        body.extend_from_slice(&rest[..size]);
        rest = rest.get(size + 2..).unwrap_or_default();
        if size == 0 {
            break;
        }
    }
    (body, rest)
}

/// Sends a request like a well-behaved client.
pub(crate) async fn request(address: SocketAddr, method: &str, path: &str, body: &str) -> Answer {
    let text = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    send(address, text.as_bytes()).await
}

/// Waits until a value is available. The test fails if it takes too long.
pub(crate) async fn until<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(found) = look() {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{what}");
}

/// Waits until a program has written its process id to `pid` in its directory, and returns the id.
pub(crate) async fn started(workspace: &Path) -> String {
    let pid = until("the program starts", || {
        // The line is complete once it has its line end.
        std::fs::read_to_string(workspace.join("pid")).ok()?.strip_suffix('\n').map(str::to_owned)
    })
    .await;
    assert!(is_alive(&pid));
    pid
}

/// Waits until a process has ended.
pub(crate) async fn gone(pid: &str) {
    until("the program ends", || (!is_alive(pid)).then_some(())).await;
}

/// Returns `true` if a process is running. A zombie has no command line.
fn is_alive(pid: &str) -> bool {
    std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty())
}
