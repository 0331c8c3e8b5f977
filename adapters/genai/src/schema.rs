//! Converts the schema of an answer to a form that a provider can enforce.
//!
//! Each answer is checked against the whole schema later, so the converted schema may be less strict, but
//! must not contradict it.

use serde_json::{Map, Value, json};
use skills_call::model::ResponseSchema;

/// Returns the schema for Anthropic, or `None` if it would be refused.
pub(crate) fn output_format(model: &str, wanted: &ResponseSchema) -> Option<Value> {
    let schema = anthropic(&wanted.schema, 0).filter(|_| has_structured_output(model))?;
    // Anthropic requires `additionalProperties: false` in every object. That is stricter, but answers stay
    // valid.
    Some(closed(&schema))
}

/// Returns the schema for the Responses API, or `None` if it would be refused.
pub(crate) fn text_format(wanted: &ResponseSchema) -> Option<Value> {
    let mut format = named(wanted)?;
    format.insert("type".to_owned(), "json_schema".into());
    Some(Value::Object(format))
}

/// Returns the schema for the Chat Completions API, or `None` if it would be refused.
pub(crate) fn response_format(wanted: &ResponseSchema) -> Option<Value> {
    Some(json!({ "type": "json_schema", "json_schema": named(wanted)? }))
}

/// Returns the schema with its name, strict if that does not change its meaning.
fn named(wanted: &ResponseSchema) -> Option<Map<String, Value>> {
    let ResponseSchema { name, schema } = wanted;
    if schema.get("type") != Some(&Value::from("object")) {
        return None; // the API accepts only objects as the root
    }
    let is_strict = is_strict(schema, 0);
    let schema = if is_strict { closed(schema) } else { schema.clone() };
    let mut format = Map::new();
    format.insert("name".to_owned(), name.as_str().into());
    format.insert("strict".to_owned(), is_strict.into());
    format.insert("schema".to_owned(), schema);
    Some(format)
}

/// Forbids additional properties in every object, as the strict mode requires.
fn closed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(all) = schema.as_object_mut() {
        for (key, value) in all.iter_mut() {
            match (key.as_str(), value) {
                ("properties", Value::Object(named)) => named.values_mut().for_each(|one| *one = closed(one)),
                ("anyOf", Value::Array(many)) => many.iter_mut().for_each(|one| *one = closed(one)),
                ("items", one) => *one = closed(one),
                _ => {}
            }
        }
        if is_object(all) {
            all.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
    }
    schema
}

/// The maximum nesting depth of schemas for strict mode, or for sending them at all.
const DEEPEST: usize = 10;

const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// Returns `true` if OpenAI's strict mode does not change the meaning of a schema.
fn is_strict(schema: &Value, depth: usize) -> bool {
    let Some(schema) = schema.as_object() else { return false };
    depth <= DEEPEST
        && schema.iter().all(|(key, value)| match key.as_str() {
            "type" | "required" | "description" | "title" | "const" | "pattern" | "multipleOf"
            | "maximum" | "minimum" | "exclusiveMaximum" | "exclusiveMinimum" | "minItems" | "maxItems"
            | "enum" => true,
            "properties" => {
                value.as_object().is_some_and(|all| all.values().all(|one| is_strict(one, depth + 1)))
            }
            "items" => is_strict(value, depth + 1),
            "anyOf" if depth > 0 => {
                value.as_array().is_some_and(|all| all.iter().all(|one| is_strict(one, depth + 1)))
            }
            "additionalProperties" => value == &Value::Bool(false),
            "format" => value.as_str().is_some_and(|format| FORMATS.contains(&format)),
            _ => false,
        })
        && (!is_object(schema) || requires_all(schema))
        && schema.keys().any(|key| matches!(key.as_str(), "type" | "enum" | "const" | "anyOf"))
}

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.contains_key("properties")
        || match schema.get("type") {
            Some(Value::String(one)) => one == "object",
            Some(Value::Array(many)) => many.contains(&Value::from("object")),
            _ => false,
        }
}

fn requires_all(schema: &Map<String, Value>) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return false };
    properties.keys().all(|name| required.is_some_and(|all| all.iter().any(|one| one == name)))
}

/// Removes keywords that Anthropic refuses. Returns `None` if the rest would forbid some valid answers.
fn anthropic(schema: &Value, depth: usize) -> Option<Value> {
    let schema = schema.as_object().filter(|_| depth <= DEEPEST)?;
    let mut kept = Map::new();
    for (key, value) in schema {
        let value = match key.as_str() {
            "type" | "required" | "description" | "title" | "enum" | "const" | "default" => value.clone(),
            "properties" => {
                let all = value.as_object()?.iter();
                let all: Option<Map<_, _>> =
                    all.map(|(name, one)| Some((name.clone(), anthropic(one, depth + 1)?))).collect();
                Value::Object(all?)
            }
            "items" => anthropic(value, depth + 1)?,
            "anyOf" | "oneOf" => {
                let all: Option<Vec<_>> =
                    value.as_array()?.iter().map(|one| anthropic(one, depth + 1)).collect();
                if kept.insert("anyOf".to_owned(), Value::Array(all?)).is_some() {
                    return None;
                }
                continue;
            }
            "format" if value.as_str().is_some_and(|format| FORMATS.contains(&format)) => value.clone(),
            "additionalProperties" if value.is_boolean() => continue, // all objects are closed
            "additionalProperties" | "patternProperties" | "prefixItems" | "allOf" | "$ref" => return None,
            _ => continue, // removing it only allows more; the answer is checked later
        };
        kept.insert(key.clone(), value);
    }
    let says_something = kept.keys().any(|key| matches!(key.as_str(), "type" | "enum" | "const" | "anyOf"));
    // An object without properties could only be empty.
    let is_open = is_object(&kept) && !kept.contains_key("properties");
    (says_something && !is_open).then_some(Value::Object(kept))
}

/// Returns `true` if a model of Anthropic accepts a schema. Models before Sonnet 4.5 and Opus 4.1 answer 400.
fn has_structured_output(model: &str) -> bool {
    const WITHOUT: [&str; 8] = [
        "claude-1",
        "claude-2",
        "claude-3",
        "claude-instant",
        "claude-sonnet-4-0",
        "claude-sonnet-4-2",
        "claude-opus-4-0",
        "claude-opus-4-2",
    ];
    !WITHOUT.iter().any(|start| model.starts_with(start))
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
