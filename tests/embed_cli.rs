//! The example `embed_cli`: a program that adds the commands for its own skills in one line.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the example; cargo builds it, and passes on its exit code.
fn run(arguments: &[&str], cache: &Path) -> Output {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--example", "embed_cli", "--features", "call", "--"]).args(arguments);
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_CACHE_HOME", cache)
        .output()
        .expect("cargo starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it writes UTF-8")
}

/// A directory below the system's temporary one, removed on drop.
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
    let body = include_str!("../skills/csv-profile/SKILL.md").split_once("\n---\n").unwrap().1;
    assert_eq!(shown["body"], body.trim_start_matches('\n'), "SPEC 2.8");
    assert_eq!(shown["input"]["required"], serde_json::json!(["path"]), "SPEC 4.3");
}

// SPEC 7.4: the files are unpacked into the cache and run there; SPEC 11.1: the exit code is passed on
#[test]
fn a_program_is_unpacked_and_run() {
    let scratch = Scratch::new("exec");
    if !skills::is_on_path("python3", &std::env::var_os("PATH").unwrap_or_default()) {
        eprintln!("SKIPPED: `python3` is not installed");
        return;
    }
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
    assert!(text(&refused.stderr).starts_with("invalid_input: "), "{}", text(&refused.stderr));
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
    assert_eq!(plan["prompt"], include_str!("../skills/summarize/prompt.md"), "SPEC 5.8: without templates");
    let refused = call(&["memory_search", "--input", r#"{"query": 1}"#]);
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(1), ""));
    assert_eq!(
        text(&refused.stderr),
        "Skill \"memory_search\" input validation failed\n/query: type: expected a string, found 1\n"
    );
    if !skills::is_on_path("python3", &std::env::var_os("PATH").unwrap_or_default()) {
        eprintln!("SKIPPED: `python3` is not installed");
        return;
    }
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
    assert_eq!(text(&status.stdout), "current   commit-message  0.1.0 of embed_cli\n");
    assert!(run(&with(&["uninstall"])).status.success());
    assert!(!target.join("skills/commit-message").exists());

    let unknown = run(&["skill", "show", "commit-mesage"]);
    assert_eq!((unknown.status.code(), text(&unknown.stdout)), (Some(1), ""));
    assert!(text(&unknown.stderr).ends_with("did you mean `commit-message`?\n"));
    assert_eq!(run(&["skill", "lst"]).status.code(), Some(2));
}
