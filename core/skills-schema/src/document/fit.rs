//! Checks that the value of a keyword has the right kind, and describes values that do not.

use super::keyword::KeywordValue;
use super::{Part, Value};
use crate::json::number::Decimal;
use skills_text::Places;

/// Returns the value of a counting keyword. `None`, like a value beyond 32 bits, means no limit.
pub(crate) fn count(value: Part<'_>) -> Option<u32> {
    let Value::Number(text) = value.value() else { return None };
    let value = Decimal::parse(text);
    let number = value.whole().and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX);
    (value.is_integer() && !value.negative).then_some(number)
}

fn strings(value: Part<'_>) -> bool {
    value.is_array() && value.items().iter().all(|item| item.as_str().is_some()) && repeated(value).is_none()
}

/// Returns the first string that occurs twice in an array.
fn repeated(value: Part<'_>) -> Option<&str> {
    let mut seen = Places::default();
    value
        .items()
        .into_iter()
        .filter_map(Part::as_str)
        .find(|text| seen.insert((*text).to_owned(), 0).is_some())
}

fn schema(value: Part<'_>) -> bool {
    matches!(value.value(), Value::Object(_) | Value::Bool(_))
}

/// Returns `true` if the value has the kind that the keyword takes. Schemas inside it are checked when they
/// are written.
pub(crate) fn fits(takes: KeywordValue, value: Part<'_>) -> bool {
    match takes {
        KeywordValue::Any => true,
        KeywordValue::Schema => schema(value),
        KeywordValue::Schemas => !value.items().is_empty(),
        KeywordValue::Map | KeywordValue::Object => value.is_object(),
        KeywordValue::Items => schema(value) || !value.items().is_empty(),
        KeywordValue::Dependencies => {
            value.is_object() && value.members().iter().all(|m| schema(m.value) || strings(m.value))
        }
        KeywordValue::Count => count(value).is_some(),
        KeywordValue::Number => matches!(value.value(), Value::Number(_)),
        KeywordValue::Positive => {
            matches!(value.value(), Value::Number(text) if Decimal::parse(text) > Decimal::parse("0"))
        }
        KeywordValue::Text => value.as_str().is_some(),
        KeywordValue::Flag => matches!(value.value(), Value::Bool(_)),
        KeywordValue::Strings => strings(value),
        KeywordValue::StringsMap => value.is_object() && value.members().iter().all(|m| strings(m.value)),
        KeywordValue::Types => value.as_str().is_some() || (strings(value) && !value.items().is_empty()),
        KeywordValue::Array => value.is_array(),
    }
}

/// Describes a value. A short number or string is quoted.
pub(crate) fn found(value: Part<'_>) -> String {
    let found = value.value();
    match found {
        Value::Number(text) if text.len() < 24 => text.clone(),
        Value::Bool(yes) => yes.to_string(),
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Value::Array(_) => match repeated(value) {
            Some(text) => format!("an array with `{text}` twice"),
            None => found.article().to_owned(),
        },
        _ => found.article().to_owned(),
    }
}
