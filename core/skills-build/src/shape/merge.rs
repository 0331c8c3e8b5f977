//! Merges object schemas that apply together (in `allOf`, or beside a `$ref`) into one struct, if all fields
//! are exact.
//!
//! A field is exact if all parts together give it one type; parts that only restrict a value do not change
//! its type. If parts disagree, the field accepts any value, and the tables still check all parts.

use skills_schema::lower::Draft;
use skills_schema::{Part, PartMember};

use super::build::{Hint, ShapeBuilder};
use super::{DefKind, TypeShape, keywords};

/// The maximum number of merged schemas.
const MAX_MERGED: usize = 32;

/// Returns `true` if a schema has parts with keywords for properties.
pub(super) fn has_parts(node: Part<'_>) -> bool {
    let mut parts = node.items_of("allOf").into_iter();
    parts.any(|part| has_any(part, &["$ref", "allOf", "properties", "required"]))
}

fn has_any(part: Part<'_>, keys: &[&str]) -> bool {
    keys.iter().any(|key| part.has(key))
}

fn refuses(part: Part<'_>, key: &str) -> bool {
    part.get(key).is_some_and(|value| value.is_bool(false))
}

impl<'s> ShapeBuilder<'s, '_> {
    /// Merges a schema with its parts; `None` if they are not objects, or if one struct would not hold
    /// exactly their values.
    pub(super) fn merged(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Option<TypeShape> {
        self.merged_of(&[node], hint)
    }

    /// Merges schemas that apply together; the last one names the struct and documents it.
    pub(super) fn merged_of(&mut self, nodes: &[Part<'s>], hint: &Hint<'_>) -> Option<TypeShape> {
        let node = *nodes.last()?;
        let mut parts = Vec::new();
        nodes.iter().try_for_each(|node| collect(*node, &mut parts))?;
        if !parts.iter().any(|part| part.types() == ["object"]) {
            return None;
        }
        let properties = properties(&parts);
        let chosen: Vec<Option<Part<'_>>> =
            properties.iter().map(|(_, given)| choose(given)).collect::<Option<_>>()?;
        if properties.is_empty() {
            return None;
        }
        let required: Vec<&str> = parts.iter().flat_map(|part| keywords::required(*part)).collect();
        // As with a single schema, the index is reserved first, so that a property can refer back to the
        // struct.
        let at = self.define(hint, node, DefKind::Enum(Vec::new()));
        let properties =
            properties.into_iter().zip(chosen).map(|((key, given), chosen)| (key, given, chosen));
        let (mut structure, mut idents) = self.fields(properties, &required, hint);
        if !nodes.iter().any(|node| is_closed(*node, &parts)) {
            structure.additional = Some((self.further(&parts, hint), idents.field("additional")));
        }
        Some(self.fill(at, DefKind::Struct(structure)))
    }

    /// Returns the shape of additional properties, which no part names. The schemas for additional properties
    /// of all parts apply to them.
    fn further(&mut self, parts: &[Part<'s>], hint: &Hint<'_>) -> TypeShape {
        let mut plain = parts.iter().filter(|part| part.get("patternProperties").is_none());
        match plain.find_map(|part| part.get("additionalProperties")) {
            Some(schema) => self.shape(schema, &hint.within("Additional")),
            None => TypeShape::Value,
        }
    }
}

/// Collects the schemas that all apply to a value; `None` if one of them may not be an object, or cannot be
/// resolved.
fn collect<'s>(node: Part<'s>, parts: &mut Vec<Part<'s>>) -> Option<()> {
    let refused = ["$dynamicRef", "$recursiveRef", "const", "enum"];
    if parts.len() >= MAX_MERGED
        || parts.contains(&node)
        || !node.is_object()
        || refused.iter().any(|key| node.has(key))
        || !matches!(node.types().as_slice(), [] | ["object"])
    {
        return None;
    }
    parts.push(node);
    if node.has("$ref") {
        // Draft-07 ignores keywords beside a reference.
        if node.is_alone() && node.plain_reference().is_none() {
            return None;
        }
        collect(node.reference()?, parts)?;
    }
    node.items_of("allOf").into_iter().try_for_each(|part| collect(part, parts))
}

/// Returns the properties of all parts in the order of their first occurrence, each with its schemas.
fn properties<'s>(parts: &[Part<'s>]) -> Vec<(&'s str, Vec<Part<'s>>)> {
    let mut found: Vec<(&str, Vec<Part<'_>>)> = Vec::new();
    let members = parts.iter().flat_map(|part| part.members_of("properties"));
    for PartMember { key, value, .. } in members {
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, given)) => given.push(value),
            None => found.push((key, vec![value])),
        }
    }
    found
}

/// Chooses the schema that gives a property its type; the inner `None` means any value.
///
/// Returns `None` if a default makes one struct insufficient.
#[allow(
    clippy::option_option,
    reason = "the outer `None` means that there is no struct, the inner one that any value is accepted"
)]
fn choose<'s>(given: &[Part<'s>]) -> Option<Option<Part<'s>>> {
    let [first, others @ ..] = given else { return Some(None) };
    if others.is_empty() {
        return Some(Some(*first));
    }
    if given.iter().any(|schema| schema.has("default")) {
        return None;
    }
    if others.iter().all(|other| other.text() == first.text()) {
        return Some(Some(*first));
    }
    // A constant is the type, and the others can only refuse it.
    if let Some(constant) = given.iter().find(|schema| keywords::constant(**schema).is_some()) {
        return Some(Some(*constant));
    }
    let mut typed = given.iter().filter(|schema| gives_type(**schema));
    match (typed.next(), typed.next()) {
        (Some(only), None) => Some(Some(*only)),
        _ => Some(None),
    }
}

/// Returns `true` if a schema determines the type of a value, rather than only restricting it.
pub(super) fn gives_type(schema: Part<'_>) -> bool {
    const BOUNDS: &[&str] = &[
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "required",
        "title",
        "description",
        "examples",
        "$comment",
        "deprecated",
        "readOnly",
        "writeOnly",
    ];
    !schema.is_bool(true) && !schema.members().iter().all(|member| BOUNDS.contains(&member.key))
}

/// Returns `true` if only the named properties can be present.
fn is_closed(node: Part<'_>, parts: &[Part<'_>]) -> bool {
    const OPENING: [&str; 6] =
        ["patternProperties", "additionalProperties", "anyOf", "oneOf", "if", "dependentSchemas"];
    if node.draft() != Draft::Draft7
        && refuses(node, "unevaluatedProperties")
        && !parts.iter().any(|part| has_any(*part, &OPENING))
    {
        return true;
    }
    parts.iter().any(|part| refuses(*part, "additionalProperties") && !part.has("patternProperties"))
}
