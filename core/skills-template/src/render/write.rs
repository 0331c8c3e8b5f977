//! Writes values as text: as interpolation does, as JSON, and in a normal form that is the same for equal
//! values.

use skills_text::{push_quoted, sort};

use super::Value;
use super::fault::{DEEPEST, EvalFault, Meter};

/// Writes a value as interpolation does: strings unchanged, null and missing as "", anything else as JSON.
pub(crate) fn text(value: &Value<'_>, out: &mut String, meter: &mut Meter) -> Result<(), EvalFault> {
    match value {
        Value::Missing | Value::Null => Ok(()),
        Value::String(text) => meter.push(out, text),
        _ => json(value, out, meter),
    }
}

/// Writes a value as JSON without spaces, formatted like serde_json. A missing value is written as null.
pub(crate) fn json(value: &Value<'_>, out: &mut String, meter: &mut Meter) -> Result<(), EvalFault> {
    Writer { out, meter, normal: false }.value(value, 0)
}

/// Returns a text that is the same for two values exactly if they are equal: with sorted keys, and one
/// notation for each number.
///
/// The bytes of the text are not counted: it is not longer than the value in memory, and is dropped soon.
pub(crate) fn normal(value: &Value<'_>, meter: &mut Meter) -> Result<String, EvalFault> {
    let mut out = String::new();
    Writer { out: &mut out, meter, normal: true }.value(value, 0)?;
    Ok(out)
}

struct Writer<'o> {
    out: &'o mut String,
    meter: &'o mut Meter,
    normal: bool,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) -> Result<(), EvalFault> {
        if self.normal {
            self.out.push_str(text);
            return Ok(());
        }
        self.meter.push(self.out, text)
    }

    fn value(&mut self, value: &Value<'_>, depth: usize) -> Result<(), EvalFault> {
        self.meter.steps(1)?;
        if depth > DEEPEST {
            return Err(EvalFault::TooDeep);
        }
        match value {
            Value::Missing | Value::Null => self.push("null"),
            Value::Bool(true) => self.push("true"),
            Value::Bool(false) => self.push("false"),
            Value::Number(number) if self.normal => self.push(&number.normal()),
            Value::Number(number) => self.push(&number.text()),
            Value::String(text) => self.string(text),
            Value::Array(items) => self.array(items, depth),
            Value::Object(members) => self.object(members, depth),
            Value::Borrowed(_) => match value.members() {
                Some(members) => self.object(&members, depth),
                None => self.array(&value.clone().into_items().unwrap_or_default(), depth),
            },
        }
    }

    fn array(&mut self, items: &[Value<'_>], depth: usize) -> Result<(), EvalFault> {
        let mut separator = "[";
        for item in items {
            self.push(separator)?;
            self.value(item, depth + 1)?;
            separator = ",";
        }
        self.push(if items.is_empty() { "[]" } else { "]" })
    }

    fn object(&mut self, members: &[(&str, Value<'_>)], depth: usize) -> Result<(), EvalFault> {
        let mut sorted = Vec::new();
        if self.normal {
            sorted = members.to_vec();
            sort(&mut sorted, &|(left, _), (right, _)| left.cmp(right));
        }
        let mut separator = "{";
        for (key, member) in if self.normal { &sorted } else { members } {
            self.push(separator)?;
            self.string(key)?;
            self.push(":")?;
            self.value(member, depth + 1)?;
            separator = ",";
        }
        self.push(if members.is_empty() { "{}" } else { "}" })
    }

    fn string(&mut self, text: &str) -> Result<(), EvalFault> {
        let start = self.out.len();
        push_quoted(self.out, text);
        if self.normal { Ok(()) } else { self.meter.bytes(self.out.len() - start) }
    }
}
