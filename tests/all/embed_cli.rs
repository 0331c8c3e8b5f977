//! Tests the example `embed_cli`: a program that adds the commands for its own skills with one line.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// Builds the example, once, and returns the program.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // With the features of the whole workspace, as `cargo test --workspace` has built it in this target directory.
        let arguments =
            ["build", "--quiet", "--workspace", "--example", "embed_cli", "--message-format", "json"];
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory");
        let output = test_bed::cargo(target)
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo starts");
        assert!(output.status.success(), "it builds");
        let messages = text(&output.stdout).lines().map(serde_json::from_str::<serde_json::Value>);
        let built = messages.map(|message| message.expect("cargo writes JSON"));
        let mut built = built.filter(|message| message["target"]["name"] == "embed_cli");
        let path = built.find_map(|message| message["executable"].as_str().map(PathBuf::from));
        path.expect("cargo names what it built")
    })
}

/// Returns a command with arguments, ready to run.
fn command(arguments: &[&str], cache: &Path) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).current_dir(cache).env("XDG_CACHE_HOME", cache);
    command
}

fn run(arguments: &[&str], cache: &Path) -> Output {
    command(arguments, cache).output().expect("it starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it writes UTF-8")
}

/// A temporary directory that is removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("skills-embed-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

// SPEC 14.7: the digest is a constant of the program, and can be computed from its files
#[test]
fn the_digest_is_that_of_the_files() {
    let scratch = Scratch::new("digest");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("skills");
    let mut files = Vec::new();
    list(&root, &root, &mut files);
    files.sort();
    let hex = |bytes: [u8; 32]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    let line = |path: &String| {
        let bytes = std::fs::read(root.join(path)).expect("a file");
        format!("{}  {path}\n", hex(hmac_sha256::Hash::hash(&bytes)))
    };
    let lines: String = files.iter().map(line).collect();
    let digest = hex(hmac_sha256::Hash::hash(lines.as_bytes()));
    let version = run(&["skill", "version", "--verbose"], &scratch.0);
    assert!(text(&version.stdout).ends_with(&format!("\nbundle: sha256:{digest}\n")), "{version:?}");
    assert_eq!(text(&run(&["skill", "version"], &scratch.0).stdout), "embed_cli\n");
    let mut mcp = command(&["skill", "mcp"], &scratch.0);
    let mut child = mcp.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let start = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    writeln!(child.stdin.take().expect("piped"), "{start}").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(text(&output.stdout).contains(&format!("bundle sha256:{digest}\"")), "{output:?}");
}

/// Lists the files below a directory that are not hidden. These are the bundled files.
fn list(root: &Path, directory: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.starts_with('.') || name == "__pycache__" {
            continue;
        }
        if path.is_dir() {
            list(root, &path, files);
        } else {
            files.push(path.strip_prefix(root).expect("below").to_str().expect("UTF-8").to_owned());
        }
    }
}

// SPEC 11.1: the records of the program's own skills, `path` is `skill://NAME`
#[test]
fn the_records_are_those_of_the_program() {
    let scratch = Scratch::new("list");
    let output = run(&["skill", "list", "--json"], &scratch.0);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let records: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let records = records.as_array().unwrap();
    let count = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("skills")).unwrap().count();
    assert_eq!(records.len(), count);
    for record in records {
        assert_eq!(record["path"], format!("skill://{}", record["name"].as_str().unwrap()));
    }
    let shown = run(&["skill", "show", "csv-profile", "--json"], &scratch.0);
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
    let body = include_str!("../../skills/csv-profile/SKILL.md").split_once("\n---\n").unwrap().1;
    assert_eq!(shown["body"], body.trim_start_matches('\n'), "SPEC 2.8");
    assert_eq!(shown["input"]["required"], serde_json::json!(["path"]), "SPEC 4.3");
}

