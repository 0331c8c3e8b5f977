//! The page of the reference about JSON outputs, which is generated from the schemas. `BLESS=1` renews it.
#![allow(clippy::unwrap_used, reason = "a test without its schema must fail")]

use std::fmt::Write as _;

use serde_json::Value;

use super::SCHEMAS;
use super::schema::{keys, read};
use crate::reference::{cell, same};

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

A key keeps its name, its type and its meaning until a version with breaking changes, which also changes
`format_version`. A later version may add keys, so ignore keys that you do not know. A key without a \"yes\" can be
absent. JSON is printed on standard output; notes and errors are printed on standard error.

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
    for (name, _) in SCHEMAS {
        let schema = read(name);
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
