//! Object schemas that hold together, by `allOf` or beside a `$ref`, become one struct where its fields are exact.
//!
//! A field is exact when what the parts say of it is one type: parts that only bound a value leave its type alone. Where
//! parts disagree the field is any value; the tables check all parts, as ever.

use skills_schema::json::{Kind as Json, Member, Node};
use skills_schema::lower::Draft;

use super::build::{Builder, Hint};
use super::names::Names;
use super::schema::{self, Document};
use super::{DefKind, Field, Presence, Shape, Struct, ident, object};

/// How many schemas are merged at most.
const MOST: usize = 32;

/// Tells whether a schema has parts that say something of properties.
pub(super) fn has_parts(node: &Node) -> bool {
    let says =
        |part: &Node| ["$ref", "allOf", "properties", "required"].iter().any(|key| part.get(key).is_some());
    node.get("allOf").is_some_and(|all| all.items().iter().any(says))
}

/// Merges a schema with its parts; nothing when they are no objects, or one struct would not hold exactly their values.
pub(super) fn structure<'s>(builder: &mut Builder<'s, '_>, node: &'s Node, hint: &Hint<'_>) -> Option<Shape> {
    let mut parts = Vec::new();
    collect(builder.document, node, &mut parts)?;
    if !parts.iter().any(|part| schema::types(part) == ["object"]) {
        return None;
    }
    let properties = properties(&parts);
    let chosen: Vec<Option<&Node>> =
        properties.iter().map(|(_, said)| choose(builder.document, said)).collect::<Option<_>>()?;
    if properties.is_empty() {
        return None;
    }
    let required: Vec<&str> = parts
        .iter()
        .flat_map(|part| part.get("required").map(Node::items).unwrap_or_default())
        .filter_map(Node::as_str)
        .collect();
    // As for one schema: the place is taken first, so that a property may lead back to it.
    let at = builder.define(hint, schema::doc(node), DefKind::Enum(Vec::new()));
    let parent = builder.defs.get(at).map(|def| def.name.clone()).unwrap_or_default();
    let mut idents = Names::default();
    let mut fields = Vec::new();
    for ((key, said), chosen) in properties.iter().zip(chosen) {
        let name = ident::camel(key);
        let hint = Hint { name: &name, parent: &parent, is_root: false };
        let shape = chosen.map_or(Shape::Value, |schema| builder.shape(schema, &hint));
        let is_required = required.contains(key);
        // What has no schema of its own has no default.
        let presence = match chosen {
            Some(schema) => object::presence(builder, schema, is_required),
            None if is_required => Presence::Required,
            None => Presence::Optional,
        };
        fields.push(Field {
            wire: (*key).to_owned(),
            ident: idents.field(&ident::field(key)),
            doc: said
                .iter()
                .map(|schema| schema::doc(schema))
                .find(|doc| !doc.is_empty())
                .unwrap_or_default(),
            shape,
            presence,
        });
    }
    let additional = match is_closed(builder.document, node, &parts) {
        true => None,
        false => Some((additional(builder, &parts, &parent), idents.field("additional"))),
    };
    if let Some(def) = builder.defs.get_mut(at) {
        def.kind = DefKind::Struct(Struct { fields, additional });
    }
    Some(Shape::Named(at))
}

/// Collects the schemas that all hold for a value; nothing when one of them could be no object, or is out of reach.
fn collect<'s>(document: &Document<'s>, node: &'s Node, parts: &mut Vec<&'s Node>) -> Option<()> {
    let refused = ["$dynamicRef", "$recursiveRef", "const", "enum"];
    let is_first = parts.is_empty();
    if parts.len() >= MOST
        || parts.iter().any(|part| std::ptr::eq(*part, node))
        || !matches!(node.kind, Json::Object(_))
        || refused.iter().any(|key| node.get(key).is_some())
        || (node.get("$id").is_some() && !is_first)
        || !matches!(schema::types(node).as_slice(), [] | ["object"])
    {
        return None;
    }
    parts.push(node);
    if let Some(reference) = node.get("$ref") {
        // Draft-07 ignores what stands beside a reference.
        if document.draft == Draft::Draft7 && document.plain_reference(node).is_none() {
            return None;
        }
        collect(document, document.resolve(reference.as_str()?)?, parts)?;
    }
    let all = node.get("allOf").map(Node::items).unwrap_or_default();
    all.iter().try_for_each(|part| collect(document, part, parts))
}

/// The properties of all parts in the order of their first mention, each with the schemas that are said of it.
fn properties<'s>(parts: &[&'s Node]) -> Vec<(&'s str, Vec<&'s Node>)> {
    let mut found: Vec<(&str, Vec<&Node>)> = Vec::new();
    let members = parts.iter().flat_map(|part| part.get("properties").map(Node::members).unwrap_or_default());
    for Member { key, value, .. } in members {
        match found.iter_mut().find(|(known, _)| known == key) {
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
fn choose<'s>(document: &Document<'s>, said: &[&'s Node]) -> Option<Option<&'s Node>> {
    let [first, others @ ..] = said else { return Some(None) };
    if others.is_empty() {
        return Some(Some(first));
    }
    if said.iter().any(|schema| schema.get("default").is_some()) {
        return None;
    }
    if others.iter().all(|other| document.text(other) == document.text(first)) {
        return Some(Some(first));
    }
    let mut typed = said.iter().filter(|schema| gives_type(schema));
    match (typed.next(), typed.next()) {
        (Some(only), None) => Some(Some(only)),
        _ => Some(None),
    }
}

/// Tells whether a schema may decide the type of a value, rather than only bound it.
pub(super) fn gives_type(schema: &Node) -> bool {
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
    schema.kind != Json::Bool(true)
        && !schema.members().iter().all(|member| BOUNDS.contains(&member.key.as_str()))
}

/// The shape of further properties: what one part says of those it does not name holds for those that none names.
fn additional<'s>(builder: &mut Builder<'s, '_>, parts: &[&'s Node], parent: &str) -> Shape {
    let mut plain = parts.iter().filter(|part| part.get("patternProperties").is_none());
    match plain.find_map(|part| part.get("additionalProperties")) {
        Some(schema) => builder.shape(schema, &Hint { name: "Additional", parent, is_root: false }),
        None => Shape::Value,
    }
}

/// Tells whether no property but the named ones can be there.
fn is_closed(document: &Document<'_>, node: &Node, parts: &[&Node]) -> bool {
    let has = |part: &Node, keys: &[&str]| keys.iter().any(|key| part.get(key).is_some());
    let refuses = |part: &Node, key| part.get(key).is_some_and(|value| value.kind == Json::Bool(false));
    let by_part = |part: &&Node| refuses(part, "additionalProperties") && !has(part, &["patternProperties"]);
    let opens = |part: &&Node| {
        has(part, &["patternProperties", "additionalProperties", "anyOf", "oneOf", "if", "dependentSchemas"])
    };
    let by_rest =
        document.draft != Draft::Draft7 && refuses(node, "unevaluatedProperties") && !parts.iter().any(opens);
    by_rest || parts.iter().any(by_part)
}
