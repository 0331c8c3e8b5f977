//! The JSON outputs of commands. Each is validated by its JSON Schema in `docs/book/text/reference/json`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its schema must fail")]

mod page;
mod runs;
mod schema;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::grammar;
use schema::{closed, keys, read, walk};

/// The schemas in the order of the page, each with the commands whose output it describes.
const SCHEMAS: [(&str, &[&str]); 20] = [
    ("check", &["check"]),
    ("suggestions", &["check"]),
    ("explain", &["explain"]),
    ("list", &["list"]),
    ("show", &["show"]),
    ("search", &["search"]),
    ("weigh", &["weigh"]),
    ("graph", &["graph"]),
    ("plan", &["call"]),
    ("exec", &["exec"]),
    ("eval", &["eval"]),
    ("plugin-check", &["plugin check"]),
    ("status", &["status"]),
    (
        "steps",
        &["install", "uninstall", "package vendor", "new", "migrate", "sign", "plugin new", "plugin pack"],
    ),
    ("publish", &["package publish"]),
    ("trust", &["trust"]),
    ("verify", &["verify"]),
    ("pin", &["pin"]),
    ("changes", &["add", "sync", "update", "remove"]),
    ("problems", &["update", "sync"]),
];

// SPEC 18.9: each command that takes `--json` has a schema, and each schema names its commands
#[test]
fn each_json_output_has_a_schema() {
    let takes_json = |command: &clap::Command| {
        grammar::shown(command).any(|argument| {
            let values = argument.get_possible_values();
            argument.get_long() == Some("json") || values.iter().any(|value| value.get_name() == "json")
        })
    };
    let described: BTreeSet<&str> = SCHEMAS.iter().flat_map(|(_, commands)| *commands).copied().collect();
    for (path, command) in grammar::all() {
        // `call --dry-run` and `exec` print nothing else.
        let is_json = takes_json(&command) || ["call", "exec"].contains(&path.as_str());
        assert_eq!(described.contains(path.as_str()), is_json, "the schema of `skills {path}`");
    }
    for (name, commands) in SCHEMAS {
        let schema = read(name);
        let title = schema["title"].as_str().unwrap();
        for command in commands {
            let mut words = title.split(|c: char| !c.is_ascii_alphabetic());
            assert!(command.split(' ').all(|word| words.any(|other| other == word)), "{name}: {command}");
        }
    }
    let names = SCHEMAS.map(|(name, _)| name.to_owned());
    assert_eq!(schema::files(), BTreeSet::from(names));
}

// SPEC 18.9: the JSON outputs of each command match their schemas, and have no other key
#[test]
fn outputs_match_their_schemas() {
    let outputs = runs::all();
    for (name, commands) in SCHEMAS {
        let of_name = outputs.iter().filter(|output| output.schema == name);
        let run: BTreeSet<&str> = of_name.clone().map(|output| output.command.as_str()).collect();
        let commands: BTreeSet<&str> = commands.iter().copied().collect();
        assert_eq!(run, commands, "the commands whose outputs are validated by {name}");
        let schema = read(name);
        let validator = jsonschema::draft7::new(&closed(&schema)).unwrap();
        let mut seen = BTreeSet::new();
        for value in of_name.flat_map(|output| &output.values) {
            let problems: Vec<String> = validator
                .iter_errors(value)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(problems.is_empty(), "{name}: {problems:#?}\n{value:#}");
            walk(&schema, &schema, "", Some(value), &mut |path, _, _| {
                seen.insert(path.to_owned());
            });
        }
        for (path, _, _) in keys(&schema).into_iter().flat_map(|(_, keys)| keys) {
            assert!(seen.contains(&path) || is_never_here(name, &path), "no output of `{name}` has `{path}`");
        }
    }
}

/// Returns `true` for a key that the commands of the test cannot print.
fn is_never_here(name: &str, path: &str) -> bool {
    // `show` does not find gated or hidden skills; the records of `list` have both keys.
    name == "show" && matches!(path, "gated" | "shadowed_by" | "trusted")
}

// SPEC 18.9: an output with an unknown key is refused
#[test]
fn unknown_keys_are_refused() {
    let schema = closed(&read("problems"));
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let accepts = |text: &str| validator.is_valid(&serde_json::from_str::<Value>(text).unwrap());
    assert!(accepts(r#"{"format_version": 1, "problems": []}"#));
    assert!(!accepts(r#"{"format_version": 1, "problems": [], "other": 1}"#));
    assert!(!accepts(r#"{"problems": []}"#));
    assert!(!accepts(r#"{"format_version": 2, "problems": []}"#));
}
