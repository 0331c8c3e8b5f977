//! Reads the parts of a schema that determine types: constants, lists, documentation.

use skills_schema::{Part, Value};
use skills_text::Decimal;

use super::Wire;

/// Returns title and description, in that order.
pub(super) fn doc(schema: Part<'_>) -> String {
    match (text(schema, "title"), text(schema, "description")) {
        (Some(title), Some(description)) if title != description => format!("{title}\n\n{description}"),
        (title, description) => title.or(description).unwrap_or_default().to_owned(),
    }
}

fn text<'s>(schema: Part<'s>, key: &str) -> Option<&'s str> {
    schema.get(key).and_then(Part::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// Returns `true` if the schema allows a type, given by one of its names.
pub(super) fn allows(schema: Part<'_>, names: &[&str]) -> bool {
    let types = schema.types();
    types.is_empty() || types.iter().any(|name| names.contains(name))
}

/// Returns an integer under a keyword.
pub(super) fn whole_of(schema: Part<'_>, key: &str) -> Option<i64> {
    schema.get(key).and_then(whole)
}

/// Returns the list under a keyword, if it is not empty.
pub(super) fn list<'s>(schema: Part<'s>, key: &str) -> Option<Vec<Part<'s>>> {
    schema.get(key).map(Part::items).filter(|items| !items.is_empty())
}

/// Returns the values that `const` or `enum` allows.
pub(super) fn constants(schema: Part<'_>) -> Option<Vec<Part<'_>>> {
    schema.get("const").map(|value| vec![value]).or_else(|| list(schema, "enum"))
}

/// Returns the only allowed string or integer.
pub(super) fn constant(schema: Part<'_>) -> Option<Wire> {
    let [only] = constants(schema)?[..] else { return None };
    match only.as_str() {
        Some(text) => allows(schema, &["string"]).then(|| Wire::Text(text.to_owned())),
        None => whole(only).filter(|_| allows(schema, &["integer", "number"])).map(Wire::Integer),
    }
}

/// Returns an integer in the range of `i64`, in any notation.
pub(super) fn whole(value: Part<'_>) -> Option<i64> {
    let Value::Number(text) = value.value() else { return None };
    Decimal::parse(text).to_i64()
}

/// Returns the properties that `required` names.
pub(super) fn required(schema: Part<'_>) -> Vec<&str> {
    schema.items_of("required").into_iter().filter_map(Part::as_str).collect()
}
