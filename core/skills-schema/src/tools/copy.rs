//! Copies a schema for a tool definition, including everything it refers to in other documents.

use crate::json::make;
use crate::json::{Kind, Node};
use crate::{Document, Part};

/// The maximum number of schemas to copy, so that references to references cannot grow without limit.
const LIMIT: usize = 4_000;

/// The maximum nesting depth of references, to limit stack use.
const NESTED: usize = 32;

/// Copies a part of a schema, including everything it refers to in other documents. References inside the
/// schema stay.
pub(crate) fn copy(part: Part<'_>) -> Node {
    Copy { left: LIMIT }.schema(part, !part.is_own(), &mut Vec::new())
}

/// Returns the target of a reference in a copy.
pub(crate) fn target<'d>(document: &'d Document, reference: &Node) -> Option<Part<'d>> {
    // The position of a copied reference is its number. The number 0 is the root, which is not a reference.
    let number = u32::try_from(reference.span.start).ok().filter(|number| *number != 0)?;
    document.numbered(number).and_then(at_hand)
}

/// Returns the target of a reference. Returns `None` if the target is a meta-schema, because every reader of
/// a definition already has it.
fn at_hand(reference: Part<'_>) -> Option<Part<'_>> {
    reference.target().filter(|target| target.document().is_given(target.source()))
}

/// Returns `true` for keywords whose values are data and not schemas.
pub(crate) fn is_data(key: &str) -> bool {
    matches!(key, "enum" | "const" | "default" | "examples" | "required" | "dependentRequired")
}

fn is_frame(key: &str) -> bool {
    matches!(key, "$schema" | "$id" | "$anchor" | "definitions" | "$defs")
}

struct Copy {
    left: usize,
}

impl Copy {
    /// Copies a part. In a part from another document, references are replaced with copies of their targets,
    /// since they would not resolve in the copy.
    fn schema(&mut self, part: Part<'_>, is_foreign: bool, around: &mut Vec<u32>) -> Node {
        self.left = self.left.saturating_sub(1);
        let reference = part.get("$ref").filter(|reference| reference.as_str().is_some());
        if let Some(reference) = reference
            && (is_foreign || !reference.as_str().is_some_and(|text| text.starts_with('#')))
            && let Some(target) = at_hand(reference)
        {
            // Cycles through other documents are cut, so the copy is less strict.
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
            // The target depends on the surrounding schemas, which are not copied, so the copy is less
            // strict.
            return make::object([]);
        }
        let mut copies = Vec::new();
        // Keywords that name a document or its parts have no meaning in the copy.
        for member in part.members().into_iter().filter(|member| !is_foreign || !is_frame(member.key)) {
            // A property may have the name of a keyword.
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
