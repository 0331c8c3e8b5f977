//! Evaluates over `serde_json::Value`, with the feature `serde_json`.

use super::{Json, Number, Shape};
use std::borrow::Cow;

impl Json for serde_json::Value {
    fn shape(&self) -> Shape<'_> {
        match self {
            Self::Null => Shape::Null,
            Self::Bool(value) => Shape::Bool(*value),
            Self::Number(number) => Shape::Number(match number.as_i64() {
                Some(value) => Number::Int(value),
                None => Number::Text(Cow::Owned(number.to_string())),
            }),
            Self::String(text) => Shape::String(text),
            Self::Array(items) => Shape::Array(items.len()),
            Self::Object(members) => Shape::Object(members.len()),
        }
    }

    fn get(&self, key: &str) -> Option<&dyn Json> {
        self.as_object()?.get(key).map(|value| value as &dyn Json)
    }

    fn item(&self, index: usize) -> Option<&dyn Json> {
        self.as_array()?.as_slice().get(index).map(|value| value as &dyn Json)
    }

    fn each_member<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Json)) {
        for (key, value) in self.as_object().into_iter().flatten() {
            visit(key, value);
        }
    }
}
