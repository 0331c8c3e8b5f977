//! One spanned tree for YAML, TOML and JSON: what the three readers make and `check` reads.

pub mod json;
pub mod text;
pub(crate) mod toml;
pub(crate) mod yaml;

use crate::span::{Span, Spanned};

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value stands; quotes and brackets included.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// What a [`Node`] holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Anything that is neither list nor map.
    Scalar(Scalar),
    /// A list, in order.
    List(Vec<Node>),
    /// A map, in the order of the file; keys are unique.
    Map(Vec<MapEntry>),
}

/// A scalar, with its text kept: where a string is expected, a plain scalar is its source text (SPEC 2.3).
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// What the scalar is by the rules of its language.
    pub kind: Kind,
    /// The decoded text of a string, the source text of anything else; empty for an empty YAML value.
    pub text: String,
}

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Null.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number; its text is as written.
    Number,
    /// A string.
    String,
    /// A TOML date or time; JSON has none, so it is shown as a string.
    Date,
}

/// One key of a map with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct MapEntry {
    /// The key, decoded.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// Returns the entries of a map.
    pub fn as_map(&self) -> Option<&[MapEntry]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the items of a list.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the items of a list; one scalar is a list of one (SPEC 2.3), and a map none.
    pub(crate) fn as_items(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            Value::Scalar(_) => Some(std::slice::from_ref(self)),
            Value::Map(_) => None,
        }
    }

    /// Returns the scalar.
    pub fn as_scalar(&self) -> Option<&Scalar> {
        match &self.value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Returns the text of a string, and only of a string.
    pub fn as_string(&self) -> Option<&str> {
        self.as_scalar().filter(|scalar| scalar.kind == Kind::String).map(|scalar| scalar.text.as_str())
    }

    /// Reads a flag as clients do: `yes`, `on` and `1` are `true`, in any case and in quotes too (SPEC 8.12).
    pub(crate) fn truth(&self) -> Option<bool> {
        match self.as_scalar()?.text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        }
    }

    /// Returns the text of a string with its place.
    pub(crate) fn spanned(&self) -> Option<Spanned<String>> {
        Some(Spanned { value: self.as_string()?.to_owned(), span: self.span })
    }

    /// Makes a map without entries.
    pub(crate) fn empty(span: Span) -> Self {
        Self { span, value: Value::Map(Vec::new()) }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Returns a key with its value.
    pub fn entry(&self, key: &str) -> Option<&MapEntry> {
        self.as_map()?.iter().find(|entry| entry.key == key)
    }

    /// Tells whether the value is an empty YAML value or a null: SPEC 2.3 calls it absent.
    pub fn is_absent(&self) -> bool {
        self.as_scalar().is_some_and(|scalar| scalar.kind == Kind::Null && scalar.text.is_empty())
    }

    /// Says in words what the value is, for messages.
    pub fn describe(&self) -> &'static str {
        match &self.value {
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Scalar(scalar) => match scalar.kind {
                Kind::Null => "null",
                Kind::Bool => "a boolean",
                Kind::Number => "a number",
                Kind::String => "a string",
                Kind::Date => "a date",
            },
        }
    }

    /// Names the kind of the value in the words of JSON.
    pub(crate) fn describe_json(&self) -> &'static str {
        match &self.value {
            Value::List(_) => "an array",
            Value::Map(_) => "an object",
            Value::Scalar(_) => self.describe(),
        }
    }
}
