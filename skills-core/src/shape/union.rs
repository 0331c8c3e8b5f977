//! Several shapes in one place: told apart by their JSON type, by a constant property, or not at all.

use skills_schema::json::{Kind as Json, Node};

use super::build::{Builder, Hint, nullable};
use super::names::Names;
use super::schema;
use super::{Arm, DefKind, Kind, Shape, Sign, Union, ident, merge};

/// Turns a schema without `type` into a shape: what `anyOf`, `oneOf` or a lone `allOf` says.
pub(super) fn untyped<'s>(builder: &mut Builder<'s, '_>, node: &'s Node, hint: &Hint<'_>) -> Shape {
    let combined: Vec<&str> =
        ["anyOf", "oneOf", "allOf"].into_iter().filter(|key| schema::list(node, key).is_some()).collect();
    let [key] = combined.as_slice() else { return Shape::Value };
    let Some(items) = schema::list(node, key) else { return Shape::Value };
    match (*key, items) {
        ("allOf", _) if items.len() > 1 || node.get("properties").is_some() => {
            match (merge::structure(builder, node, hint), items) {
                (Some(shape), _) => shape,
                (None, [only]) => builder.shape(only, hint),
                // The others only bound what the first says.
                (None, items) => {
                    match items.iter().filter(|item| merge::gives_type(item)).collect::<Vec<_>>()[..] {
                        [only] => builder.shape(only, hint),
                        _ => Shape::Value,
                    }
                }
            }
        }
        (_, [only]) => builder.shape(only, hint),
        _ => of_schemas(builder, node, items, hint),
    }
}

/// Turns an object schema without properties of its own, but with `anyOf` or `oneOf`, into a union.
pub(super) fn of_objects<'s>(
    builder: &mut Builder<'s, '_>,
    node: &'s Node,
    hint: &Hint<'_>,
) -> Option<Shape> {
    let items = schema::list(node, "oneOf").or_else(|| schema::list(node, "anyOf"))?;
    let beside = ["additionalProperties", "patternProperties", "allOf", "$ref"];
    if beside.iter().any(|key| node.get(key).is_some()) || items.len() < 2 {
        return None;
    }
    tagged(builder, node, items, hint)
}

/// Turns a list of types into a union.
pub(super) fn of_types<'s>(
    builder: &mut Builder<'s, '_>,
    node: &'s Node,
    types: &[&str],
    hint: &Hint<'_>,
) -> Shape {
    let rest = types.iter().filter(|name| **name != "null");
    let arms: Option<Vec<_>> = rest.map(|name| Some((kind_of(name)?, *name))).collect();
    let walk = |builder: &mut Builder<'s, '_>, name: &&str, hint: &Hint<'_>| {
        (builder.typed(name, node, hint), String::new())
    };
    by_kind(builder, node, &arms.unwrap_or_default(), types.contains(&"null"), hint, walk)
}

fn of_schemas<'s>(
    builder: &mut Builder<'s, '_>,
    node: &'s Node,
    items: &'s [Node],
    hint: &Hint<'_>,
) -> Shape {
    let resolve = |item: &'s Node| match item.get("$ref").and_then(Node::as_str) {
        Some(reference) => builder.document.resolve(reference),
        None => Some(item),
    };
    let Some(targets) = items.iter().map(resolve).collect::<Option<Vec<_>>>() else { return Shape::Value };
    let is_null = |target: &&Node| schema::types(target) == ["null"] && schema::constants(target).is_none();
    let has_null = targets.iter().any(is_null);
    let rest: Vec<(&'s Node, &'s Node)> =
        items.iter().zip(targets).filter(|(_, target)| !is_null(target)).collect();
    if let [(item, _)] = rest.as_slice() {
        let shape = builder.shape(item, hint);
        return if has_null { nullable(shape) } else { shape };
    }
    let kinds: Option<Vec<Kind>> = rest.iter().map(|(_, target)| kind(target)).collect();
    let Some(kinds) = kinds else { return Shape::Value };
    if distinct(&kinds) {
        let arms: Vec<_> = kinds.into_iter().zip(rest).collect();
        let walk = |builder: &mut Builder<'s, '_>, (item, target): &(&'s Node, &'s Node), hint: &Hint<'_>| {
            (builder.shape(item, hint), schema::doc(target))
        };
        return by_kind(builder, node, &arms, has_null, hint, walk);
    }
    if has_null {
        return Shape::Value;
    }
    tagged(builder, node, items, hint).unwrap_or(Shape::Value)
}

