//! JSON text as templates look into it: numbers keep their digits, and objects the order of their members.

use std::borrow::Cow;

use skills_schema::json;
use skills_template::{Json, Number, Shape, Value};

use crate::typed::Invalid;

/// A JSON value.
#[derive(Debug)]
pub(in crate::call) enum Document {
    Null,
    Bool(bool),
    /// As it was written.
    Number(String),
    String(String),
    Array(Vec<Document>),
    Object(Vec<(String, Document)>),
}

impl Document {
    pub(in crate::call) fn parse(text: &str) -> Result<Self, Invalid> {
        json::parse(text).map(Self::of).map_err(|error| Invalid::malformed(text, error))
    }

    /// Copies a value that a template made, so that it outlives what the template looked into.
    pub(in crate::call) fn copy(value: &Value<'_>) -> Self {
        match value {
            Value::Missing | Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(number.text().into_owned()),
            Value::String(text) => Self::String(text.to_string()),
            Value::Array(items) => Self::Array(items.iter().map(Self::copy).collect()),
            Value::Object(members) => Self::Object(
                members.iter().map(|(key, value)| ((*key).to_owned(), Self::copy(value))).collect(),
            ),
            Value::Borrowed(kept) => Self::copy_kept(*kept),
        }
    }

    fn copy_kept(kept: &dyn Json) -> Self {
        match kept.shape() {
            Shape::Array(count) => {
                Self::Array((0..count).map(|at| kept.item(at).map_or(Self::Null, Self::copy_kept)).collect())
            }
            Shape::Object(_) => {
                let mut members = Vec::new();
                kept.each_member(&mut |key, value| members.push((key.to_owned(), Self::copy_kept(value))));
                Self::Object(members)
            }
            _ => Self::copy(&Value::of(kept)),
        }
    }

    fn of(node: json::Node) -> Self {
        match node.kind {
            json::Kind::Null => Self::Null,
            json::Kind::Bool(value) => Self::Bool(value),
            json::Kind::Number(text) => Self::Number(text),
            json::Kind::String(text) => Self::String(text),
            json::Kind::Array(items) => Self::Array(items.into_iter().map(Self::of).collect()),
            json::Kind::Object(members) => {
                Self::Object(members.into_iter().map(|member| (member.key, Self::of(member.value))).collect())
            }
        }
    }
}

impl Json for Document {
    fn shape(&self) -> Shape<'_> {
        match self {
            Self::Null => Shape::Null,
            Self::Bool(value) => Shape::Bool(*value),
            Self::Number(text) => Shape::Number(Number::Text(Cow::Borrowed(text))),
            Self::String(text) => Shape::String(text),
            Self::Array(items) => Shape::Array(items.len()),
            Self::Object(members) => Shape::Object(members.len()),
        }
    }

    fn get(&self, key: &str) -> Option<&dyn Json> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(known, _)| known == key).map(|(_, value)| value as &dyn Json)
    }

    fn item(&self, index: usize) -> Option<&dyn Json> {
        let Self::Array(items) = self else { return None };
        items.as_slice().get(index).map(|item| item as &dyn Json)
    }

    fn each_member<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Json)) {
        if let Self::Object(members) = self {
            members.iter().for_each(|(key, value)| visit(key, value));
        }
    }
}
