//! `skills plugin`: packed plugins load in clients, and their server answers.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::command::Place;

const SKILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills");

fn checked(place: &Place, dir: &str, rest: &[&str]) -> (i32, Value) {
    let run = place.run(&[&["plugin", "check", dir, "--json"], rest].concat());
    (run.code, serde_json::from_str(&run.out).unwrap())
}

// SPEC 15.10
#[test]
fn check_prints_one_object_and_fails_when_anything_is_skipped() {
    let place = Place::new(&[
        (
            "p/plugin.json",
            r#"{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "p"}"#,
        ),
        ("p/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n"),
        (
            "p/mcp.json",
            r#"{"$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
            "mcpServers": {"b": {"type": "stdio", "command": "npx"}, "a": {"type": "sse", "url": "https://a.b/"}}}"#,
        ),
    ]);
    let good = json!({"format_version": 1, "format": "agent-plugins", "accepted": true, "skipped": false, "skills": ["pdf"], "mcp_servers": ["a", "b"], "problems": []});
    assert_eq!(checked(&place, "p", &[]), (0, good));
    place.write("p/skills/bad/SKILL.md", "---\nname: other\ndescription: Is called otherwise.\n---\n");
    let (code, found) = checked(&place, "p", &[]);
    assert_eq!((code, &found["accepted"], &found["skills"]), (1, &json!(true), &json!(["pdf"])));
    let problem = &found["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["path"], &problem["line"]),
        (&json!("name-mismatch"), &json!("skills/bad/SKILL.md"), &json!(2))
    );
    place.write("p/plugin.json", "{\"name\": 1}");
    let (code, found) = checked(&place, "p", &[]);
    assert_eq!(
        (code, &found["accepted"], &found["skills"], &found["mcp_servers"]),
        (1, &json!(false), &json!([]), &json!([]))
    );
    let run = place.run(&["plugin", "check", "p"]);
    assert!(run.code == 1 && run.out.contains("p/plugin.json:1:") && run.err.contains("rejected"), "{run:?}");
    let missing = place.run(&["plugin", "check", "nowhere", "--json"]);
    assert_eq!((missing.code, missing.err.as_str()), (2, "error: there is no directory `nowhere`\n"));
}

