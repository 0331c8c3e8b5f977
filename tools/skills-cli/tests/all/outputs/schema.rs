//! Reading of the schemas: their files, their keys, and the keys of a schema that a value has.
#![allow(clippy::unwrap_used, reason = "a test without its schema must fail")]

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/text/reference/json");

/// Reads a schema.
pub(super) fn read(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(format!("{DIRECTORY}/{name}.json")).unwrap()).unwrap()
}

/// Returns the names of all schemas.
pub(super) fn files() -> BTreeSet<String> {
    let paths = fs::read_dir(DIRECTORY).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Calls `visit` with the path and the schema of each key: of every key, or of those that a value has. Keys of a
/// definition have a path below its name.
pub(super) fn walk<'a>(
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
pub(super) fn closed(schema: &Value) -> Value {
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

pub(super) type Key<'a> = (String, &'a Value, bool);

/// Returns the keys of a schema, and then of each of its definitions.
pub(super) fn keys(schema: &Value) -> Vec<(&str, Vec<Key<'_>>)> {
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
