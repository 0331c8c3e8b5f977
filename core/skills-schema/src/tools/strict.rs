//! Converts a schema to the subset that OpenAI enforces while a model writes (`"strict": true`), if the
//! schema fits it.
//!
//! In this subset, every object is closed and every property is required. If a schema leaves an object open
//! and names properties, the object is closed: all inputs still fit the schema. Optional properties cannot be
//! expressed, so a schema with optional properties is sent as written, without `strict`.

use crate::json::make;
use crate::json::{Kind, Node};
use crate::lower::Draft;

use super::tree::{self, names, types};

/// The maximum nesting depth of objects for OpenAI.
const LEVELS: usize = 10;
/// Formats that OpenAI enforces.
const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// Keywords that do not restrict values and are left out.
const SILENT: [&str; 8] =
    ["$schema", "$id", "$comment", "default", "examples", "readOnly", "writeOnly", "deprecated"];

/// Returns the schema in the subset, or `None` if that would change its meaning.
pub(crate) fn strict(root: &Node, draft: Draft) -> Option<Node> {
    if types(root) != ["object"] {
        return None;
    }
    let mut out = convert(root, draft, LEVELS)?;
    let mut definitions: Vec<_> = Vec::new();
    for key in ["definitions", "$defs"] {
        for member in root.get(key).map(Node::members).unwrap_or_default() {
            // In the subset, both kinds of definitions share one namespace.
            if definitions.iter().any(|known: &crate::json::Member| known.key == member.key) {
                return None;
            }
            definitions.push(make::member(&member.key, convert(&member.value, draft, LEVELS)?));
        }
    }
    if !definitions.is_empty() {
        out.set("$defs", make::node(Kind::Object(definitions)));
    }
    Some(out)
}

fn convert(schema: &Node, draft: Draft, levels: usize) -> Option<Node> {
    let Kind::Object(members) = &schema.kind else { return None };
    if let Some(reference) = schema.get("$ref") {
        return self::reference(schema, reference.as_str()?, draft);
    }
    let says_something = ["type", "enum", "const", "anyOf"].iter().any(|key| schema.get(key).is_some());
    if !says_something || members.iter().any(|member| !is_known(&member.key, &member.value)) {
        return None;
    }
    let is_object = types(schema).iter().any(|name| name == "object");
    let levels = if is_object { levels.checked_sub(1)? } else { levels };
    let mut out = schema.clone();
    for key in SILENT.iter().chain(&["definitions", "$defs"]) {
        out.remove(key);
    }
    if let Some(branches) = schema.get("anyOf") {
        let branches: Option<Vec<Node>> =
            branches.items().iter().map(|branch| convert(branch, draft, levels)).collect();
        out.set("anyOf", make::array(branches?));
    }
    if types(schema).iter().any(|name| name == "array") {
        out.set("items", convert(schema.get("items")?, draft, levels)?);
    }
    if is_object {
        close(schema, &mut out, draft, levels)?;
    }
    Some(out)
}

/// Writes the rules of an object. Returns `None` if it has optional properties or allows other properties.
fn close(schema: &Node, out: &mut Node, draft: Draft, levels: usize) -> Option<()> {
    let properties = schema.get("properties").map(Node::members).unwrap_or_default();
    let required = names(schema.get("required"));
    match schema.get("additionalProperties") {
        Some(Node { kind: Kind::Bool(false), .. }) => {}
        // An open object without properties is a map, and closing it would allow only `{}`.
        None if !properties.is_empty() => {}
        _ => return None,
    }
    if properties.iter().any(|property| !required.contains(&property.key))
        || required.iter().any(|name| properties.iter().all(|property| property.key != *name))
    {
        return None;
    }
    let mut converted = Vec::with_capacity(properties.len());
    for property in properties {
        converted.push(make::member(&property.key, convert(&property.value, draft, levels)?));
    }
    out.set("properties", make::node(Kind::Object(converted)));
    out.set("required", tree::strings(&required));
    out.set("additionalProperties", make::boolean(false));
    Some(())
}

/// Writes a reference. In the subset, it must be the only keyword and lead to the root or a definition.
fn reference(schema: &Node, reference: &str, draft: Draft) -> Option<Node> {
    let silent =
        |key: &str| matches!(key, "$ref" | "title" | "description" | "default" | "examples" | "$comment");
    if draft != Draft::Draft7 && schema.members().iter().any(|member| !silent(&member.key)) {
        return None;
    }
    let target = match reference.strip_prefix("#/definitions/").or_else(|| reference.strip_prefix("#/$defs/"))
    {
        Some(name) if !name.contains('/') => format!("#/$defs/{name}"),
        None if reference == "#" => "#".to_owned(),
        _ => return None,
    };
    Some(make::object([("$ref", make::string(&target))]))
}

/// Returns `true` if the keyword is in the subset, or if it does not restrict values and is left out.
fn is_known(key: &str, value: &Node) -> bool {
    match key {
        "format" => value.as_str().is_some_and(|format| FORMATS.contains(&format)),
        "items" => matches!(value.kind, Kind::Object(_)),
        "type"
        | "properties"
        | "required"
        | "additionalProperties"
        | "enum"
        | "const"
        | "anyOf"
        | "definitions"
        | "$defs"
        | "title"
        | "description"
        | "pattern"
        | "minimum"
        | "maximum"
        | "exclusiveMinimum"
        | "exclusiveMaximum"
        | "multipleOf"
        | "minItems"
        | "maxItems" => true,
        _ => SILENT.contains(&key),
    }
}