// SPEC 15.9: a skill that breaks the standard but loads in Claude Code is kept
#[test]
fn skills_of_claude_are_those_that_it_loads() {
    let place = Place::new(&[
        ("p/.claude-plugin/plugin.json", r#"{"name": "p"}"#),
        (
            "p/skills/pdf/SKILL.md",
            "---\nname: Reading PDF\ndescription: Reads PDF files.\nallowed-tools: [Read, Grep]\nmetadata: {tags: [a]}\n---\n",
        ),
        ("p/skills/csv/SKILL.md", "---\nname: csv\ndescription: [broken\n---\n"),
    ]);
    let (code, found) = checked(&place, "p", &["--agent", "claude"]);
    assert_eq!((code, &found["accepted"], &found["skills"]), (1, &json!(true), &json!(["Reading PDF"])));
    let reported: Vec<_> = found["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["code"].as_str(), p["level"].as_str()))
        .collect();
    assert_eq!(reported, [(Some("yaml-syntax"), Some("error")), (Some("name-invalid"), Some("warning"))]);
    fs::remove_dir_all(place.path("p/skills/csv")).unwrap();
    assert_eq!(checked(&place, "p", &["--agent", "claude"]).0, 0);
}

// SPEC 15.10
#[test]
fn a_new_plugin_passes_check() {
    let place = Place::new(&[]);
    for name in ["my-plugin", "acme.tools", "a"] {
        let made = place.run(&["plugin", "new", name, "--agent", "claude"]);
        assert_eq!(made.code, 0, "{made:?}");
        let (code, found) = checked(&place, name, &[]);
        assert_eq!((code, &found["problems"]), (0, &json!([])), "{name}: {found}");
        assert_eq!(checked(&place, name, &["--agent", "claude"]).0, 0);
        let skills = place.run(&["check", &format!("{name}/skills")]);
        assert_eq!(skills.code, 0, "{skills:?}");
    }
    assert_eq!(place.run(&["plugin", "new", "a"]).code, 1, "it is there already");
    let wrong = place.run(&["plugin", "new", "My_Plugin"]);
    assert!(wrong.code == 2 && wrong.err.contains("`my-plugin`"), "{wrong:?}");
}

// SPEC 15.10, 9.7
#[test]
fn a_packed_plugin_is_loaded_whole_and_its_server_calls_the_skills() {
    let place = Place::new(&[]);
    let packed = place.run(&[
        "plugin",
        "pack",
        SKILLS,
        "--to",
        "out/tools",
        "--plugin-version",
        "1.2.0",
        "--with-program",
        "--agent",
        "claude",
    ]);
    assert_eq!(packed.code, 0, "{packed:?}");
    let (code, found) = checked(&place, "out/tools", &[]);
    assert_eq!(
        (code, &found["problems"], &found["mcp_servers"]),
        (0, &json!([]), &json!(["tools"])),
        "{found}"
    );
    let names: Vec<&str> =
        found["skills"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(names.contains(&"code-review") && names.contains(&"systematic-debugging"), "{names:?}");
    assert_eq!(checked(&place, "out/tools", &["--agent", "claude"]).0, 0);
    // The same skills, by the same names, in the bundle and in the plugin.
    let listed = |dir: &str| -> Vec<String> {
        let list: Value = serde_json::from_str(&place.run(&["list", dir, "--json"]).out).unwrap();
        list.as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed("out/tools/skills"), listed(SKILLS), "the round trip is kept");
    let check = place.run(&["check", "out/tools/skills"]);
    assert_eq!(check.code, 0, "{check:?}");

    // Started as a client starts it.
    let root = fs::canonicalize(place.top.join("out/tools")).unwrap();
    let config: Value = serde_json::from_str(&fs::read_to_string(root.join("mcp.json")).unwrap()).unwrap();
    let server = &config["mcpServers"]["tools"];
    let args = server["args"].as_array().unwrap().iter();
    let args = args.map(|word| word.as_str().unwrap().replace("${PLUGIN_ROOT}", root.to_str().unwrap()));
    let mut child = Command::new(root.join(server["command"].as_str().unwrap().trim_start_matches("./")))
        .args(args)
        .current_dir(&root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |id: u32, method: &str, params: Value| -> Value {
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .unwrap();
        loop {
            let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    };
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    assert!(ask(1, "initialize", client)["serverInfo"].is_object());
    let tools = ask(2, "tools/list", json!({}))["tools"].clone();
    let tools: Vec<&str> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(tools.contains(&"memory_search"), "{tools:?}");
    let found = ask(3, "tools/call", json!({"name": "memory_search", "arguments": {"query": "oven"}}));
    assert_ne!(found["isError"], json!(true), "{found}");
    child.kill().unwrap();
    child.wait().unwrap();
}

// SPEC 15.10
#[test]
fn existing_files_are_kept_and_skipped_skills_are_reported() {
    let place =
        Place::new(&[("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")]);
    let pack = |rest: &[&str]| place.run(&[&["plugin", "pack", "skills", "--to", "."], rest].concat());
    let first = pack(&["--name", "office", "--no-server"]);
    assert_eq!(
        (first.code, first.out.as_str()),
        (0, "create  plugin.json\n"),
        "the skills lie there: {first:?}"
    );
    let own = fs::read_to_string(place.top.join("plugin.json")).unwrap().replace("0.1.0", "3.0.0");
    place.write("plugin.json", &own);
    assert_eq!(pack(&["--name", "office", "--no-server"]).out, "keep    plugin.json\n");
    assert_eq!(pack(&["--name", "office", "--no-server", "--force"]).out, "replace plugin.json\n");
    let wrong = pack(&["--name", "My Office"]);
    assert!(wrong.code == 2 && wrong.err.contains("`my-office`"), "{wrong:?}");
    // SPEC 11.27: a repeated packing says that it did nothing.
    let again = pack(&["--name", "office", "--no-server"]);
    assert_eq!((again.out.as_str(), again.err.as_str()), ("", "nothing has changed in .\n"), "{again:?}");
    // A skill of prose keeps its name, which is not valid in the standard.
    place.write(
        "skills/two_words/SKILL.md",
        "---\nname: two_words\ndescription: Has two words.\n---\n# Two\n",
    );
    let reported = place.run(&["plugin", "pack", "skills", "--to", "out"]);
    assert!(reported.code == 1 && reported.err.contains("two_words"), "{reported:?}");
    place.write("skills/pdf/SKILL.md", "---\nname: [pdf\n---\n");
    let broken = place.run(&["plugin", "pack", "skills", "--to", "never"]);
    assert!(broken.code == 1 && !place.top.join("never").exists(), "{broken:?}");
}

// SPEC 12.3, 15.10: existing links in the plugin do not lead written files out of it
#[test]
fn a_packed_plugin_follows_no_link() {
    let place = Place::new(&[("victim", "precious"), ("p/skills/.keep", "")]);
    let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, place.top.join(at)).unwrap();
    fs::create_dir(place.top.join("away")).unwrap();
    for at in ["p/mcp.json.tmp", "p/plugin.json.tmp", "p/mcp.json"] {
        link("../victim", at);
    }
    link("../away", "p/bin");
    link("../away", "p/.claude-plugin");
    for rest in [&["--with-program"][..], &["--agent", "claude"], &[]] {
        let run = place.run(&[&["plugin", "pack", SKILLS, "--to", "p", "--force"], rest].concat());
        assert_eq!(run.err.contains("leads out of the directory"), !rest.is_empty(), "{rest:?}: {}", run.err);
        assert_eq!(fs::read_to_string(place.top.join("victim")).unwrap(), "precious", "{rest:?}");
        assert_eq!(fs::read_dir(place.top.join("away")).unwrap().count(), 0, "{rest:?}");
    }
}

// SPEC 15.10: the manifest decides the format of a directory
#[test]
fn the_format_of_a_plugin_is_recognized() {
    let place = Place::new(&[
        ("p/.claude-plugin/plugin.json", r#"{"name": "p"}"#),
        ("p/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n"),
    ]);
    let (code, found) = checked(&place, "p", &[]);
    assert_eq!((code, &found["accepted"], &found["skills"]), (0, &json!(true), &json!(["pdf"])));
    let run = place.run(&["plugin", "check", "p"]);
    assert!(run.err.contains("accepted as a plugin of Claude Code: 1 skill"), "{run:?}");
    // A `plugin.json` is one of Agent Plugins by its `$schema`, and then it decides.
    place.write("p/plugin.json", "{\"name\": 1}");
    assert_eq!(checked(&place, "p", &[]).1["format"], "claude");
    place.write("p/plugin.json", "{\"$schema\": \"\", \"name\": 1}");
    let (code, found) = checked(&place, "p", &[]);
    assert_eq!((code, &found["format"]), (1, &json!("agent-plugins")));
    assert_eq!(checked(&place, "p", &["--agent", "claude"]).0, 0);
    // SPEC 15.11
    place.write("codex/.codex-plugin/plugin.json", r#"{"name": "p"}"#);
    place.write("codex/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n");
    let run = place.run(&["plugin", "check", "codex"]);
    let line = "accepted as a plugin of Codex: 1 skill loaded; its manifest and its skills are checked";
    assert!(run.code == 0 && run.err.contains(line), "{run:?}");
    place.write("plain/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n");
    let run = place.run(&["plugin", "check", "plain"]);
    let line = "accepted as a plugin without a manifest: 1 skill loaded; nothing else is checked";
    assert!(run.code == 0 && run.err.contains(line), "{run:?}");
}

// SPEC 15.10: the last line and the exit code say the same, and a marketplace counts its plugins
#[test]
fn a_marketplace_counts_its_plugins() {
    let entry = |name: &str| format!(r#"{{"name": "{name}", "source": "./{name}"}}"#);
    let away = r#"{"name": "away", "source": {"source": "github", "repo": "acme/away"}}"#;
    let market = |plugins: &[String]| {
        format!(r#"{{"name": "m", "owner": {{"name": "Me"}}, "plugins": [{}]}}"#, plugins.join(", "))
    };
    let file = ".claude-plugin/marketplace.json";
    let skill = "---\nname: pdf\ndescription: Reads PDF files.\n---\n";
    let place = Place::new(&[
        ("good/skills/pdf/SKILL.md", skill),
        ("good/.claude-plugin/plugin.json", r#"{"name": "good"}"#),
        ("bad/skills/csv/SKILL.md", &skill.replace("pdf", "csv")),
        ("bad/.claude-plugin/plugin.json", r#"{"name": "bad", "keywords": 1}"#),
    ]);
    for (plugins, code, line) in [
        (&[entry("good")][..], 0, "accepted as a marketplace of Claude Code: 1 of 1 plugin, 1 skill loaded;"),
        (
            &[entry("good"), entry("bad"), away.to_owned()],
            1,
            "accepted only in part as a marketplace of Claude Code: 1 of 2 plugins, 1 skill loaded;",
        ),
        (
            &[entry("bad")],
            1,
            "accepted only in part as a marketplace of Claude Code: 0 of 1 plugin, 0 skills",
        ),
        (&[entry("none")], 1, "rejected as a marketplace of Claude Code: clients load nothing of it"),
        (&[away.to_owned()], 0, "0 of 0 plugins, 0 skills loaded;"),
    ] {
        place.write(file, &market(plugins));
        let run = place.run(&["plugin", "check", "."]);
        assert!(run.code == code && run.err.contains(line), "{plugins:?}: {run:?}");
        let is_away = run.err.contains("plugins from elsewhere are not checked");
        assert_eq!(is_away, plugins.iter().any(|plugin| plugin == away), "{run:?}");
        assert_eq!(checked(&place, ".", &[]).1["skipped"], json!(code == 1 && !line.starts_with("rej")));
    }
}

// SPEC 15.10: problems that `check --fix` corrects are counted, with the command
#[test]
fn fixable_problems_of_a_plugin_are_counted() {
    let place = Place::new(&[
        (
            "p/plugin.json",
            r#"{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "p"}"#,
        ),
        ("p/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Use when: reading PDF files\n---\n"),
    ]);
    let run = place.run(&["plugin", "check", "p"]);
    assert!(run.err.starts_with("[*] 1 fixable with `skills check p --standard --fix`\n"), "{run:?}");
    assert_eq!(place.run(&["check", "p", "--standard", "--fix"]).code, 0);
    let run = place.run(&["plugin", "check", "p"]);
    assert!(run.code == 0 && !run.err.contains("fixable"), "{run:?}");
}
