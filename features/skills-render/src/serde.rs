//! Evaluates over `serde_json::Value` and converts results to it, with the feature `serde_json`.

use super::fault::{DEEPEST, Meter};
use crate::{EvalFault, Json, Limits, Number, Shape, Value};
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

impl Value<'_> {
    /// Copies the value into a `serde_json::Value`. Returns `None` if it is missing.
    ///
    /// # Errors
    ///
    /// If the value is nested too deeply, has more bytes of text than the limit, or has a number that
    /// `serde_json` cannot hold.
    pub fn to_json(&self, limits: Limits) -> Result<Option<serde_json::Value>, EvalFault> {
        match self {
            Self::Missing => Ok(None),
            _ => copy(self, &mut Meter::new(limits), 0).map(Some),
        }
    }
}

fn copy(value: &Value<'_>, meter: &mut Meter, depth: usize) -> Result<serde_json::Value, EvalFault> {
    meter.steps(1)?;
    if depth > DEEPEST {
        return Err(EvalFault::TooDeep);
    }
    Ok(match value {
        Value::Missing | Value::Null => serde_json::Value::Null,
        Value::Bool(value) => serde_json::Value::Bool(*value),
        Value::Number(Number::Int(value)) => serde_json::Value::from(*value),
        Value::Number(Number::Text(text)) => {
            let number = text.parse().map_err(|_| EvalFault::Number { text: text.to_string() })?;
            serde_json::Value::Number(number)
        }
        Value::String(text) => {
            meter.bytes(text.len())?;
            serde_json::Value::String(text.to_string())
        }
        _ => match value.members() {
            Some(members) => {
                let mut object = serde_json::Map::new();
                for (key, member) in members {
                    meter.bytes(key.len())?;
                    object.insert(key.to_owned(), copy(&member, meter, depth + 1)?);
                }
                serde_json::Value::Object(object)
            }
            None => {
                let items = value.clone().into_items().unwrap_or_default();
                let items: Result<Vec<_>, _> =
                    items.iter().map(|item| copy(item, meter, depth + 1)).collect();
                serde_json::Value::Array(items?)
            }
        },
    })
}
