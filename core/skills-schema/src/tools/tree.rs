//! Functions that create and change the JSON trees of definitions.

use std::borrow::Cow;

use crate::json::make::{array, string};
use crate::json::{Kind, Node};

/// Returns the names in a list of strings.
pub(crate) fn names(list: Option<&Node>) -> Vec<String> {
    list.map_or(&[][..], Node::items).iter().filter_map(Node::as_str).map(str::to_owned).collect()
}

pub(crate) fn strings(names: &[String]) -> Node {
    array(names.iter().map(string))
}

/// Adds the members of `new` that `old` does not have.
pub(crate) fn fill(old: &mut Node, new: &Node) {
    for member in new.members() {
        if old.get(&member.key).is_none() {
            old.set(&member.key, member.value.clone());
        }
    }
}

/// The types of JSON Schema.
pub(crate) const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

/// Returns the types that a schema names. Empty if it does not name any.
pub(crate) fn types(schema: &Node) -> Vec<String> {
    let mut types = match schema.get("type") {
        Some(Node { kind: Kind::String(name), .. }) => vec![name.clone()],
        other => names(other),
    };
    types.retain(|name| TYPES.contains(&name.as_str()));
    types
}

/// Removes hidden characters from every text. A property whose name contains hidden characters is left out,
/// since a renamed property would change the meaning.
pub(crate) fn clean(node: &mut Node) {
    match &mut node.kind {
        Kind::String(text) => {
            if let Cow::Owned(cleaned) = skills_text::clean(text) {
                *text = cleaned;
            }
        }
        Kind::Array(items) => items.iter_mut().for_each(clean),
        Kind::Object(members) => {
            members.retain(|member| is_seen(&member.key));
            for member in members {
                if let ("required", Kind::Array(names)) = (member.key.as_str(), &mut member.value.kind) {
                    names.retain(|name| !matches!(&name.kind, Kind::String(name) if !is_seen(name)));
                }
                clean(&mut member.value);
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => {}
    }
}

fn is_seen(name: &str) -> bool {
    matches!(skills_text::clean(name), Cow::Borrowed(_))
}