// SPEC 7.4: the files are unpacked into the cache and run there; SPEC 11.1: the exit code is passed on
#[test]
#[ignore = "needs python3"]
fn a_program_is_unpacked_and_run() {
    let scratch = Scratch::new("exec");
    test_bed::need("python3");
    std::fs::write(scratch.0.join("table.csv"), "name,age\nAda,36\n").unwrap();
    let workspace = scratch.0.to_str().unwrap();
    let exec = |input: &str| {
        let arguments =
            ["skill", "exec", "csv-profile", "--workspace", workspace, "--timeout", "1m", "--input", input];
        run(&arguments, &scratch.0)
    };
    let output = exec(r#"{"path": "table.csv"}"#);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let profile: serde_json::Value = serde_json::from_str(outcome["stdout"].as_str().unwrap()).unwrap();
    assert_eq!(profile["rows"], 1);
    assert!(scratch.0.join("skills/exec").is_dir(), "the cache is in use");
    assert_eq!(exec(r#"{"path": "none.csv"}"#).status.code(), Some(1));
    let refused = exec("{}");
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(1), ""));
    assert!(text(&refused.stderr).starts_with("error: invalid_input: "), "{}", text(&refused.stderr));
}

// SPEC 11.1, 6.2, 6.4: the runner that the program gives calls its skills as functions
#[test]
fn skills_are_called() {
    let scratch = Scratch::new("call");
    let workspace = scratch.0.to_str().unwrap();
    let call = |arguments: &[&str]| {
        run(&[&["skill", "call", "--workspace", workspace], arguments].concat(), &scratch.0)
    };
    let plan = call(&["summarize", "--dry-run", "--input", r#"{"text": "a"}"#]);
    assert!(plan.status.success(), "{}", text(&plan.stderr));
    let plan: serde_json::Value = serde_json::from_slice(&plan.stdout).unwrap();
    assert_eq!(
        plan["prompt"],
        include_str!("../../skills/summarize/prompt.md"),
        "SPEC 5.8: without templates"
    );
    let refused = call(&["memory_search", "--input", r#"{"query": 1}"#]);
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(1), ""));
    assert_eq!(
        text(&refused.stderr),
        "error: Skill \"memory_search\" input validation failed\n/query: type: expected a string, found 1\n"
    );
    // SPEC 9.14: a function without a text says how it is called
    let printed = run(&["skill", "research_and_summarize"], &scratch.0);
    let printed = text(&printed.stdout);
    assert!(
        printed.contains("\n\nRun `embed_cli skill call research_and_summarize --input JSON`, "),
        "{printed}"
    );
    assert!(printed.ends_with("}\n```\n") && printed.contains("\"properties\""), "{printed}");
}

// SPEC 11.1, 6.2: a program of the bundle answers a call
#[test]
#[ignore = "needs python3"]
fn a_program_is_called() {
    test_bed::need("python3");
    let scratch = Scratch::new("called");
    let workspace = scratch.0.to_str().unwrap();
    let call = |arguments: &[&str]| {
        run(&[&["skill", "call", "--workspace", workspace], arguments].concat(), &scratch.0)
    };
    std::fs::create_dir(scratch.0.join("memory")).unwrap();
    std::fs::write(scratch.0.join("memory/oven.md"), "# Oven\n\nThe oven runs hot.\n").unwrap();
    let found = call(&["memory_search", "--input", r#"{"query": "oven"}"#]);
    let found: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(found["count"], 1);
}

// SPEC 9.1: `install` and `uninstall`, by the name of the program; SPEC 8.3, 11.1: errors on stderr, 1 and 2
#[test]
fn skills_are_installed_and_removed() {
    let scratch = Scratch::new("install");
    let target = scratch.0.join("t");
    let run = |arguments: &[&str]| run(arguments, &scratch.0);
    let to = ["--to", target.to_str().unwrap()];
    let with = |command: &[&'static str]| [&["skill"], command, &to].concat();
    assert!(run(&with(&["install", "commit-message"])).status.success());
    assert!(target.join("skills/commit-message/SKILL.md").is_file());
    let status = run(&with(&["status", "commit-message"]));
    assert_eq!(text(&status.stdout), "current   commit-message  1.0.0, installed by embed_cli\n");
    assert!(run(&with(&["uninstall"])).status.success());
    assert!(!target.join("skills/commit-message").exists());

    let unknown = run(&["skill", "show", "commit-mesage"]);
    assert_eq!((unknown.status.code(), text(&unknown.stdout)), (Some(1), ""));
    assert!(text(&unknown.stderr).ends_with("did you mean `commit-message`?\n"));
    assert_eq!(run(&["skill", "lst"]).status.code(), Some(2));
}

// SPEC 11.1, 11.4: lines of MCP on standard input are answered for the program's own skills, until the input ends
#[test]
fn clients_of_mcp_are_served() {
    let scratch = Scratch::new("mcp");
    let mut child = command(&["skill", "mcp"], &scratch.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
        r#""capabilities":{},"clientInfo":{"name":"lines","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":3,"method":"prompts/list"}"#,
        "\n",
    );
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let answers: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answer = |id: u64| &answers.iter().find(|answer| answer["id"] == id).unwrap()["result"];
    assert_eq!(answer(1)["serverInfo"]["name"], "embed_cli");
    let names = |list: &serde_json::Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    // This program has no model, so skills that call one are not tools (SPEC 6.2). A program with a schema is
    // a tool (6.3).
    assert_eq!(names(&answer(2)["tools"]), ["csv-profile", "load_skill", "memory_search"]);
    assert!(names(&answer(3)["prompts"]).contains(&"commit-message".to_owned()));
    let refused = run(&["skill", "mcp", "--bind", "0.0.0.0:0"], &scratch.0);
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(2), ""));
}

// SPEC 11.1, 11.2: the program's own skills over HTTP; running is disabled by default, and a signal ends the server
#[test]
fn skills_are_served_over_http() {
    let scratch = Scratch::new("serve");
    let mut child = command(&["skill", "serve", "--bind", "127.0.0.1:0"], &scratch.0)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("http://").unwrap();
    let ask = |line: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!("{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        write!(stream, "{head}Content-Length: 0\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().to_owned(), body.to_owned())
    };
    let listed = run(&["skill", "list", "--json"], &scratch.0);
    assert_eq!(ask("GET /v1/skills"), ("200".to_owned(), text(&listed.stdout).trim_end().to_owned()));
    assert_eq!(ask("POST /v1/skills/memory_search/call").0, "403");
    let ended = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status().unwrap();
    assert!(ended.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
