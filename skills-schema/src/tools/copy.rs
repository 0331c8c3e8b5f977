//! Copies a schema for a definition, and with it whatever lies outside of it.

use crate::document::{Document, Part};
use crate::json::make;
use crate::json::{Kind, Node};

/// How many schemas are copied at most, so that references to references cannot grow without end.
const LIMIT: usize = 4_000;

/// How many references may lie inside each other, so that the stack holds.
const NESTED: usize = 32;

/// Copies a part of a schema with whatever it refers to in other documents; references inside the schema stay.
pub(super) fn copy(part: Part<'_>) -> Node {
    Copy { left: LIMIT }.schema(part, !part.is_own(), &mut Vec::new())
}

/// Returns where a reference leads that stands in a copy.
pub(super) fn target<'d>(document: &'d Document, reference: &Node) -> Option<Part<'d>> {
    // A copied reference has its number for a place. The number 0 is the root, which is no reference.
    let number = u32::try_from(reference.span.start).ok().filter(|number| *number != 0)?;
    at_hand(document.part(number))
}

/// Returns where a reference leads; nothing for a meta-schema, which every reader of a definition has.
fn at_hand(reference: Part<'_>) -> Option<Part<'_>> {
    reference.target().filter(|target| target.document().is_given(target.source()))
}

/// Keywords whose values are data and no schemas.
pub(super) fn is_data(key: &str) -> bool {
    matches!(key, "enum" | "const" | "default" | "examples" | "required" | "dependentRequired")
}

fn is_frame(key: &str) -> bool {
    matches!(key, "$schema" | "$id" | "$anchor" | "definitions" | "$defs")
}

struct Copy {
    left: usize,
}

impl Copy {
    /// Copies a part; what is foreign has its references replaced, since they lead nowhere from the copy.
    fn schema(&mut self, part: Part<'_>, is_foreign: bool, around: &mut Vec<u32>) -> Node {
        self.left = self.left.saturating_sub(1);
        let reference = part.get("$ref").filter(|reference| reference.as_str().is_some());
        if let Some(reference) = reference
            && (is_foreign || !reference.as_str().is_some_and(|text| text.starts_with('#')))
            && let Some(target) = at_hand(reference)
        {
            // A circle through other documents is cut: the copy then says less.
            if around.contains(&target.number()) || around.len() == NESTED || self.left == 0 {
                return make::object([]);
            }
            around.push(target.number());
            let mut copy = self.schema(target, !target.is_own(), around);
            around.pop();
            for key in ["title", "description", "default"] {
                if let Some(value) = part.get(key) {
                    copy.set(key, value.to_node());
                }
            }
            return copy;
        }
        if part.is_array() {
            return make::array(part.items().into_iter().map(|item| self.schema(item, is_foreign, around)));
        }
        if !part.is_object() {
            return part.to_node();
        }
        if is_foreign && (part.has("$dynamicRef") || part.has("$recursiveRef")) {
            // Where it leads depends on what stands around it, which is not copied: the copy says less.
            return make::object([]);
        }
        let mut copies = Vec::new();
        // What names a document or its parts means nothing where the copy stands.
        for member in part.members().into_iter().filter(|member| !is_foreign || !is_frame(member.key)) {
            // A property may be called as a keyword is.
            let mut value = match is_data(member.key) && !member.value.is_schema() {
                true => member.value.to_node(),
                false => self.schema(member.value, is_foreign, around),
            };
            if Some(member.value) == reference {
                let number = member.value.number() as usize;
                value.span = number..number;
            }
            copies.push(make::member(member.key, value));
        }
        make::node(Kind::Object(copies))
    }
}
