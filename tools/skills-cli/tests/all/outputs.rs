//! The JSON outputs of commands. Each is validated by its JSON Schema in `docs/book/text/reference/json`, and the page of
//! the reference is generated from the schemas. `BLESS=1` renews the page.
#![cfg(unix)]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::command::{Place, Run};
use crate::provider::Provider;
use crate::reference::{cell, every_help, same};

const SCHEMAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/text/reference/json");

/// The schemas, in the order of the page.
const NAMES: [&str; 12] = [
    "check",
    "suggestions",
    "list",
    "show",
    "search",
    "weigh",
    "plan",
    "exec",
    "eval",
    "plugin-check",
    "changes",
    "problems",
];

fn schema(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(format!("{SCHEMAS}/{name}.json")).unwrap()).unwrap()
}

/// Calls `visit` with the path and the schema of each key: of every key, or of those that a value has. Keys of a
/// definition have a path below its name.
fn walk<'a>(
    root: &'a Value,
    schema: &'a Value,
    path: &str,
    value: Option<&Value>,
    visit: &mut dyn FnMut(&str, &'a Value, bool),
) {
    for part in ["allOf", "anyOf"].iter().filter_map(|key| schema[key].as_array()).flatten() {
        walk(root, part, path, value, visit);
    }
    if let (Some(reference), Some(_)) = (schema["$ref"].as_str(), value) {
        let name = reference.rsplit('/').next().unwrap();
        walk(root, &root["definitions"][name], name, value, visit);
    }
    if let Some(items) = schema.get("items") {
        let path = format!("{path}[]");
        match value {
            None => walk(root, items, &path, None, visit),
            Some(value) => {
                value
                    .as_array()
                    .into_iter()
                    .flatten()
                    .for_each(|item| walk(root, items, &path, Some(item), visit));
            }
        }
    }
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let below = value.map(|value| value.get(key));
        if below == Some(None) {
            continue;
        }
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        visit(&path, property, required.contains(&key.as_str()));
        walk(root, property, &path, below.flatten(), visit);
    }
    if let Some(any) = schema.get("additionalProperties") {
        let path = format!("{path}.*");
        match value {
            None => walk(root, any, &path, None, visit),
            Some(value) => {
                let values = value.as_object().into_iter().flatten();
                values.for_each(|(_, value)| walk(root, any, &path, Some(value), visit));
            }
        }
    }
}

/// Returns a schema that refuses each key that it does not list.
fn closed(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(closed).collect(),
        Value::Object(members) => {
            let mut all: serde_json::Map<_, _> =
                members.iter().map(|(key, value)| (key.clone(), closed(value))).collect();
            if all.get("properties").is_some_and(Value::is_object)
                && all.get("required").is_none_or(Value::is_array)
            {
                all.insert("additionalProperties".to_owned(), json!(false));
            }
            Value::Object(all)
        }
        other => other.clone(),
    }
}

const FIND: &str = r#"{"name": "find", "description": "Finds notes.", "category": "notes", "mode": "code",
    "tags": ["notes"], "permissions": {"read": ["$WORKSPACE"], "net": "none"},
    "input": {"type": "object", "properties": {"topic": {"type": "string"}}}, "output": {"type": "object"}}"#;
const TELL: &str = r#"{"name": "tell", "description": "Tells.", "category": "notes", "mode": "llm",
    "input": {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]},
    "output": {"type": "object"}}"#;
const BRIEF: &str = r#"{"name": "brief", "description": "Finds and tells.", "category": "notes", "mode": "composite",
    "input": {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]},
    "output": {"type": "object"}, "calls": ["find", "tell"], "pipeline": [
        {"step": "a", "skill": "find", "input": {"topic": "{{input.topic}}"}},
        {"step": "b", "skill": "tell", "input": {"topic": "{{steps.a.none || 'roses'}}"}, "condition": "steps.a.x"}]}"#;
