//! Objects: a struct where properties are known, a map where they are not.

use skills_schema::Part;

use super::build::{Builder, Hint, inner};
use super::names::Names;
use super::said;
use super::{DefKind, Field, Presence, Shape, Struct, ident, merge, union};

/// Turns a schema of type `object` into a shape.
pub(super) fn shape<'s>(builder: &mut Builder<'s, '_>, node: Part<'s>, hint: &Hint<'_>) -> Shape {
    if merge::has_parts(node)
        && let Some(shape) = merge::structure(builder, node, hint)
    {
        return shape;
    }
    if node.members_of("properties").is_empty() {
        if let Some(shape) = union::of_objects(builder, node, hint) {
            return shape;
        }
        return map(builder, node, hint);
    }
    if node.get("allOf").is_some_and(|all| {
        all.items().iter().any(|item| item.has("properties") || item.get("$ref").is_some())
    }) {
        // The parts add properties that one struct would not hold: what they say together is left to the tables.
        return Shape::Map(Box::new(Shape::Value));
    }
    structure(builder, node, hint)
}

/// Turns the properties of a schema into a struct.
pub(super) fn structure<'s>(builder: &mut Builder<'s, '_>, node: Part<'s>, hint: &Hint<'_>) -> Shape {
    // The place is taken before the properties are walked, so that one of them may lead back to it.
    let at = builder.define(hint, said::doc(node), DefKind::Enum(Vec::new()));
    let parent = builder.defs.get(at).map(|def| def.name.clone()).unwrap_or_default();
    let required = said::required(node);
    let mut idents = Names::default();
    let mut fields = Vec::new();
    for member in node.members_of("properties") {
        let name = ident::camel(member.key);
        let shape = builder.shape(member.value, &Hint { name: &name, parent: &parent, is_root: false });
        let presence = presence(member.value, required.contains(&member.key));
        fields.push(Field {
            wire: member.key.to_owned(),
            ident: idents.field(&ident::field(member.key)),
            doc: said::doc(member.value),
            shape,
            presence,
        });
    }
    let additional = additional(builder, node, &parent).map(|shape| (shape, idents.field("additional")));
    if let Some(def) = builder.defs.get_mut(at) {
        def.kind = DefKind::Struct(Struct { fields, additional });
    }
    Shape::Named(at)
}

/// What may stand beside the known properties; nothing when it is refused.
fn additional<'s>(builder: &mut Builder<'s, '_>, node: Part<'s>, parent: &str) -> Option<Shape> {
    if !node.members_of("patternProperties").is_empty() {
        return Some(Shape::Value);
    }
    match node.get("additionalProperties") {
        Some(schema) if schema.is_bool(false) => None,
        Some(schema) => Some(builder.shape(schema, &Hint { name: "Additional", parent, is_root: false })),
        None => Some(Shape::Value),
    }
}

fn map<'s>(builder: &mut Builder<'s, '_>, node: Part<'s>, hint: &Hint<'_>) -> Shape {
    let inner = inner(hint);
    let patterns = node.members_of("patternProperties");
    let value = match (node.get("additionalProperties"), patterns.as_slice()) {
        (Some(schema), []) if !schema.is_bool(false) => builder.shape(schema, &inner),
        (Some(schema), [only]) if schema.is_bool(false) => builder.shape(only.value, &inner),
        _ => Shape::Value,
    };
    Shape::Map(Box::new(value))
}

/// Decides what happens when a property is absent: a default that fits is inserted (SPEC 6.1).
pub(super) fn presence(schema: Part<'_>, is_required: bool) -> Presence {
    match schema.default() {
        // A required property never takes its default.
        _ if is_required => Presence::Required,
        Some(default) if schema.document().is_fit(default) => Presence::Default(default.text().to_owned()),
        _ => Presence::Optional,
    }
}
