//! A repository that was cloned brings skills along: none does anything before `skills trust`, on any surface.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::command::{Place, Run};
use crate::provider::Provider;

const DIG: &str =
    "---\nname: dig\ndescription: Digs. Use to dig.\nexec: run.sh\nschema: in.json\n---\nDig deep.\n";

/// A home, and a repository with one skill of tier 3.
struct Fixture {
    place: Place,
}

impl Fixture {
    fn new() -> Self {
        let place = Place::new(&[
            ("repo/.claude/skills/dig/SKILL.md", DIG),
            ("repo/.claude/skills/dig/run.sh", "#!/bin/sh\ntouch \"$HOME/ran\"\necho '\"ran\"'\n"),
            ("repo/.claude/skills/dig/in.json", r#"{"type":"object"}"#),
            ("home/note", ""),
        ]);
        Self { place }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command.current_dir(self.place.top.join("repo")).env("HOME", self.place.path("home"));
        command.env_remove("XDG_CONFIG_HOME");
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// Returns `true` if the program of the skill has run, and forgets it.
    fn has_run(&self) -> bool {
        fs::remove_file(self.place.top.join("home/ran")).is_ok()
    }

    /// Runs a server and puts questions to it; the answers.
    fn serve(&self, more: &[&str], asked: &[(&str, &str, Value)]) -> Vec<(u16, String)> {
        let all = [&["serve", "--bind", "127.0.0.1:0", "--enable-exec"], more].concat();
        let mut process = Ended(self.command(&all).stdout(Stdio::piped()).spawn().unwrap());
        let mut line = String::new();
        BufReader::new(process.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").unwrap();
        let ask = |(method, path, body): &(&str, &str, Value)| {
            let body = if *method == "GET" { String::new() } else { body.to_string() };
            let mut stream = TcpStream::connect(address).unwrap();
            let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
            let about = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
            write!(stream, "{head}{about}{body}").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
        };
        asked.iter().map(ask).collect()
    }

    /// Says lines to `skills mcp` and returns its answers by their ids.
    fn mcp(&self, asked: &[(&str, Value)]) -> Vec<Value> {
        let mut process = self.command(&["mcp"]);
        let process = process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = Ended(process.spawn().unwrap());
        let mut input = process.0.stdin.take().unwrap();
        let mut lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
        let start = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let mut answers = Vec::new();
        let all = [("initialize", start)].into_iter().chain(asked.iter().cloned());
        for (id, (method, params)) in all.enumerate() {
            let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            writeln!(input, "{line}").unwrap();
            answers.push(loop {
                let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
                if answer["id"] == json!(id) {
                    break answer;
                }
            });
            if id == 0 {
                writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
                    .unwrap();
            }
        }
        answers
    }
}

/// A process that ends with the test.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

// SPEC 14.13: if a skill of an untrusted workspace has the same name, neither skill runs
#[test]
fn a_name_of_an_untrusted_skill_runs_no_other() {
    let fixture = Fixture::new();
    fixture.place.write("home/.claude/skills/dig/SKILL.md", DIG);
    fixture.place.write("home/.claude/skills/dig/run.sh", "#!/bin/sh\necho '\"the own one\"'\n");
    fixture.place.write("home/.claude/skills/dig/in.json", "{}");
    let own = fixture.place.path("home/.claude/skills");
    let place = fixture.place.path("repo/.claude/skills");
    for (command, prefix) in [("exec", "error: not_trusted: "), ("call", "error: ")] {
        let refused = fixture.run(&[command, "dig", "--input", "{}"]);
        let says =
            format!("{prefix}skill \"dig\" is in a workspace that is not trusted: review {place}/dig, ");
        assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{}", refused.err);
        assert!(refused.err.contains(&says), "{}", refused.err);
        let other = format!("to run the other skill with this name, add `--dir {own}`\n");
        assert!(refused.err.ends_with(&other), "{}", refused.err);
        let named = fixture.run(&[command, "dig", "--input", "{}", "--dir", &own]);
        assert!(named.out.contains("the own one"), "{}", named.err);
    }
    assert!(!fixture.has_run());
    assert_eq!(fixture.run(&["trust", &place]).code, 0);
    assert_eq!(fixture.run(&["exec", "dig", "--input", "{}"]).code, 0);
    assert!(fixture.has_run());
}

// SPEC 14.10, 14.13: `show` prints why a skill is trusted, and an untrusted skill of the same name
#[test]
fn show_names_the_shown_skill() {
    let fixture = Fixture::new();
    let run = fixture.run(&["show", "dig"]);
    assert!(run.out.contains("no, so it is inactive"), "{run:?}");
    let note = "note: skill \"dig\" is in a workspace that is not trusted: review ";
    assert!(run.err.contains(note) && !run.err.contains("the other skill"), "{run:?}");
    fixture.place.write("home/.claude/skills/dig/SKILL.md", DIG);
    fixture.place.write("home/.claude/skills/dig/run.sh", "#!/bin/sh\n");
    fixture.place.write("home/.claude/skills/dig/in.json", "{}");
    let run = fixture.run(&["show", "dig"]);
    assert!(run.out.contains("yes, as one of your own skills"), "{run:?}");
    let own = fixture.place.path("home/.claude/skills/dig");
    let other = format!("; this is the other skill with this name, in {own}\n");
    assert!(run.err.contains(note) && run.err.ends_with(&other), "{run:?}");
    assert_eq!(fixture.run(&["trust", &fixture.place.path("repo/.claude/skills")]).code, 0);
    let run = fixture.run(&["show", "dig"]);
    assert!(run.out.contains("yes, by `skills trust`") && !run.err.contains("not trusted"), "{run:?}");
}

// SPEC 11.30: for an unknown name, the command says that some skills are not trusted, and how to trust them
#[test]
fn an_unknown_name_mentions_untrusted_skills() {
    let fixture = Fixture::new();
    for command in ["call", "exec", "show"] {
        let run = fixture.run(&[command, "dgi"]);
        assert!(
            run.err.contains("note: ")
                && run.err.contains(" is not trusted, and does nothing; `skills trust "),
            "{run:?}"
        );
        assert!(run.err.ends_with("error: skill not found: dgi\n"), "{run:?}");
        assert!(!fixture.run(&[command, "dig"]).err.contains("does nothing"), "its own error says so");
    }
}

// SPEC 14.10: on the command line
#[test]
fn the_commands_run_nothing_before_trust() {
    let fixture = Fixture::new();
    let list = fixture.run(&["list"]);
    assert!(list.out.contains("[untrusted] Digs."), "{}", list.out);
    assert!(list.err.contains("1 skill is not trusted, and does nothing; `skills trust "), "{}", list.err);
    let records: Value = serde_json::from_str(&fixture.run(&["list", "--json", "--all"]).out).unwrap();
    assert_eq!(records[0]["trusted"], json!(false));
    assert!(fixture.run(&["show", "dig"]).out.contains("Dig deep."));
    let shown: Value = serde_json::from_str(&fixture.run(&["show", "dig", "--json"]).out).unwrap();
    assert_eq!(shown["trusted"], json!(false));
    assert!(fixture.run(&["explain", "skill-untrusted"]).out.contains("skills trust --list"));
    for command in [&["exec", "dig", "--input", "{}"][..], &["call", "dig"], &["call", "dig", "--dry-run"]] {
        let run = fixture.run(command);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{command:?}: {}", run.err);
        assert!(run.err.contains("is in a workspace that is not trusted"), "{command:?}: {}", run.err);
        assert!(
            run.err.contains(&format!("`skills trust {}`", fixture.place.path("repo/.claude/skills"))),
            "{}",
            run.err
        );
    }
    assert!(!fixture.run(&["prompt"]).out.contains("dig"));
    for (command, mark) in [
        (&["search", "dig"][..], "dig  [untrusted] Digs."),
        (&["search", "dig", "--json"], "\"trusted\": false"),
        (&["weigh"], "dig [untrusted]"),
        (&["weigh", "--json"], "\"trusted\": false"),
        (&["graph"], "not trusted"),
        (&["tools", "--format", "mcp"], "\"[untrusted] Digs. Use to dig.\""),
        (&["tools", "--format", "openai"], "\"[untrusted] Digs. Use to dig.\""),
    ] {
        let run = fixture.run(command);
        assert!(run.code == 0 && run.out.contains(mark), "{command:?}: {run:?}");
    }
    let weighed: Value = serde_json::from_str(&fixture.run(&["weigh", "--json"]).out).unwrap();
    assert_eq!(weighed["catalogs"]["omega"]["tokens"], json!(0), "no model sees it");
    assert!(!fixture.has_run());
    // To name the directory is to answer for it.
    assert_eq!(fixture.run(&["exec", "dig", "--dir", ".claude/skills", "--input", "{}"]).code, 0);
    assert!(fixture.has_run());

    let trusted = fixture.run(&["trust", "."]);
    assert_eq!(
        trusted.out,
        format!("trusted: {}\n", fixture.place.path("repo/.claude/skills")),
        "{}",
        trusted.err
    );
    assert_eq!(fixture.run(&["exec", "dig", "--input", "{}"]).code, 0);
    assert!(fixture.has_run());
    assert_eq!(fixture.run(&["call", "dig"]).out, "\"ran\"\n");
    assert!(fixture.run(&["prompt"]).out.contains("dig"));
    let list = fixture.run(&["list", "--json"]);
    assert!(!list.out.contains("\"trusted\"") && list.err.is_empty(), "{}{}", list.out, list.err);
    let file = fixture.place.top.join("home/.config/skills/trust.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

// SPEC 14.11, 14.12
#[test]
fn changed_skills_need_new_trust() {
    let fixture = Fixture::new();
    assert_eq!(fixture.run(&["trust", "--list"]).out, "");
    assert_eq!(fixture.run(&["trust", "."]).code, 0);
    assert!(fixture.run(&["trust", "--list"]).out.starts_with("trusted  "));
    fixture.place.write("repo/.claude/skills/dig/run.sh", "#!/bin/sh\ntouch \"$HOME/ran\"; echo 2\n");
    let run = fixture.run(&["exec", "dig", "--input", "{}"]);
    assert!(run.code == 1 && run.err.contains("changed: dig/run.sh"), "{}", run.err);
    assert!(!fixture.has_run());
    let list = fixture.run(&["trust", "--list"]);
    assert!(
        list.out.starts_with("changed  ") && list.out.ends_with("\n  changed: dig/run.sh\n"),
        "{}",
        list.out
    );
    assert!(fixture.run(&["list"]).err.starts_with("warning: "));
    assert_eq!(fixture.run(&["trust", "."]).code, 0);
    assert_eq!(fixture.run(&["exec", "dig", "--input", "{}"]).code, 0);
    assert!(fixture.has_run());
    assert!(fixture.run(&["trust", "--revoke", "."]).out.starts_with("no longer trusted: "));
    assert_eq!(fixture.run(&["trust", "--revoke", "."]).code, 1);
    assert_eq!(fixture.run(&["exec", "dig", "--input", "{}"]).code, 1);
    // Moved, it is another place.
    assert_eq!(fixture.run(&["trust", "."]).code, 0);
    fs::rename(fixture.place.top.join("repo"), fixture.place.top.join("moved")).unwrap();
    let mut moved = fixture.command(&["exec", "dig", "--input", "{}"]);
    assert_eq!(Run::of(moved.current_dir(fixture.place.top.join("moved"))).code, 1);
    assert!(!fixture.has_run());
    // Wrong use, and nowhere to keep it.
    let mut homeless = fixture.command(&["trust", ".claude/skills"]);
    fs::rename(fixture.place.top.join("moved"), fixture.place.top.join("repo")).unwrap();
    let run = Run::of(homeless.env("HOME", fixture.place.path("home/note")));
    assert!(run.code == 1 && run.err.contains("cannot be written"), "{}", run.err);
    let run = fixture.run(&["trust", "../home"]);
    assert!(run.code == 1 && run.err.contains("there are no skills in it"), "{}", run.err);
    // Without DIR, it is the current directory.
    let run = fixture.run(&["trust"]);
    assert!(run.code == 0 && run.out.starts_with("trusted: "), "{run:?}");
    assert!(fixture.run(&["trust", "--revoke"]).out.starts_with("no longer trusted: "));
}

// SPEC 14.12: only a directory that had trusted skills has lost them
#[test]
fn a_directory_without_trusted_skills_has_lost_none() {
    let fixture = Fixture::new();
    fixture.place.write("repo/more/dig/SKILL.md", DIG);
    assert_eq!(fixture.run(&["trust", "more"]).code, 0);
    fs::remove_dir_all(fixture.place.top.join("repo/.claude")).unwrap();
    fixture.place.write("repo/skills/other/SKILL.md", &DIG.replace("dig", "other"));
    assert_eq!(fixture.run(&["trust", "skills"]).code, 0);
    fixture.place.write("all/dig/SKILL.md", &DIG.replace("exec: run.sh\nschema: in.json\n", ""));
    fixture.place.write("all/.agents/skills/.keep", "");
    let run = |arguments: &[&str]| {
        let mut command = fixture.command(arguments);
        Run::of(command.current_dir(fixture.place.top.join("all")))
    };
    fs::remove_dir_all(fixture.place.top.join("all/.agents")).unwrap();
    assert_eq!(run(&["trust", "."]).code, 0);
    fixture.place.write("all/dig/SKILL.md", &DIG.replace("Digs.", "Digs more."));
    for arguments in [vec!["search", "dig"], vec!["list"], vec!["search", "dig", "--dir", "."]] {
        let run = run(&arguments);
        assert!(!run.err.contains("no longer exist"), "{arguments:?}: {run:?}");
    }
}

// SPEC 14.23
#[test]
fn an_installed_copy_is_no_news() {
    let fixture = Fixture::new();
    fs::remove_dir_all(fixture.place.top.join("repo/.claude")).unwrap();
    assert_eq!(fixture.run(&["new", "fill", "--exec", "sh", "--description", "Fills. Use to fill."]).code, 0);
    let options = ["--dir", "skills", "--agent", "claude"];
    assert_eq!(fixture.run(&[&["install"], &options[..]].concat()).code, 0);
    assert_eq!(fixture.run(&[&["status"], &options[..]].concat()).err, "");
    for command in [&["list"][..], &["prompt"], &["exec", "fill", "--input", "{\"text\": \"a\"}"]] {
        let run = fixture.run(command);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{command:?}");
    }
    // The source is edited: the copy is older, which `status` says.
    let source = fixture.place.top.join("repo/skills/fill/SKILL.md");
    fs::write(&source, fs::read_to_string(&source).unwrap() + "\nMore.\n").unwrap();
    assert_eq!(fixture.run(&["list"]).err, "");
    assert!(fixture.run(&[&["status"], &options[..]].concat()).out.contains("outdated"));
    // A copy that was edited is still hidden, and says so.
    fixture.place.write("repo/.claude/skills/fill/more.md", "More.");
    let run = fixture.run(&["list"]);
    assert!(run.err.contains("is shadowed by") && !run.err.contains("not trusted"), "{run:?}");
    // Alone, it is a skill of a workspace that nobody has trusted.
    fs::remove_dir_all(fixture.place.top.join("repo/skills")).unwrap();
    assert!(fixture.run(&["list"]).err.contains("1 skill is not trusted"));
}

// SPEC 14.10: if no skill is trusted, nothing is installed, and what was installed before stays
#[test]
fn an_installation_without_trusted_skills_fails() {
    let fixture = Fixture::new();
    fixture.place.write(
        "repo/skills/fill/SKILL.md",
        "---\nname: fill\ndescription: Fills. Use to fill.\n---\nFill.\n",
    );
    let install = |more: &[&str]| fixture.run(&[&["install", "--to", "../agent"], more].concat());
    let fails = || {
        for more in [&[][..], &["--dry-run"], &["--ci"], &["--json"]] {
            let run = install(more);
            assert_eq!((run.code, run.out.as_str()), (1, ""), "{more:?}: {run:?}");
            assert!(
                run.err.contains("nothing was installed, because no skill is trusted"),
                "{more:?}: {run:?}"
            );
            assert!(!run.err.contains("up to date"), "{run:?}");
        }
    };
    fails();
    assert_eq!(fixture.run(&["trust", "skills"]).code, 0);
    assert_eq!(install(&[]).out, "create  fill/SKILL.md\n");
    fixture.place.write("repo/skills/fill/more.md", "More.\n");
    fails();
    assert!(fixture.place.top.join("agent/skills/fill/SKILL.md").exists());
}

// SPEC 14.10: over HTTP, and in a chat
#[test]
fn http_runs_nothing_before_trust() {
    let fixture = Fixture::new();
    let run = json!({"input": {}});
    let chat = json!({"id": "c", "trigger": "submit-message", "messages": [
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "hello"}]}
    ]});
    let asked = [
        ("GET", "/v1/skills", Value::Null),
        ("GET", "/v1/skills/dig", Value::Null),
        ("POST", "/v1/skills/dig/exec", run.clone()),
        ("POST", "/v1/skills/dig/call", run),
        ("POST", "/api/ai/chat", chat),
    ];
    let printed =
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"No."},"finish_reason":"stop"}]}"#;
    let stream = format!("data: {printed}\n\ndata: [DONE]\n\n");
    for is_trusted in [false, true] {
        let provider = Provider::start(&[&stream]);
        let model = ["--model", "m", "--base-url", &provider.url];
        let answers = fixture.serve(&model, &asked);
        let statuses: Vec<u16> = answers.iter().map(|(status, _)| *status).collect();
        let offered = provider.asked().iter().any(|(_, body)| body.to_string().contains("dig"));
        assert_eq!(offered, is_trusted, "{:?}", provider.asked());
        if is_trusted {
            assert_eq!(statuses[..4], [200, 200, 200, 200], "{answers:?}");
            assert!(fixture.has_run());
        } else {
            assert_eq!(statuses[..4], [200, 404, 403, 403], "{answers:?}");
            assert_eq!(answers[0].1, "[]");
            for (_, body) in &answers[2..4] {
                let body: Value = serde_json::from_str(body).unwrap();
                assert_eq!(body["error"], "not_trusted");
                assert!(body["detail"].as_str().unwrap().contains("`skills trust "), "{body}");
            }
            assert!(!fixture.has_run());
            assert_eq!(fixture.run(&["trust", "."]).code, 0);
        }
    }
}