const GARDEN: &str = "---\nname: garden\ndescription: Knows plants.\nexec: run.sh\nschema: in.json\nmodel: small\n\
                      requires: no-such-program\n---\nWater roses twice a week.\n";

/// Skills of each kind, a directory with problems, a plugin, and the cases of an evaluation.
fn place() -> Place {
    Place::new(&[
        ("skills/find/skill.json", FIND),
        ("skills/tell/skill.json", TELL),
        ("skills/tell/prompt.md", "Tell what you know about {{input.topic}}.\n"),
        ("skills/brief/skill.json", BRIEF),
        ("skills/gated/SKILL.md", "---\nname: gated\ndescription: Is gated.\nrequires: cap:root\n---\n"),
        ("skills/garden/SKILL.md", GARDEN),
        ("skills/garden/in.json", r#"{"type": "object"}"#),
        ("skills/garden/run.sh", "#!/bin/sh\necho roses\n"),
        ("skills/broken/SKILL.md", "---\nname: broken\ndescription: Cannot start.\nexec: run.sh\n---\n"),
        ("skills/broken/run.sh", "#!/no/such/interpreter\n"),
        ("other/tell/SKILL.md", "---\nname: tell\ndescription: Tells otherwise.\n---\n"),
        (
            ".agents/skills/foreign/SKILL.md",
            "---\nname: foreign\ndescription: Came with a repository.\n---\n",
        ),
        (
            "faulty/bad/SKILL.md",
            "---\nname: bad\nname: bad\ndescription: Is: bad\ncolour: blue\ntags: [a]\n---\n[x](none.md)\n",
        ),
        ("faulty/late/SKILL.md", "\n\n---\nname: late\ndescription: Begins late.\n---\nText.\n"),
        ("faulty/node_modules/far/SKILL.md", "---\nname: far\ndescription: Is of a package.\n---\n"),
        (
            "faulty/key/SKILL.md",
            "---\nname: key\ndescription: Has a key.\ncolour: blue\ntags: [a]\n---\nText.\n",
        ),
        ("plugin/plugin.json", r#"{"name": "plugin"}"#),
        ("plugin/skills/pdf/SKILL.md", "---\nname: other\ndescription: Has another name.\n---\n"),
        (
            "cases/garden/SKILL.md",
            "---\nname: garden\ndescription: Knows plants.\n---\nRoses: twice a week.\n",
        ),
        (
            "cases/garden/evals/cases.json",
            r#"{"evals": [{"id": 1, "prompt": "When do I water roses?", "condition": "text != ''"}]}"#,
        ),
        ("cases/garden/evals/triggers.json", r#"[{"query": "write a haiku", "should_trigger": false}]"#),
    ])
}

/// Runs a command and returns the values on its standard output.
fn values(place: &Place, arguments: &[&str]) -> Vec<Value> {
    let run = Run::of(place.command(arguments).env("HOME", &place.top));
    let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&run.out).into_iter().collect();
    let values = values.unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{run:?}"));
    assert!(!values.is_empty(), "{arguments:?}: {run:?}");
    values
}

/// Returns what the commands print that bring skills of another project, by the name of their schema.
fn outputs_of_sources() -> Vec<(&'static str, Vec<Value>)> {
    let text = "---\nname: pdf\ndescription: Reads PDF files. Use for PDF.\n---\nRead.\n";
    let place = Place::new(&[("shared/pdf/SKILL.md", text), ("shared/pdf/run.sh", "#!/bin/sh\n")]);
    let added = values(&place, &["add", "./shared", "--skill", "pdf", "--yes", "--json"]);
    let list = values(&place, &["list", "--dir", "skills", "--json"]);
    let show = values(&place, &["show", "pdf", "--dir", "skills", "--json"]);
    place.write("shared/pdf/SKILL.md", &text.replace("Read.", "Read it."));
    let outdated = values(&place, &["outdated", "--json"]);
    let updated = values(&place, &["update", "--yes", "--json"]);
    vec![("list", list), ("show", show), ("problems", outdated), ("changes", [added, updated].concat())]
}

/// Returns outputs of each command by the name of their schema.
fn outputs(place: &Place) -> Vec<(&'static str, Vec<Value>)> {
    let of = |name, runs: &[&[&str]]| (name, runs.iter().flat_map(|run| values(place, run)).collect());
    let provider = Provider::start(&["Twice a week.", "Often.", "Autumn."]);
    let eval = ["eval", "cases", "--runs", "1", "--jobs", "1", "--threshold", "0", "--format", "json"];
    let record = ["--model", "m", "--base-url", &*provider.url, "--record", "c.jsonl"];
    let first = values(place, &[&eval[..], &record].concat());
    let mut last = first[0].clone();
    last["cases"][0]["with_skill"]["pass_rate"]["rate"] = 0.5.into();
    fs::write(place.path("last.json"), last.to_string()).unwrap();
    let compared = [&eval[..], &["--replay", "c.jsonl", "--against", "last.json"]].concat();
    let input = r#"{"topic": "roses"}"#;
    vec![
        of("check", &[&["check", "faulty", "--format", "json"]]),
        of("suggestions", &[&["check", "faulty", "--format", "suggestions"]]),
        of(
            "list",
            &[
                &["list", "--dir", "skills", "--dir", "other", "--json", "--all"],
                &["list", "--json", "--all"],
            ],
        ),
        of(
            "show",
            &[
                &["show", "garden", "--dir", "skills", "--json"],
                &["show", "find", "--dir", "skills", "--json"],
            ],
        ),
        of("search", &[&["search", "--dir", "skills", "--json", "water", "roses"]]),
        of("weigh", &[&["weigh", "skills", "--json"]]),
        of(
            "plan",
            &[
                &["call", "tell", "--dir", "skills", "--dry-run", "--input", input],
                &["call", "brief", "--dir", "skills", "--dry-run", "--input", input],
            ],
        ),
        of(
            "exec",
            &[
                &["exec", "garden", "--dir", "skills", "--input", "{}"],
                &["exec", "broken", "--dir", "skills"],
            ],
        ),
        ("eval", [first, values(place, &compared)].concat()),
        of("plugin-check", &[&["plugin", "check", "plugin", "--json"]]),
    ]
}

// SPEC 18.9: what a command prints as JSON matches its schema, and the schema has no other key
#[test]
fn outputs_match_their_schemas() {
    let place = place();
    let mut all: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (name, values) in [outputs(&place), outputs_of_sources()].concat() {
        all.entry(name).or_default().extend(values);
    }
    let mut known = BTreeSet::new();
    for (name, values) in all {
        let schema = schema(name);
        let validator = jsonschema::draft7::new(&closed(&schema)).unwrap();
        let mut seen = BTreeSet::new();
        for value in &values {
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
        known.insert(name);
    }
    assert_eq!(known, BTreeSet::from(NAMES));
}

/// Returns `true` for a key that the commands of the test cannot print.
fn is_never_here(name: &str, path: &str) -> bool {
    // `show` finds neither a skill that is gated nor one that another skill hides; the records of `list` have both keys.
    name == "show" && matches!(path, "gated" | "shadowed_by" | "trusted")
}

// SPEC 18.9: each command with a JSON output has a schema
#[test]
fn each_json_output_has_a_schema() {
    let titles: Vec<String> = NAMES.map(|name| schema(name)["title"].as_str().unwrap().to_owned()).to_vec();
    let mut count = 0;
    for (words, help) in every_help(&Place::new(&[])) {
        let is_json = help.lines().any(|line| {
            let line = line.trim_start();
            line.starts_with("--json")
                || line.starts_with("- json:")
                || line.contains("[possible values: text, json")
        });
        if is_json {
            let is_named = |title: &String| {
                let mut parts = title.split(|c: char| !c.is_ascii_alphabetic());
                words.iter().all(|word| parts.any(|part| part == word))
            };
            assert!(titles.iter().any(is_named), "`skills {}` has no schema in {SCHEMAS}", words.join(" "));
            count += 1;
        }
    }
    assert!(count >= 6, "{count} commands print JSON");
}

type Key<'a> = (String, &'a Value, bool);

/// Returns the keys of a schema, and then of each of its definitions.
fn keys(schema: &Value) -> Vec<(&str, Vec<Key<'_>>)> {
    let definitions = schema["definitions"].as_object().into_iter().flatten();
    let parts = [("", schema)].into_iter().chain(definitions.map(|(name, part)| (name.as_str(), part)));
    let of = |part| {
        move |name: &str| {
            let mut keys = Vec::new();
            walk(schema, part, name, None, &mut |path, schema, always| {
                keys.push((path.to_owned(), schema, always))
            });
            keys
        }
    };
    parts.map(|(name, part)| (name, of(part)(name))).collect()
}

/// Describes the type of a value in a few words.
fn shape(schema: &Value) -> String {
    if let Some(value) = schema.get("const") {
        return format!("`{value}`");
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    }
    if let Some(reference) = schema["$ref"].as_str() {
        return format!("`{}`", reference.rsplit('/').next().unwrap());
    }
    if let Some(parts) = schema["allOf"].as_array().or(schema["anyOf"].as_array()) {
        return parts.iter().map(shape).collect::<Vec<_>>().join(" or ");
    }
    match &schema["type"] {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        Value::String(name) if name == "array" => match shape(&schema["items"]).as_str() {
            "" => "array".to_owned(),
            item => format!("array of {item}"),
        },
        Value::String(name) if name == "object" => match schema.get("additionalProperties").map(shape) {
            Some(value) if !value.is_empty() => format!("object of {value}"),
            _ => "object".to_owned(),
        },
        Value::String(name) => name.clone(),
        _ => String::new(),
    }
}

const HEAD: &str = "# JSON outputs

This page is generated from the JSON Schemas that it links. A test runs each command and validates its output.

A key keeps its name, its type and its meaning until a version with breaking changes. A later version may add keys, so
ignore keys that you do not know. A key without a \"yes\" can be absent. JSON is printed on standard output; notes and
errors are printed on standard error.

In a path, `[]` stands for each element of an array, and `*` for each key of an object.

Some outputs have the shape of other documents:

| Command | Output |
|---|---|
| `skills call NAME` | the output of the function: `output` in its `skill.json` describes it |
| `skills tools --format API` | an array of tool definitions, as the API of the provider defines them |
| `skills check --format sarif` | SARIF 2.1.0 |
| `skills schema` | a JSON Schema of draft-07 |
| `skills serve`: `GET /v1/openapi.json` | OpenAPI 3.1, which describes [all routes](http.md) |

";

// SPEC 18.9: the reference has every key of every JSON output
#[test]
fn outputs_are_listed() {
    let mut page = HEAD.to_owned();
    for name in NAMES {
        let schema = schema(name);
        let text = |key: &str| schema[key].as_str().unwrap().to_owned();
        writeln!(
            page,
            "## {}\n\n{} Schema: [{name}.json](json/{name}.json)\n",
            text("title"),
            text("description")
        )
        .unwrap();
        for (part, keys) in keys(&schema) {
            if !part.is_empty() {
                writeln!(page, "`{part}`, {}:\n", shape(&schema["definitions"][part])).unwrap();
            }
            if keys.is_empty() {
                continue; // the output is one of the definitions
            }
            page.push_str("| Key | Type | Always | Meaning |\n|---|---|---|---|\n");
            for (path, schema, always) in keys {
                let path = path.strip_prefix(part).unwrap().trim_start_matches('.');
                let meaning = schema["description"].as_str().unwrap();
                let always = if always { "yes" } else { "" };
                writeln!(page, "| `{path}` | {} | {always} | {} |", cell(&shape(schema)), cell(meaning))
                    .unwrap();
            }
            page.push('\n');
        }
    }
    same("json.md", &format!("{}\n", page.trim_end()));
}
