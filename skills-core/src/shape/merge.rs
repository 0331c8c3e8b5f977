//! Object schemas that hold together, by `allOf` or beside a `$ref`, become one struct where its fields are exact.
//!
//! A field is exact when what the parts say of it is one type: parts that only bound a value leave its type alone. Where
//! parts disagree the field is any value; the tables check all parts, as ever.

use skills_schema::lower::Draft;
use skills_schema::{Member, Part};

use super::build::{Builder, Hint};
use super::{DefKind, Shape, said};

/// How many schemas are merged at most.
const MOST: usize = 32;

/// Tells whether a schema has parts that say something of properties.
pub(super) fn has_parts(node: Part<'_>) -> bool {
    let says = |part: Part<'_>| ["$ref", "allOf", "properties", "required"].iter().any(|key| part.has(key));
    node.items_of("allOf").into_iter().any(says)
}

impl<'s> Builder<'s, '_> {
    /// Merges a schema with its parts; nothing when they are no objects, or one struct would not hold exactly their values.
    pub(super) fn merged(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Option<Shape> {
        let mut parts = Vec::new();
        collect(node, &mut parts)?;
        if !parts.iter().any(|part| part.types() == ["object"]) {
            return None;
        }
        let properties = properties(&parts);
        let chosen: Vec<Option<Part<'_>>> =
            properties.iter().map(|(_, said)| choose(said)).collect::<Option<_>>()?;
        if properties.is_empty() {
            return None;
        }
        let required: Vec<&str> = parts.iter().flat_map(|part| said::required(*part)).collect();
        // As for one schema: the place is taken first, so that a property may lead back to it.
        let at = self.define(hint, node, DefKind::Enum(Vec::new()));
        let properties = properties.into_iter().zip(chosen).map(|((key, said), chosen)| (key, said, chosen));
        let (mut structure, mut idents) = self.fields(properties, &required, hint);
        if !is_closed(node, &parts) {
            structure.additional = Some((self.further(&parts, hint), idents.field("additional")));
        }
        Some(self.fill(at, DefKind::Struct(structure)))
    }

    /// The shape of further properties: what one part says of those it does not name holds for those that none names.
    fn further(&mut self, parts: &[Part<'s>], hint: &Hint<'_>) -> Shape {
        let mut plain = parts.iter().filter(|part| part.get("patternProperties").is_none());
        match plain.find_map(|part| part.get("additionalProperties")) {
            Some(schema) => self.shape(schema, &hint.within("Additional")),
            None => Shape::Value,
        }
    }
}

/// Collects the schemas that all hold for a value; nothing when one of them could be no object, or is out of reach.
fn collect<'s>(node: Part<'s>, parts: &mut Vec<Part<'s>>) -> Option<()> {
    let refused = ["$dynamicRef", "$recursiveRef", "const", "enum"];
    if parts.len() >= MOST
        || parts.contains(&node)
        || !node.is_object()
        || refused.iter().any(|key| node.has(key))
        || !matches!(node.types().as_slice(), [] | ["object"])
    {
        return None;
    }
    parts.push(node);
    if node.has("$ref") {
        // Draft-07 ignores what stands beside a reference.
        if node.is_alone() && node.plain_reference().is_none() {
            return None;
        }
        collect(node.reference()?, parts)?;
    }
    node.items_of("allOf").into_iter().try_for_each(|part| collect(part, parts))
}

/// The properties of all parts in the order of their first mention, each with the schemas that are said of it.
fn properties<'s>(parts: &[Part<'s>]) -> Vec<(&'s str, Vec<Part<'s>>)> {
    let mut found: Vec<(&str, Vec<Part<'_>>)> = Vec::new();
    let members = parts.iter().flat_map(|part| part.members_of("properties"));
    for Member { key, value, .. } in members {
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, said)) => said.push(value),
            None => found.push((key, vec![value])),
        }
    }
    found
}

/// Chooses the schema whose type a property has: none for any value.
///
/// Nothing when one struct would not do: of several defaults none is the property's.
#[allow(clippy::option_option, reason = "two ways to have no schema: any value, and no struct")]
fn choose<'s>(said: &[Part<'s>]) -> Option<Option<Part<'s>>> {
    let [first, others @ ..] = said else { return Some(None) };
    if others.is_empty() {
        return Some(Some(*first));
    }
    if said.iter().any(|schema| schema.has("default")) {
        return None;
    }
    if others.iter().all(|other| other.text() == first.text()) {
        return Some(Some(*first));
    }
    let mut typed = said.iter().filter(|schema| gives_type(**schema));
    match (typed.next(), typed.next()) {
        (Some(only), None) => Some(Some(*only)),
        _ => Some(None),
    }
}

/// Tells whether a schema may decide the type of a value, rather than only bound it.
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

/// Tells whether no property but the named ones can be there.
fn is_closed(node: Part<'_>, parts: &[Part<'_>]) -> bool {
    let has = |part: Part<'_>, keys: &[&str]| keys.iter().any(|key| part.has(key));
    let refuses = |part: Part<'_>, key| part.get(key).is_some_and(|value| value.is_bool(false));
    let by_part =
        |part: &Part<'_>| refuses(*part, "additionalProperties") && !has(*part, &["patternProperties"]);
    let opens = |part: &Part<'_>| {
        has(*part, &["patternProperties", "additionalProperties", "anyOf", "oneOf", "if", "dependentSchemas"])
    };
    let by_rest =
        node.draft() != Draft::Draft7 && refuses(node, "unevaluatedProperties") && !parts.iter().any(opens);
    by_rest || parts.iter().any(by_part)
}
