//! Puts a `serde_json::Value` on a tape, so that the interpreter can read it.

use crate::json::DEPTH;
use crate::tape::{Tape, TokenShape};
use serde_json::Value;

impl Tape<'_> {
    /// Appends a value; returns its rough size in bytes, or `None` when it is nested deeper than text may be.
    pub(crate) fn hold(&mut self, value: &Value) -> Option<usize> {
        self.append(value, 0)
    }

    fn append(&mut self, value: &Value, depth: u32) -> Option<usize> {
        let nested = matches!(value, Value::Array(_) | Value::Object(_));
        if nested && depth >= DEPTH {
            return None;
        }
        match value {
            Value::Null => self.push(TokenShape::Null, 0, 0),
            Value::Bool(yes) => self.push(TokenShape::Bool, usize::from(*yes), 0),
            Value::Number(number) => self.push_own(TokenShape::OwnNumber, &number.to_string()),
            Value::String(text) => {
                self.push_own(TokenShape::OwnString, text);
                return Some(text.len());
            }
            Value::Array(items) => {
                let opened = self.open(TokenShape::Array);
                let mut size = 0;
                for item in items {
                    size += self.append(item, depth + 1)?;
                }
                self.close(opened, items.len());
                return Some(size);
            }
            Value::Object(members) => {
                let opened = self.open(TokenShape::Object);
                let mut size = 0;
                for (key, value) in members {
                    self.push_own(TokenShape::OwnString, key);
                    size += key.len() + self.append(value, depth + 1)?;
                }
                self.close(opened, members.len());
                return Some(size);
            }
        }
        Some(8)
    }
}
