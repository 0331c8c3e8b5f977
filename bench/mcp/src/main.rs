//! Measures the cost that ten MCP servers with 100 skills each add to the start of a program that shows its skills to
//! a model.
//!
//! Each start is a process of this program, which prints its own CPU seconds. The servers are further processes of
//! this program over stdio; their work is not counted. All skills are approved, which is the most expensive case.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::Command;

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::{Value, json};
use skills_load::trust::TrustStore;
use skills_load::{LayersBuilder, RemoteSkills};
use skills_mcp_client::host::{Cache, McpHost, McpSkills};
use skills_mcp_client::{Approved, Options, ServerAddress};

const SERVERS: usize = 10;
const SKILLS: usize = 100;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => measure(10),
        [rounds] => measure(rounds.parse().unwrap()),
        ["serve", log] => serve(Path::new(log)),
        ["start", root, servers] => println!("{}", start(Path::new(root), servers.parse().unwrap())),
        other => panic!("unknown arguments: {other:?}"),
    }
}

/// Measures starts without and with servers, and keeps the smallest time of each.
fn measure(rounds: usize) {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path();
    let local = root.join("local/pdf");
    std::fs::create_dir_all(&local).unwrap();
    std::fs::write(local.join("SKILL.md"), "---\nname: pdf\ndescription: Reads PDF files.\n---\nRead.\n").unwrap();
    for server in connect(root, SERVERS) {
        let skills: Vec<_> =
            server.list().skills.iter().map(|skill| (skill.uri.clone(), skill.contents())).collect();
        assert_eq!(skills.len(), SKILLS);
        TrustStore::read(root.join("trust.json")).approve(&server.server(), skills).unwrap();
    }
    let least = |servers: usize| {
        let one = || {
            let mut command = Command::new(std::env::current_exe().unwrap());
            let output = command.arg("start").arg(root).arg(servers.to_string()).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap().trim().parse::<f64>().unwrap()
        };
        (0..rounds).map(|_| one()).fold(f64::INFINITY, f64::min)
    };
    let (alone, with) = (least(0), least(SERVERS));
    println!("{SERVERS} servers with {SKILLS} approved skills each: {with:.4} CPU s; without servers {alone:.4} CPU s");
    println!("= mcp.start {:.5}", with - alone);
    let (mut starts, mut reads) = (0, 0);
    for server in 0..SERVERS {
        let log = std::fs::read_to_string(root.join(format!("{server}.log"))).unwrap();
        starts += log.lines().filter(|line| *line == "skills/list").count();
        reads += log.lines().filter(|line| !matches!(*line, "skills/list" | "initialize" | "server/discover")).count();
    }
    assert_eq!(starts, SERVERS * (rounds + 1), "each start asks each server once for its list");
    println!("= mcp.reads {reads}");
}

fn connect(root: &Path, servers: usize) -> Vec<McpSkills> {
    if servers == 0 {
        return Vec::new();
    }
    let host = McpHost::new().unwrap().cache(Cache::in_directory(root.join("cache")));
    let program = std::env::current_exe().unwrap();
    let connect = |server: usize| {
        let log = root.join(format!("{server}.log")).to_str().unwrap().to_owned();
        let address = ServerAddress::command(program.to_str().unwrap(), vec!["serve".to_owned(), log]);
        host.skills(&format!("server-{server}"), Approved::typed(address), Options::default()).unwrap()
    };
    (0..servers).map(connect).collect()
}

/// Loads the layers and lists their skills for a model, as a program does when it starts. Returns the CPU
/// seconds of this process.
fn start(root: &Path, servers: usize) -> f64 {
    let builder = LayersBuilder::new().directory(root.join("local")).trust_file(root.join("trust.json"));
    let connected = connect(root, servers);
    let layers = connected.into_iter().fold(builder, |builder, server| builder.mcp(server)).load().unwrap();
    let prompt = layers.prompt();
    assert_eq!(layers.len(), 1 + servers * SKILLS, "{:?}", layers.problems());
    assert!(servers == 0 || prompt.contains("server-9__skill-99"));
    let usage = getrusage(UsageWho::RUSAGE_SELF).unwrap();
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

/// Serves skills over stdio, and writes the method of each request to a log.
fn serve(log: &Path) {
    let mut log = OpenOptions::new().create(true).append(true).open(log).unwrap();
    let skills: Vec<Value> = (0..SKILLS).map(skill).collect();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let (Some(method), id) = (message["method"].as_str(), &message["id"]) else { continue };
        if id.is_null() {
            continue;
        }
        writeln!(log, "{method}").unwrap();
        let answer = match method {
            "initialize" => ("result", json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {"resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}},
                "serverInfo": {"name": "bench", "version": "1"},
            })),
            "skills/list" => ("result", json!({"skills": skills})),
            _ => ("error", json!({"code": -32601, "message": method})),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", json!({"jsonrpc": "2.0", "id": id, answer.0: answer.1})).unwrap();
    }
}

/// Returns the entry of a skill with three files, which nobody reads.
fn skill(number: usize) -> Value {
    let name = format!("skill-{number}");
    let file = |path: &str| {
        let mut digest = String::from("sha256:");
        write!(digest, "{:064x}", number * 10 + path.len()).unwrap();
        json!({"uri": format!("skill://{name}/{path}"), "digest": digest, "size": 1000})
    };
    let files = ["SKILL.md", "references/forms.md", "scripts/run.sh"].map(file);
    let description = format!("Reads and writes documents of kind {number}. Use it when a user names such a document.");
    json!({
        "uri": format!("skill://{name}/SKILL.md"),
        "frontmatter": {"name": name, "description": description, "license": "MIT"},
        "resources": files,
    })
}
