//! Merges two schemas that both apply to a value (in `allOf`, or a reference beside other keywords), as far
//! as a single schema can express this.

use crate::json::{Kind, Node};

use super::tree::{TYPES, fill, names, strings, types};

/// Adds the keywords of another schema. If both have a keyword, lists of names are joined. For any other
/// keyword, the first value stays.
pub(crate) fn merge(schema: &mut Node, other: &Node) {
    let narrowed = narrowed(schema, other);
    let mut required = names(schema.get("required"));
    let more = names(other.get("required"));
    required.extend(more.into_iter().filter(|name| !required.contains(name)).collect::<Vec<_>>());
    let mut properties = schema.get("properties").cloned();
    if let (Some(properties), Some(more)) = (&mut properties, other.get("properties")) {
        let Kind::Object(members) = &mut properties.kind else { return };
        for member in more.members() {
            match members.iter_mut().find(|known| known.key == member.key) {
                Some(known) => merge(&mut known.value, &member.value),
                None => members.push(member.clone()),
            }
        }
    }
    if matches!(schema.kind, Kind::Object(_)) {
        fill(schema, other);
    } else if schema.kind == Kind::Bool(true) {
        *schema = other.clone();
    }
    if let Some(properties) = properties {
        schema.set("properties", properties);
    }
    if !required.is_empty() {
        schema.set("required", strings(&required));
    }
    if let Some(types) = narrowed {
        schema.set("type", strings(&types));
    }
}

/// Returns the types that both schemas allow, if both name types and have some in common.
fn narrowed(schema: &Node, other: &Node) -> Option<Vec<String>> {
    let (ours, theirs) = (types(schema), types(other));
    let mut shared = Vec::new();
    for name in TYPES {
        let (in_ours, in_theirs) = (has_type(&ours, name), has_type(&theirs, name));
        // An integer is a number, too.
        let is_shared = match name {
            "integer" => {
                (in_ours && (in_theirs || has_type(&theirs, "number")))
                    || (in_theirs && has_type(&ours, "number"))
            }
            _ => in_ours && in_theirs,
        };
        if is_shared {
            shared.push(name.to_owned());
        }
    }
    if has_type(&shared, "number") {
        shared.retain(|name| name != "integer");
    }
    Some(shared).filter(|shared| !shared.is_empty())
}

fn has_type(names: &[String], name: &str) -> bool {
    names.iter().any(|known| known == name)
}
