//! Puts a `serde_json::Value` on a tape, for the rules that read a value more than once.

use crate::json::reader::Kind;
use crate::json::{DEPTH, Error, ErrorKind};
use crate::tape::Tape;
use serde_json::Value;

/// The error for a value that is nested deeper than JSON text may be.
pub(crate) const TOO_DEEP: Error = Error { kind: ErrorKind::TooDeep, start: 0, end: 0 };

impl Tape<'_> {
    /// Appends a value at this nesting depth.
    ///
    /// # Errors
    /// If it is nested deeper than JSON text may be.
    pub(crate) fn hold(&mut self, value: &Value, depth: u32) -> Result<(), Error> {
        let nested = matches!(value, Value::Array(_) | Value::Object(_));
        if nested && depth >= DEPTH {
            return Err(TOO_DEEP);
        }
        match value {
            Value::Null => self.push(Kind::Null, 0, 0),
            Value::Bool(yes) => self.push(Kind::Bool, usize::from(*yes), 0),
            Value::Number(number) => self.push_own(Kind::Number, &number.to_string()),
            Value::String(text) => self.push_own(Kind::String, text),
            Value::Array(items) => {
                let opened = self.open(Kind::Array);
                for item in items {
                    self.hold(item, depth + 1)?;
                }
                self.close(opened, items.len());
            }
            Value::Object(members) => {
                let opened = self.open(Kind::Object);
                for (key, value) in members {
                    self.push_own(Kind::String, key);
                    self.hold(value, depth + 1)?;
                }
                self.close(opened, members.len());
            }
        }
        Ok(())
    }
}
