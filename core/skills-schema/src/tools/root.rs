//! The root of a tool's schema: a plain object, which is all that the APIs accept there.
//!
//! At the root, OpenAI refuses `oneOf`, `anyOf`, `allOf`, `enum`, `const` and `not`, and Anthropic refuses
//! the first three of these. They are removed, and the properties in their branches are moved to the root.

use crate::Document;
use crate::json::make::{self, object as new};
use crate::json::{Kind, Node};
use crate::lower::Draft;

use super::copy::{self, copy, is_data};
use super::tree::{fill, names, strings, types};

/// The maximum nesting depth of branches.
const DEPTH: usize = 16;
/// The maximum number of branches to visit: references can create more branches than a text has characters.
const BRANCHES: usize = 200;

/// The keywords that are allowed at the root.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RootKeywords {
    /// Every keyword.
    Any,
    /// Only the keywords that the APIs accept.
    Flat,
    /// The same as `Flat`, but references stay unchanged, because they are resolved later.
    Followed,
}

/// Restricts the schema to objects. Returns `None` if it does not accept any object.
pub(crate) fn object(document: &Document, root: RootKeywords) -> Option<Node> {
    let mut schema = target(document)?;
    if !may_be_object(&schema, document, DEPTH, &mut { BRANCHES }) {
        return None;
    }
    let original = schema.clone();
    if root != RootKeywords::Any {
        flatten(&mut schema, document);
    }
    match schema.get("type") {
        Some(_) => schema.set("type", make::string("object")),
        None => {
            if let Kind::Object(members) = &mut schema.kind {
                members.insert(0, make::member("type", make::string("object")));
            }
        }
    }
    if schema != original && root != RootKeywords::Followed {
        keep_targets(&mut schema, original);
    }
    Some(schema)
}

/// Keeps references to the root working: adds a copy of the original root to the definitions if there are
/// any.
fn keep_targets(schema: &mut Node, mut original: Node) {
    let home = if original.get("$defs").is_some() { "$defs" } else { "definitions" };
    let mut name = "root".to_owned();
    while original.get(home).is_some_and(|known| known.get(&name).is_some()) {
        name.push('_');
    }
    let place = format!("#/{home}/{name}");
    if !redirect(schema, &place) {
        return;
    }
    for key in ["definitions", "$defs", "$schema", "$id"] {
        original.remove(key);
    }
    redirect(&mut original, &place);
    let mut definitions = schema.get(home).cloned().unwrap_or_else(|| new([]));
    definitions.set(&name, original);
    schema.set(home, definitions);
}

/// Redirects references to the root, and to its parts other than definitions, to another place. Returns
/// `true` if there are any.
fn redirect(node: &mut Node, place: &str) -> bool {
    let mut found = false;
    match &mut node.kind {
        Kind::Array(items) => items.iter_mut().for_each(|item| found |= redirect(item, place)),
        Kind::Object(members) => {
            for member in members.iter_mut().filter(|member| !is_data(&member.key)) {
                match &mut member.value.kind {
                    Kind::String(reference) if member.key == "$ref" => {
                        let stays = ["#/definitions/", "#/$defs/"].iter().any(|at| reference.starts_with(at));
                        if !stays && (reference == "#" || reference.starts_with("#/")) {
                            *reference = format!("{place}{}", reference.trim_start_matches('#'));
                            found = true;
                        }
                    }
                    _ => found |= redirect(&mut member.value, place),
                }
            }
        }
        _ => {}
    }
    found
}

/// Returns `true` if the schema accepts only objects.
pub(crate) fn is_object(document: &Document) -> bool {
    target(document).is_some_and(|schema| types(&schema) == ["object"])
}

