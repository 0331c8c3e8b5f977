//! Objects: a struct where properties are known, a map where they are not.

use skills_schema::json::{Kind as Json, Node};

use super::build::{Builder, Hint, inner};
use super::names::Names;
use super::schema;
use super::{DefKind, Field, Presence, Shape, Struct, ident, merge, union};

/// Turns a schema of type `object` into a shape.
pub(super) fn shape<'s>(builder: &mut Builder<'s, '_>, node: &'s Node, hint: &Hint<'_>) -> Shape {
    if merge::has_parts(node)
        && let Some(shape) = merge::structure(builder, node, hint)
    {
        return shape;
    }
    let properties = node.get("properties").map(Node::members).unwrap_or_default();
    if properties.is_empty() {
        if let Some(shape) = union::of_objects(builder, node, hint) {
            return shape;
        }
        return map(builder, node, hint);
    }
    if node.get("allOf").is_some_and(|all| {
        all.items().iter().any(|item| item.get("properties").is_some() || item.get("$ref").is_some())
    }) {
        // The parts add properties that one struct would not hold: what they say together is left to the tables.
        return Shape::Map(Box::new(Shape::Value));
    }
    structure(builder, node, hint)
}

/// Turns the properties of a schema into a struct.
pub(super) fn structure<'s>(builder: &mut Builder<'s, '_>, node: &'s Node, hint: &Hint<'_>) -> Shape {
    // The place is taken before the properties are walked, so that one of them may lead back to it.
    let at = builder.define(hint, schema::doc(node), DefKind::Enum(Vec::new()));
    let parent = builder.defs.get(at).map(|def| def.name.clone()).unwrap_or_default();
    let required: Vec<&str> =
        node.get("required").map(Node::items).unwrap_or_default().iter().filter_map(Node::as_str).collect();
    let mut idents = Names::default();
    let mut fields = Vec::new();
    for member in node.get("properties").map(Node::members).unwrap_or_default() {
        let name = ident::camel(&member.key);
        let shape = builder.shape(&member.value, &Hint { name: &name, parent: &parent, is_root: false });
        let presence = presence(builder, &member.value, required.contains(&member.key.as_str()));
        fields.push(Field {
            wire: member.key.clone(),
            ident: idents.field(&ident::field(&member.key)),
            doc: schema::doc(&member.value),
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
fn additional<'s>(builder: &mut Builder<'s, '_>, node: &'s Node, parent: &str) -> Option<Shape> {
    if node.get("patternProperties").is_some_and(|patterns| !patterns.members().is_empty()) {
        return Some(Shape::Value);
    }
    match node.get("additionalProperties") {
        Some(schema) if schema.kind == Json::Bool(false) => None,
        Some(schema) => Some(builder.shape(schema, &Hint { name: "Additional", parent, is_root: false })),
        None => Some(Shape::Value),
    }
}

fn map<'s>(builder: &mut Builder<'s, '_>, node: &'s Node, hint: &Hint<'_>) -> Shape {
    let inner = inner(hint);
    let patterns = node.get("patternProperties").map(Node::members).unwrap_or_default();
    let value = match (node.get("additionalProperties"), patterns) {
        (Some(schema), []) if schema.kind != Json::Bool(false) => builder.shape(schema, &inner),
        (Some(schema), [only]) if schema.kind == Json::Bool(false) => builder.shape(&only.value, &inner),
        _ => Shape::Value,
    };
    Shape::Map(Box::new(value))
}

/// Decides what happens when a property is absent: a default that fits is inserted (SPEC 6.1).
pub(super) fn presence(builder: &Builder<'_, '_>, node: &Node, is_required: bool) -> Presence {
    if is_required {
        // A required property never takes its default.
        return Presence::Required;
    }
    // The default of a mere reference is that of what it refers to; the tables follow as far.
    let mut schema = node;
    for _ in 0..16 {
        if let Some(default) = schema.get("default") {
            return match builder.document.fits(default, schema) {
                true => Presence::Default(builder.document.text(default).to_owned()),
                false => Presence::Optional,
            };
        }
        let Some(target) = builder.document.plain_reference(schema) else { break };
        schema = target;
    }
    Presence::Optional
}
