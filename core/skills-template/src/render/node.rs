//! Evaluates over the trees of the JSON parser of `skills-schema`: numbers keep their digits, and objects keep the order of
//! their members.

use std::borrow::Cow;

use skills_schema::json::make::{self, member};
use skills_schema::json::{Kind, Node};

use super::{Json, Number, Shape, Value};

impl Json for Node {
    fn shape(&self) -> Shape<'_> {
        match &self.kind {
            Kind::Null => Shape::Null,
            Kind::Bool(value) => Shape::Bool(*value),
            Kind::Number(text) => Shape::Number(Number::Text(Cow::Borrowed(text))),
            Kind::String(text) => Shape::String(text),
            Kind::Array(items) => Shape::Array(items.len()),
            Kind::Object(members) => Shape::Object(members.len()),
        }
    }

    fn get(&self, key: &str) -> Option<&dyn Json> {
        self.get(key).map(|value| value as &dyn Json)
    }

    fn item(&self, index: usize) -> Option<&dyn Json> {
        self.items().get(index).map(|item| item as &dyn Json)
    }

    fn each_member<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Json)) {
        self.members().iter().for_each(|member| visit(&member.key, &member.value));
    }
}

impl Value<'_> {
    /// Copies the value into a tree, so that it outlives the data of the template. A missing value becomes `null`.
    pub fn into_node(self) -> Node {
        make::node(match self {
            Value::Missing | Value::Null => Kind::Null,
            Value::Bool(value) => Kind::Bool(value),
            Value::Number(number) => Kind::Number(number.text().into_owned()),
            Value::String(text) => Kind::String(text.into_owned()),
            value => match value.members() {
                Some(members) => Kind::Object(
                    members.into_iter().map(|(key, value)| member(key, value.into_node())).collect(),
                ),
                None => Kind::Array(
                    value.into_items().unwrap_or_default().into_iter().map(Value::into_node).collect(),
                ),
            },
        })
    }
}
