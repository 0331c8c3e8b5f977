//! Formats the types of a schema as one line of text.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use skills_build::shape::{DefKind, Presence, Shapes, Sign, TypeShape, ValueType, Width, Wire, shapes};
use skills_core::options::FormatPolicy;
use skills_schema::lower::{DocumentOptions, lower};

/// Formats a shape in short notation.
fn say(shape: &TypeShape, all: &Shapes) -> String {
    let list = |items: &[TypeShape]| items.iter().map(|item| say(item, all)).collect::<Vec<_>>().join(", ");
    match shape {
        TypeShape::Value => "any".to_owned(),
        TypeShape::Null => "null".to_owned(),
        TypeShape::Bool => "bool".to_owned(),
        TypeShape::Integer(Width::I32) => "i32".to_owned(),
        TypeShape::Integer(Width::I64) => "i64".to_owned(),
        TypeShape::Integer(Width::U32) => "u32".to_owned(),
        TypeShape::Integer(Width::U64) => "u64".to_owned(),
        TypeShape::Number => "f64".to_owned(),
        TypeShape::String => "str".to_owned(),
        TypeShape::Formatted(format) => format.as_str().to_owned(),
        TypeShape::Array(item) => format!("[{}]", say(item, all)),
        TypeShape::Tuple(items) => format!("({})", list(items)),
        TypeShape::Map(item) => format!("{{*: {}}}", say(item, all)),
        TypeShape::Nullable(inner) => format!("{}?", say(inner, all)),
        TypeShape::Named(at) => all.defs[*at].name.clone(),
        TypeShape::Boxed(at) => format!("Box {}", all.defs[*at].name),
    }
}

fn say_kind(kind: &DefKind, all: &Shapes) -> String {
    let parts: Vec<String> = match kind {
        DefKind::Struct(structure) => {
            let fields = structure.fields.iter().map(|field| {
                let presence = match &field.presence {
                    Presence::Required => String::new(),
                    Presence::Optional => " or absent".to_owned(),
                    Presence::Default(text) => format!(" or {text}"),
                };
                format!("{}: {}{presence}", field.ident, say(&field.shape, all))
            });
            let rest =
                structure.additional.iter().map(|(shape, name)| format!("..{name}: {}", say(shape, all)));
            let fixed = structure.fixed.iter().map(|(key, value)| match value {
                Wire::Text(text) => format!("{key}={text:?}"),
                Wire::Integer(value) => format!("{key}={value}"),
            });
            fixed.chain(fields).chain(rest).collect()
        }
        DefKind::Enum(variants) => variants
            .iter()
            .map(|variant| match &variant.wire {
                Wire::Text(text) => format!("{}={text:?}", variant.ident),
                Wire::Integer(value) => format!("{}={value}", variant.ident),
            })
            .collect(),
        DefKind::Union(union) => union
            .arms
            .iter()
            .map(|arm| match &arm.sign {
                Sign::Kind(kind) => format!("{}({})", say_sign(*kind), say(&arm.shape, all)),
                Sign::Tag(tag) => format!("{}={tag:?}({})", arm.ident, say(&arm.shape, all)),
                Sign::Keys(keys) => {
                    let more = if keys.known.is_none() { "+.." } else { "" };
                    format!("{}:{}{more}({})", arm.ident, keys.required.join("+"), say(&arm.shape, all))
                }
            })
            .collect(),
    };
    match kind {
        DefKind::Struct(_) => format!("{{{}}}", parts.join(", ")),
        DefKind::Enum(_) => parts.join(" | "),
        DefKind::Union(union) => format!("{}<{}>", union.tag.as_deref().unwrap_or("kind"), parts.join(" | ")),
    }
}

fn say_sign(kind: ValueType) -> String {
    format!("{kind:?}")
}

/// Formats the root, then each named type, joined by `; `.
pub(crate) fn shape_of(schema: &str) -> String {
    shape_under(FormatPolicy::AsDraft, schema)
}

/// Formats the same with another meaning of `format`.
pub(crate) fn shape_under(formats: FormatPolicy, schema: &str) -> String {
    let lowered = lower(schema, &DocumentOptions { formats, ..DocumentOptions::default() });
    let all = shapes(&[("Input", &lowered.document)]).remove(0);
    let defs = all.defs.iter().map(|def| format!("{} = {}", def.name, say_kind(&def.kind, &all)));
    std::iter::once(say(&all.root, &all)).chain(defs).collect::<Vec<_>>().join("; ")
}

/// Compares the formatted types of schemas with the expected lines.
pub(crate) fn assert_shapes(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(schema, wanted)| (schema, wanted, shape_of(schema)))
        .filter(|(_, wanted, found)| *wanted != found)
        .map(|(schema, wanted, found)| format!("{schema}\n  wanted {wanted}\n  found  {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
