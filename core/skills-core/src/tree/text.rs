//! Converts a [`Node`] to JSON text, so that a frontmatter stays readable, verbatim and in the order of the
//! file.

use skills_schema::json;
use skills_text::push_quoted;

use super::{Node, Scalar, ScalarType, Value};

/// Formats a tree as compact JSON.
///
/// Keys keep the order of the file. A number stays a number if JSON would write it the same way; otherwise
/// (`.inf`, `0x1f`, `+1`, `1_000`) it is a string of its source text. A date is a string, and an empty value
/// is `null`.
///
/// ```
/// use skills_core::tree::{ScalarType, Node, Scalar, Value, text};
///
/// let value = Value::Scalar(Scalar { kind: ScalarType::String, text: "a \"b\"".into() });
/// assert_eq!(text::to_json(&Node { span: Default::default(), value }), r#""a \"b\"""#);
/// ```
pub fn to_json(node: &Node) -> String {
    let mut out = String::new();
    write(node, &mut out);
    out
}

/// Formats a text as a JSON string, with its quotes.
pub fn quote(text: &str) -> String {
    let mut out = String::new();
    push_quoted(&mut out, text);
    out
}

/// Formats names as a list for messages: `a`, `b`. Long lists and long names are cut.
pub fn listed(names: &[&str]) -> String {
    const MAX_NAMES: usize = 32;
    const LONGEST: usize = 100;
    let mut out = String::new();
    for name in names.iter().take(MAX_NAMES) {
        skills_text::work::count(1);
        out.push_str(if out.is_empty() { "`" } else { ", `" });
        out.push_str(&skills_text::cut(name, LONGEST));
        out.push('`');
    }
    if let Some(more) = names.len().checked_sub(MAX_NAMES).filter(|more| *more > 0) {
        out.push_str(&format!(" and {more} more"));
    }
    out
}

/// Returns `true` if a text can be the name of a variable.
pub(crate) fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns `true` if a text contains one of several words.
pub(crate) fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

fn write(node: &Node, out: &mut String) {
    match &node.value {
        Value::Scalar(scalar) => write_scalar(scalar, out),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (at, entry) in entries.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push_quoted(out, &entry.key);
                out.push(':');
                write(&entry.value, out);
            }
            out.push('}');
        }
    }
}

fn write_scalar(scalar: &Scalar, out: &mut String) {
    match scalar.kind {
        ScalarType::Null => out.push_str("null"),
        ScalarType::Bool => out.push_str(&scalar.text.to_ascii_lowercase()),
        ScalarType::Number if json::parse(&scalar.text).is_ok() => out.push_str(&scalar.text),
        ScalarType::Number | ScalarType::String | ScalarType::Date => push_quoted(out, &scalar.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(kind: ScalarType, text: &str) -> String {
        let value = Value::Scalar(Scalar { kind, text: text.into() });
        to_json(&Node { span: Default::default(), value })
    }

    // SPEC 2.5: everything stays readable as JSON, verbatim.
    #[test]
    fn numbers_are_numbers_only_as_json_writes_them() {
        for text in ["0", "-0", "12", "1.50", "1e3", "1E+3", "-1.0e-9", "123456789012345678901234567890"] {
            assert_eq!(scalar(ScalarType::Number, text), text);
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
        for text in
            ["+1", "01", ".5", "1.", "1e", "1e+", "-", ".inf", "-.inf", "0x1f", "0o7", "1_000", "1.5.2"]
        {
            assert_eq!(scalar(ScalarType::Number, text), format!("{text:?}"));
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        }
    }

    // SPEC 2.5
    #[test]
    fn every_character_survives() {
        let all: String = (0..0x3000u32).filter_map(char::from_u32).chain("😀\u{10ffff}".chars()).collect();
        let back: String = serde_json::from_str(&scalar(ScalarType::String, &all)).unwrap();
        assert_eq!(back, all);
        assert_eq!(scalar(ScalarType::Bool, "True"), "true");
        assert_eq!(scalar(ScalarType::Null, "~"), "null");
        assert_eq!(scalar(ScalarType::Date, "1979-05-27"), "\"1979-05-27\"");
    }
}
