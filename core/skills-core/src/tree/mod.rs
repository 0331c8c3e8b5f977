//! One tree with spans for YAML, TOML and JSON: the output of the three parsers and the input of `check`.

pub mod json;
pub mod text;
pub(crate) mod toml;
pub(crate) mod yaml;

use crate::{Span, Spanned};

/// A value with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The position of the value, including quotes and brackets.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// The contents of a [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Any value except lists and maps.
    Scalar(Scalar),
    /// A list, in order.
    List(Vec<Node>),
    /// A map, in the order of the file; keys are unique.
    Map(Vec<MapEntry>),
}

/// A scalar with its text. Where a string is expected, any plain scalar counts as the string of its source
/// text.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Its type by the rules of its language.
    pub kind: ScalarType,
    /// The decoded text of a string, the source text of anything else; empty for an empty YAML value.
    pub text: String,
}

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// Null.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number; its text is as written.
    Number,
    /// A string.
    String,
    /// A TOML date or time, which is converted to a JSON string.
    Date,
}

/// One key of a map with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct MapEntry {
    /// The key, decoded.
    pub key: String,
    /// The position of the key.
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

    /// Returns the items of a list; a scalar counts as a list of one, and a map has no items.
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
        self.as_scalar().filter(|scalar| scalar.kind == ScalarType::String).map(|scalar| scalar.text.as_str())
    }

    /// Reads a flag as clients do: `yes`, `on` and `1` are `true`, also in any letter case and in quotes.
    pub fn truth(&self) -> Option<bool> {
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
    pub fn empty(span: Span) -> Self {
        Self { span, value: Value::Map(Vec::new()) }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Returns a key with its value.
    pub fn entry(&self, key: &str) -> Option<&MapEntry> {
        let entries = self.as_map()?;
        skills_text::work::count(entries.len());
        entries.iter().find(|entry| entry.key == key)
    }

    /// Returns the part that a JSON pointer names. If that part is missing, returns the nearest part around it.
    pub(crate) fn at_pointer(&self, pointer: &str) -> &Node {
        let mut node = self;
        for step in skills_schema::pointer::steps(pointer).unwrap_or_default() {
            let inside = match &node.value {
                Value::List(items) => step.parse::<usize>().ok().and_then(|at| items.get(at)),
                _ => node.get(&step),
            };
            let Some(inside) = inside else { break };
            node = inside;
        }
        node
    }

    /// Returns `true` if the value is an empty YAML value or a null, which count as absent.
    pub fn is_absent(&self) -> bool {
        self.as_scalar().is_some_and(|scalar| scalar.kind == ScalarType::Null && scalar.text.is_empty())
    }

    /// Describes the type of the value, for messages.
    pub fn describe(&self) -> &'static str {
        match &self.value {
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Scalar(scalar) => match scalar.kind {
                ScalarType::Null => "null",
                ScalarType::Bool => "a boolean",
                ScalarType::Number => "a number",
                ScalarType::String => "a string",
                ScalarType::Date => "a date",
            },
        }
    }

    /// Describes the type of the value with the terms of JSON.
    pub fn describe_json(&self) -> &'static str {
        match &self.value {
            Value::List(_) => "an array",
            Value::Map(_) => "an object",
            Value::Scalar(_) => self.describe(),
        }
    }
}