/// Makes a union of places that take different JSON types; `walk` gives each its shape and documentation.
fn by_kind<'s, 'n, T>(
    builder: &mut Builder<'s, 'n>,
    node: &'s Node,
    arms: &[(Kind, T)],
    has_null: bool,
    hint: &Hint<'_>,
    walk: impl Fn(&mut Builder<'s, 'n>, &T, &Hint<'_>) -> (Shape, String),
) -> Shape {
    let kinds: Vec<Kind> = arms.iter().map(|(kind, _)| *kind).collect();
    if arms.is_empty() || !distinct(&kinds) {
        return Shape::Value;
    }
    if has_null {
        builder.open_nullable();
    }
    // The place is taken before the arms are walked, so that one of them may lead back to it.
    let empty = Union { arms: Vec::new(), tag: None };
    let at = builder.define(hint, schema::doc(node), DefKind::Union(empty));
    let mut walked = Vec::new();
    for (kind, arm) in arms {
        let name = format!("{}{}", hint.name, kind_name(*kind));
        let (shape, doc) = walk(builder, arm, &Hint { name: &name, parent: hint.parent, is_root: false });
        walked.push(Arm { ident: kind_name(*kind).to_owned(), doc, shape, sign: Sign::Kind(*kind) });
    }
    if let Some(def) = builder.defs.get_mut(at) {
        def.kind = DefKind::Union(Union { arms: walked, tag: None });
    }
    if has_null { nullable(Shape::Named(at)) } else { Shape::Named(at) }
}

fn distinct<T: PartialEq>(values: &[T]) -> bool {
    values.iter().enumerate().all(|(at, value)| !values[..at].contains(value))
}

/// Makes a union of objects that a required property with a constant tells apart.
fn tagged<'s>(
    builder: &mut Builder<'s, '_>,
    node: &'s Node,
    items: &'s [Node],
    hint: &Hint<'_>,
) -> Option<Shape> {
    let targets: Vec<&'s Node> = items
        .iter()
        .map(|item| match item.get("$ref").and_then(Node::as_str) {
            Some(reference) => builder.document.resolve(reference),
            None => Some(item),
        })
        .collect::<Option<_>>()?;
    let properties = targets.first()?.get("properties")?.members();
    let tag = properties.iter().map(|member| member.key.as_str()).find(|key| {
        let values: Option<Vec<&str>> = targets.iter().map(|target| tag_value(target, key)).collect();
        values.is_some_and(|values| distinct(&values))
    })?;
    let mut idents = Names::default();
    let mut arms = Vec::new();
    for (item, target) in items.iter().zip(&targets) {
        let value = tag_value(target, tag)?;
        let ident = idents.variant(&ident::camel(value));
        let shape = builder.shape(item, &Hint { name: &ident, parent: hint.name, is_root: false });
        if !matches!(shape, Shape::Named(_) | Shape::Boxed(_)) {
            return None;
        }
        arms.push(Arm { ident, doc: schema::doc(target), shape, sign: Sign::Tag(value.to_owned()) });
    }
    let at =
        builder.define(hint, schema::doc(node), DefKind::Union(Union { arms, tag: Some(tag.to_owned()) }));
    Some(Shape::Named(at))
}

/// Returns the constant of a required property of an object schema.
fn tag_value<'s>(target: &'s Node, key: &str) -> Option<&'s str> {
    let is_object = schema::types(target) == ["object"];
    let required = target.get("required").map(Node::items).unwrap_or_default();
    if !is_object || !required.iter().any(|name| name.as_str() == Some(key)) {
        return None;
    }
    match schema::constants(target.get("properties")?.get(key)?)?.as_slice() {
        [only] => only.as_str(),
        _ => None,
    }
}

/// Returns the one JSON type that a schema takes.
fn kind(node: &Node) -> Option<Kind> {
    match schema::types(node).as_slice() {
        [name] => kind_of(name),
        [] => {
            let constants = schema::constants(node)?;
            let kinds: Vec<Kind> =
                constants.iter().map(|value| kind_of_value(value)).collect::<Option<_>>()?;
            let first = *kinds.first()?;
            kinds.iter().all(|kind| *kind == first).then_some(first)
        }
        _ => None,
    }
}

fn kind_of(name: &str) -> Option<Kind> {
    Some(match name {
        "boolean" => Kind::Bool,
        "integer" | "number" => Kind::Number,
        "string" => Kind::String,
        "array" => Kind::Array,
        "object" => Kind::Object,
        _ => return None,
    })
}

fn kind_of_value(value: &Node) -> Option<Kind> {
    Some(match value.kind {
        Json::Null => return None,
        Json::Bool(_) => Kind::Bool,
        Json::Number(_) => Kind::Number,
        Json::String(_) => Kind::String,
        Json::Array(_) => Kind::Array,
        Json::Object(_) => Kind::Object,
    })
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "Bool",
        Kind::Number => "Number",
        Kind::String => "String",
        Kind::Array => "Array",
        Kind::Object => "Object",
    }
}
