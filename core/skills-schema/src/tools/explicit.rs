//! Adds the keywords without which OpenAI refuses a schema: `properties` of an object and `items` of an array.

use crate::json::make::{self, object};
use crate::json::{Kind, Node};

use super::tree::types;

/// Keywords with a schema for each key.
const MAPS: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Keywords with a list of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords with one schema.
const SINGLE: [&str; 12] = [
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "contentSchema",
    "not",
    "if",
    "then",
    "else",
];

/// Adds the missing keywords to a schema and to all schemas in it. The schema accepts the same values as before.
pub(crate) fn explicit(mut schema: Node) -> Node {
    complete(&mut schema);
    schema
}

fn complete(schema: &mut Node) {
    let types = types(schema);
    let Kind::Object(members) = &mut schema.kind else { return };
    for member in members {
        let key = member.key.as_str();
        match &mut member.value.kind {
            Kind::Object(inner) if MAPS.contains(&key) => {
                inner.iter_mut().for_each(|inner| complete(&mut inner.value));
            }
            Kind::Array(items) if LISTS.contains(&key) || key == "items" => {
                items.iter_mut().for_each(complete)
            }
            Kind::Object(_) if SINGLE.contains(&key) => complete(&mut member.value),
            _ => {}
        }
    }
    if types.iter().any(|name| name == "object") && schema.get("properties").is_none() {
        schema.set("properties", object([]));
    }
    if types.iter().any(|name| name == "array") {
        complete_array(schema);
    }
}

/// Writes `items` as one schema: drafts before 2020-12 have a list there, which is `prefixItems` now.
fn complete_array(schema: &mut Node) {
    match schema.get("items").map(|items| &items.kind) {
        None => schema.set("items", object([])),
        Some(Kind::Array(items)) => {
            let first = make::array(items.clone());
            // A reader of an older draft applies `items` to all items, so it must accept each of them.
            schema.remove("additionalItems");
            schema.set("items", object([]));
            schema.set("prefixItems", first);
        }
        Some(_) => {}
    }
}