/// Returns the root after following references. Definitions stay.
fn target(document: &Document) -> Option<Node> {
    let mut schema = copy(document.root());
    for _ in 0..DEPTH {
        let Some(reference) = schema.remove("$ref") else { break };
        let silent =
            |key: &str| matches!(key, "definitions" | "$defs" | "$schema" | "$id" | "title" | "description");
        if document.draft() != Draft::Draft7 && !schema.members().iter().all(|member| silent(&member.key)) {
            // The reference and the keywords next to it both apply.
            let mut parts = schema.get("allOf").map(Node::items).unwrap_or_default().to_vec();
            parts.push(new([("$ref", reference)]));
            schema.set("allOf", make::array(parts));
            break;
        }
        let mut found = copy::target(document, &reference).map_or_else(|| new([]), copy);
        for member in schema.members().iter().filter(|member| silent(&member.key)) {
            found.set(&member.key, member.value.clone());
        }
        schema = found;
    }
    // A cycle of references is reported as an error elsewhere.
    schema.remove("$ref");
    match schema.kind {
        Kind::Object(_) => Some(schema),
        Kind::Bool(false) => None,
        _ => Some(new([])),
    }
}

/// Returns a branch with its reference followed.
fn branch(node: &Node, document: &Document) -> Node {
    let mut node = node.clone();
    for _ in 0..DEPTH {
        let Some(found) = node.get("$ref").and_then(|at| copy::target(document, at)) else { break };
        node = copy(found);
    }
    node
}

/// Returns `true` if the schema may accept an object. Assumes so if it is nested too deeply.
fn may_be_object(schema: &Node, document: &Document, depth: usize, left: &mut usize) -> bool {
    if depth == 0 || *left == 0 {
        return true;
    }
    *left -= 1;
    let types = types(schema);
    let is_open = types.is_empty() || types.iter().any(|name| name == "object");
    let fixed = schema.get("const").is_none_or(is_object_value)
        && schema.get("enum").is_none_or(|values| values.items().iter().any(is_object_value));
    if schema.kind == Kind::Bool(false) || !is_open || !fixed {
        return false;
    }
    let [any, one, all] =
        ["anyOf", "oneOf", "allOf"].map(|key| schema.get(key).map(Node::items).unwrap_or_default());
    let mut may_be = |node: &Node| may_be_object(&branch(node, document), document, depth - 1, left);
    [any, one].iter().all(|branches| branches.is_empty() || branches.iter().any(&mut may_be))
        && all.iter().all(&mut may_be)
}

fn is_object_value(value: &Node) -> bool {
    matches!(value.kind, Kind::Object(_))
}

/// Removes the refused keywords and moves the properties of their branches to the root.
fn flatten(schema: &mut Node, document: &Document) {
    let has_branches = ["allOf", "anyOf", "oneOf"].iter().any(|key| schema.get(key).is_some());
    if has_branches {
        // Without the branches, `unevaluatedProperties` would refuse properties that the branches accept.
        schema.remove("unevaluatedProperties");
    }
    if has_branches && schema.get("additionalProperties").is_none_or(|node| node.kind != Kind::Bool(false)) {
        let (properties, required) = gather(schema, document, DEPTH, &mut { BRANCHES });
        if !properties.members().is_empty() {
            schema.set("properties", properties);
        }
        if !required.is_empty() {
            schema.set("required", strings(&required));
        }
    }
    for key in ["oneOf", "anyOf", "allOf", "enum", "const", "not"] {
        schema.remove(key);
    }
}

/// Returns the properties of a schema and its branches, and the names that all of them require.
fn gather(schema: &Node, document: &Document, depth: usize, left: &mut usize) -> (Node, Vec<String>) {
    let mut properties = schema.get("properties").cloned().unwrap_or_else(|| new([]));
    let mut required = names(schema.get("required"));
    if depth == 0 || *left == 0 {
        return (properties, required);
    }
    *left -= 1;
    for key in ["allOf", "anyOf", "oneOf"] {
        let items = schema.get(key).map(Node::items).unwrap_or_default();
        let mut common: Option<Vec<String>> = None;
        for item in items {
            let (more, needs) = gather(&branch(item, document), document, depth - 1, left);
            fill(&mut properties, &more);
            common = Some(match common {
                None => needs,
                Some(mut common) if key == "allOf" => {
                    common.extend(needs);
                    common
                }
                Some(common) => common.into_iter().filter(|name| needs.contains(name)).collect(),
            });
        }
        for name in common.unwrap_or_default() {
            if !required.contains(&name) {
                required.push(name);
            }
        }
    }
    (properties, required)
}
