//! Tests that no command sends hidden, bidirectional or control characters to a model or a terminal.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::process::Output;

use crate::command::Place;

/// Characters that are invisible or control a terminal: TAG letters, a bidi override, ESC, C1's CSI, a line
/// separator.
const ODD: &str = "\u{e0048}\u{e0049}\u{202e}\u{1b}[31m\u{9b}2J\u{2028}";

fn is_odd(c: char) -> bool {
    skills_text::is_hidden(c) && !matches!(c, '\n' | '\t')
}

/// A skill of prose and a function, with such characters wherever a text or a name is allowed.
fn place() -> Place {
    let place = Place::new(&[]);
    let escaped = r"\udb40\udc48\u202e\u001b[31m\u009b2J\u2028";
    place.write(
        "s/prose/SKILL.md",
        &format!(
            "---\nname: prose\ndescription: \"Reads{ODD_YAML}.\"\n---\nBody{ODD}</SKILL>\n",
            ODD_YAML = "\u{e0048}\u{202e}\u{2028}\\e[31m"
        ),
    );
    place.write(format!("s/prose/notes{ODD}.md"), "Notes.\n");
    place.write(
        "s/asks/skill.json",
        &format!(
            r#"{{"name": "asks", "description": "Asks{escaped}.", "category": "c{escaped}", "mode": "llm",
                "tags": ["t{escaped}"], "input": {{"type": "object", "properties": {{"p{escaped}": {{"type": "string",
                "description": "P{escaped}", "enum": ["e{escaped}"]}}}}}}, "output": {{"type": "object",
                "properties": {{"o{escaped}": {{"type": "string"}}}}}}}}"#
        ),
    );
    place.write("s/asks/prompt.md", &format!("Answer{ODD}\n"));
    place
}

fn run(place: &Place, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = place.command(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

// SPEC 12.8, 12.9
#[test]
fn no_command_prints_hidden_characters() {
    let place = place();
    let dir = ["--dir", "s"];
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["list", "s"],
        vec!["list", "s", "--json"],
        vec!["check", "s"],
        vec!["check", "s", "--format", "json"],
        vec!["check", "s", "--format", "sarif"],
        vec!["check", "s", "--format", "github"],
        vec!["call", "asks", "--dry-run", "--dir", "s"],
        vec!["install", "--to", "t", "--dry-run", "--dir", "s"],
    ];
    for style in ["skills", "agent-skills", "omega"] {
        commands.push(vec!["prompt", "s", "--style", style]);
    }
    for format in ["openai", "openai-responses", "anthropic", "mcp", "gemini"] {
        commands.push(vec!["tools", "s", "--format", format]);
    }
    for name in ["prose", "asks", "no\u{202e}such"] {
        commands.push([&["show", name][..], &dir].concat());
        commands.push([&["show", name, "--json"][..], &dir].concat());
    }
    for arguments in &commands {
        let (_, out, err) = run(&place, arguments);
        assert!(!out.is_empty() || !err.is_empty(), "{arguments:?}");
        for text in [&out, &err] {
            let odd = text.chars().find(|c| is_odd(*c));
            assert_eq!(odd, None, "{arguments:?}: {text:?}");
        }
    }
    // The texts for a model contain no escapes, either.
    let (_, tools, _) = run(&place, &["tools", "s", "--format", "mcp"]);
    let tools: serde_json::Value = serde_json::from_str(&tools).unwrap();
    let text = tools.to_string();
    // A property with such a name is left out: by another name the tool would say something else.
    assert!(text.contains("\"name\":\"asks\"") && text.contains("\"properties\":{}"), "{text}");
    assert!(!text.contains("\\u"), "{text}");
    let (_, prompt, _) = run(&place, &["prompt", "s"]);
    assert!(prompt.contains("Reads\u{fffd} \u{fffd}[31m."), "{prompt}");
}

// SPEC 2.11, 12.8: keys and file names are checked, too
#[test]
fn keys_and_file_names_are_checked() {
    let place = place();
    let (code, out, _) = run(&place, &["check", "s", "--format", "json"]);
    assert_eq!(code, 1);
    let text = out;
    let hidden = text.matches("hidden-unicode").count();
    // Three keys and six texts in skill.json, two runs in SKILL.md, and at least one each in prompt.md and the file
    // name.
    assert!(hidden >= 12, "{hidden}: {text}");
    assert!(text.contains("in the name"), "{text}");
}

// SPEC 12.9
#[test]
fn a_lock_file_cannot_control_the_terminal() {
    let place = Place::new(&[("s/one/SKILL.md", "---\nname: one\ndescription: One.\n---\nOne.\n")]);
    let digest = "0".repeat(64);
    let lock = |name: &str, bundle: &str, file: &str| {
        format!(
            r#"{{"format": 1, "skills": {{"{name}": {{"bundle": "{bundle}", "version": "1{bundle}", "files": {{"{file}": {{"sha256": "{digest}"}}}}}}}}}}"#
        )
    };
    let odd = r"\u001b[2J\u202e\u009b";
    for (name, bundle, file, is_refused) in
        [("n", odd, "f", false), (&format!("n{odd}"), "b", "f", true), ("n", "b", &format!("f{odd}"), true)]
    {
        place.write("t/skills/.skills-lock.json", &lock(name, bundle, file));
        for command in ["status", "install", "uninstall"] {
            let (code, out, err) = run(&place, &[command, "--dir", "s", "--to", "t"]);
            assert!(!format!("{out}{err}").chars().any(is_odd), "{command}: {out:?} {err:?}");
            if is_refused {
                assert_eq!(code, 1, "{command}: {out} {err}");
                assert!(err.contains("the lock file is damaged"), "{err}");
            }
        }
    }
}

// SPEC 12.9: the name of a moved file cannot control the terminal, either
#[test]
fn a_flat_file_cannot_control_the_terminal() {
    let place = Place::new(&[("t/skills/a\u{1b}[2J\u{202e}.md", "---\nname: a\ndescription: A.\n---\nA.\n")]);
    let (_, out, err) = run(&place, &["migrate", "--flat", "t"]);
    assert!(!format!("{out}{err}").chars().any(is_odd), "{out:?} {err:?}");
    assert!(format!("{out}{err}").contains("\\u{1b}"), "{out:?} {err:?}");
}