// SPEC 14.10: over MCP
#[test]
fn mcp_offers_nothing_before_trust() {
    let fixture = Fixture::new();
    let asked = [
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("tools/call", json!({"name": "dig", "arguments": {}})),
        ("resources/read", json!({"uri": "skill://dig/SKILL.md"})),
        ("prompts/get", json!({"name": "dig"})),
    ];
    let before = fixture.mcp(&asked);
    assert!(before.iter().skip(1).all(|answer| !answer["result"].to_string().contains("Dig")), "{before:?}");
    assert_eq!(before[1]["result"]["tools"], json!([]));
    assert!(before[5].get("error").is_some() && before[6].get("error").is_some(), "{before:?}");
    assert!(!fixture.has_run());
    assert_eq!(fixture.run(&["trust", "."]).code, 0);
    let after = fixture.mcp(&asked);
    assert_eq!(after[1]["result"]["tools"][0]["name"], "dig");
    assert!(after[5].to_string().contains("Dig deep."), "{after:?}");
    assert!(after[4]["result"].to_string().contains("ran"), "{after:?}");
    assert!(fixture.has_run());
}

// SPEC 14.6
#[test]
fn a_signature_can_be_required() {
    let fixture = Fixture::new();
    let keys = test_bed::Kind::Ed25519;
    fixture.place.write("key.pem", keys.private());
    fixture.place.write("pub.pem", keys.public());
    let signed = |command: &[&str]| fixture.run(&[command, &["--require-signature", "../pub.pem"]].concat());
    let run = |command: &[&str]| signed(&[command, &["--dir", ".claude/skills"]].concat());
    let exec = ["exec", "dig", "--input", "{}"];
    let refused = run(&exec);
    assert!(refused.code == 1 && refused.err.contains("it is not signed"), "{}", refused.err);
    let install = ["install", "--to", "t"];
    let refused = run(&install);
    assert!(
        refused.code == 1 && refused.err.contains("`dig` is not installed: it is not signed"),
        "{}",
        refused.err
    );
    assert!(!fixture.has_run());
    assert_eq!(fixture.run(&["sign", ".claude/skills/dig", "--key", "../key.pem"]).code, 0);
    assert_eq!(run(&exec).code, 0);
    assert!(fixture.has_run());
    assert_eq!(run(&["call", "dig"]).out, "\"ran\"\n");
    assert!(signed(&["list", ".claude/skills"]).out.contains("  Digs."));
    assert_eq!(run(&install).code, 0);
    assert_eq!(fixture.run(&["verify", "t", "--key", "../pub.pem"]).code, 0);
    fixture.place.write(".claude/skills/dig/in.json", "{}");
    fixture.place.write("repo/.claude/skills/dig/in.json", "{}");
    let refused = run(&["call", "dig"]);
    assert!(refused.code == 1 && refused.err.contains("changed: in.json"), "{}", refused.err);
    let wrong = fixture.run(&["list", "--require-signature", "../key.pem"]);
    assert!(wrong.code == 2 && wrong.err.contains("it is a private key"), "{}", wrong.err);
}

