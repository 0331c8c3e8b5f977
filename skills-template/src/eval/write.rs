//! Values become text: as interpolation shows them, as JSON, and in a normal form that equal values share.

use skills_registry::{push_quoted, sort};

use super::fault::{DEEPEST, EvalFault, Meter};
use crate::Value;

/// Writes a value as it is interpolated: strings as they are, null and missing as "", the rest as JSON (SPEC 5.2).
pub(crate) fn text(value: &Value<'_>, out: &mut String, meter: &mut Meter) -> Result<(), EvalFault> {
    match value {
        Value::Missing | Value::Null => Ok(()),
        Value::String(text) => meter.push(out, text),
        _ => json(value, out, meter),
    }
}

/// Writes a value as JSON without blanks, spelt as serde_json spells it; missing as null.
pub(super) fn json(value: &Value<'_>, out: &mut String, meter: &mut Meter) -> Result<(), EvalFault> {
    Writer { out, meter, normal: false }.value(value, 0)
}

/// Returns a text that two values share exactly when they are equal: sorted keys, one spelling for each number.
///
/// Its bytes are not counted: it is no longer than the value that is in memory already, and soon gone.
pub(super) fn normal(value: &Value<'_>, meter: &mut Meter) -> Result<String, EvalFault> {
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
            Value::Array(_) | Value::Object(_) | Value::Borrowed(_) => match value.members() {
                Some(members) => self.object(members, depth),
                None => self.array(value.clone().into_items().unwrap_or_default(), depth),
            },
        }
    }

    fn array(&mut self, items: Vec<Value<'_>>, depth: usize) -> Result<(), EvalFault> {
        let mut separator = "[";
        for item in &items {
            self.push(separator)?;
            self.value(item, depth + 1)?;
            separator = ",";
        }
        self.push(if items.is_empty() { "[]" } else { "]" })
    }

    fn object(&mut self, mut members: Vec<(&str, Value<'_>)>, depth: usize) -> Result<(), EvalFault> {
        if self.normal {
            sort(&mut members, &|(left, _), (right, _)| left.cmp(right));
        }
        let mut separator = "{";
        for (key, member) in &members {
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
