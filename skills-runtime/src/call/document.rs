//! JSON text as templates look into it: numbers keep their digits, and objects the order of their members.

use std::borrow::Cow;

use skills_schema::json;
use skills_template::{Json, Number, Shape};

use crate::typed::Invalid;

/// A JSON value.
#[derive(Debug)]
pub(super) enum Document {
    Null,
    Bool(bool),
    /// As it was written.
    Number(String),
    String(String),
    Array(Vec<Document>),
    Object(Vec<(String, Document)>),
}

impl Document {
    pub(super) fn parse(text: &str) -> Result<Self, Invalid> {
        match json::parse(text) {
            Ok(node) => Ok(Self::of(node)),
            Err(error) => {
                let (line, column) = json::position(text, error.start);
                Err(Invalid::Malformed { error, line, column })
            }
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