// SPEC 14.10: a command in a message can be pasted as it is
#[test]
fn a_hint_is_a_command_whatever_the_path() {
    let fixture = Fixture::new();
    let odd = fixture.place.top.join("it's a repo");
    fs::rename(fixture.place.top.join("repo"), &odd).unwrap();
    let run = |arguments: &[&str]| Run::of(fixture.command(arguments).current_dir(&odd));
    for printed in [run(&["list"]).err, run(&["call", "dig"]).err] {
        let (_, hint) = printed.split_once("`skills trust ").unwrap();
        let (word, _) = hint.split_once('`').unwrap();
        let path = Run::of(Command::new("sh").args(["-c", &format!("printf %s {word}")])).out;
        assert_eq!(path, odd.join(".claude/skills").to_str().unwrap(), "{printed}");
        assert_eq!(run(&["trust", &path]).code, 0);
        assert_eq!(run(&["call", "dig"]).code, 0);
        assert_eq!(run(&["trust", "--revoke", &path]).code, 0);
    }
}

// SPEC 22.10: a program also reads the skills in backups, so their servers are shown, too
#[test]
fn trust_shows_the_servers_of_every_skill() {
    let function = json!({
        "name": "ask", "description": "Asks. Use to ask.", "category": "test", "mode": "mcp",
        "input": {"type": "object"}, "output": {"type": "object"},
        "mcp": {"server": "other", "tool": "ask", "digest": format!("sha256:{}", "0".repeat(64))},
    });
    let function = function.to_string();
    let place = Place::new(&[("skills/backup/ask/skill.json", &function), ("skills/dig/SKILL.md", DIG)]);
    let run = place.run(&["trust", "skills"]);
    assert!(run.code == 0 && format!("{}{}", run.out, run.err).contains("other"), "{run:?}");
}
