//! JSON documents for templates: numbers keep their digits, and objects keep the order of their members.

use std::borrow::Cow;

use skills_render::{Json, Number, Shape, Value};
use skills_schema::json::{self, Kind, Node, make::member};

use skills_runtime::typed::Invalid;

/// A JSON value.
#[derive(Debug)]
pub(crate) struct Document(Kind<Self>);

impl Document {
    pub(crate) fn parse(text: &str) -> Result<Self, Invalid> {
        json::parse(text).map(Self::of).map_err(|error| Invalid::malformed(text, error))
    }

    fn of(node: Node) -> Self {
        Self(node.kind.map(&mut Self::of))
    }

    /// Copies a value that a template created, so that it outlives the data of the template.
    pub(crate) fn copy(value: Value<'_>) -> Self {
        Self(match value {
            Value::Missing | Value::Null => Kind::Null,
            Value::Bool(value) => Kind::Bool(value),
            Value::Number(number) => Kind::Number(number.text().into_owned()),
            Value::String(text) => Kind::String(text.into_owned()),
            value => match value.members() {
                Some(members) => Kind::Object(
                    members.into_iter().map(|(key, value)| member(key, Self::copy(value))).collect(),
                ),
                None => {
                    let items = value.into_items().unwrap_or_default();
                    Kind::Array(items.into_iter().map(Self::copy).collect())
                }
            },
        })
    }
}

impl Json for Document {
    fn shape(&self) -> Shape<'_> {
        match &self.0 {
            Kind::Null => Shape::Null,
            Kind::Bool(value) => Shape::Bool(*value),
            Kind::Number(text) => Shape::Number(Number::Text(Cow::Borrowed(text))),
            Kind::String(text) => Shape::String(text),
            Kind::Array(items) => Shape::Array(items.len()),
            Kind::Object(members) => Shape::Object(members.len()),
        }
    }

    fn get(&self, key: &str) -> Option<&dyn Json> {
        let Kind::Object(members) = &self.0 else { return None };
        members.iter().find(|member| member.key == key).map(|member| &member.value as &dyn Json)
    }

    fn item(&self, index: usize) -> Option<&dyn Json> {
        let Kind::Array(items) = &self.0 else { return None };
        items.as_slice().get(index).map(|item| item as &dyn Json)
    }

    fn each_member<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Json)) {
        if let Kind::Object(members) = &self.0 {
            members.iter().for_each(|member| visit(&member.key, &member.value));
        }
    }
}
