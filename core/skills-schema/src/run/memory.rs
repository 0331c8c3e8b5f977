//! Lets the interpreter read a `serde_json::Value` in place, without converting it to text or a tape.

use super::source::{Captured, Numeral, Source};
use crate::json::reader::Kind;
use crate::json::{DEPTH, Error, number};
use crate::tape::Tape;
use crate::value::TOO_DEEP;
use serde_json::{Number, Value, map};
use std::borrow::Cow;
use std::slice;

/// The next value and its nesting depth.
pub(super) struct Memory<'v> {
    next: &'v Value,
    depth: u32,
}

/// The remaining members of an open array or object.
pub(super) enum Remaining<'v> {
    Items(slice::Iter<'v, Value>),
    Members(map::Iter<'v>),
}

/// A number in memory. It is converted to text only if no numeric form is exact.
pub(super) enum MemoryNumber {
    Whole(i64),
    /// A finite float.
    Float(f64),
    Written(String),
}

impl<'v> Memory<'v> {
    pub(super) fn new(value: &'v Value) -> Self {
        Self { next: value, depth: 0 }
    }
}

impl MemoryNumber {
    fn of(number: &Number) -> Self {
        // Beyond 18 digits, the interpreter compares texts, as it does for JSON text.
        if let Some(whole) = number.as_i64().filter(|whole| whole.unsigned_abs() < number::SHORT) {
            return Self::Whole(whole);
        }
        // With serde_json's `arbitrary_precision`, a number may be more precise than a float.
        match number.as_f64() {
            Some(value) if Number::from_f64(value).as_ref() == Some(number) => Self::Float(value),
            _ => Self::Written(number.to_string()),
        }
    }
}

impl Numeral for MemoryNumber {
    fn is_integer(&self) -> bool {
        match self {
            Self::Whole(_) => true,
            // If a float is not an integer, its shortest text has a fraction too.
            Self::Float(value) => value.fract() == 0.0,
            Self::Written(text) => number::is_integer(text),
        }
    }
    fn fixed(&self) -> Option<(i64, u32)> {
        match self {
            Self::Whole(whole) => Some((*whole, 0)),
            Self::Float(value) => number::short(*value).or_else(|| number::fixed(&self.text())),
            Self::Written(text) => number::fixed(text),
        }
    }
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Whole(whole) => Cow::Owned(whole.to_string()),
            Self::Float(value) => {
                Cow::Owned(Number::from_f64(*value).map_or_else(String::new, |number| number.to_string()))
            }
            Self::Written(text) => Cow::Borrowed(text),
        }
    }
}

impl<'v> Source for Memory<'v> {
    type Frame = Remaining<'v>;
    type Number = MemoryNumber;
    type Text = &'v str;
    #[inline]
    fn kind(&mut self) -> Result<Kind, Error> {
        Ok(match self.next {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        })
    }
    fn is_integer(&mut self) -> Result<bool, Error> {
        self.number().map(|number| number.is_integer())
    }
    fn null(&mut self) -> Result<(), Error> {
        Ok(())
    }
    fn boolean(&mut self) -> Result<bool, Error> {
        Ok(*self.next == Value::Bool(true))
    }
    #[inline]
    fn number(&mut self) -> Result<MemoryNumber, Error> {
        match self.next {
            Value::Number(number) => Ok(MemoryNumber::of(number)),
            _ => Ok(MemoryNumber::Whole(0)),
        }
    }
    #[inline]
    fn string(&mut self) -> Result<&'v str, Error> {
        Ok(self.next.as_str().unwrap_or_default())
    }
    #[inline]
    fn open(&mut self) -> Result<Remaining<'v>, Error> {
        if self.depth >= DEPTH {
            return Err(TOO_DEEP);
        }
        self.depth += 1;
        Ok(match self.next {
            Value::Array(items) => Remaining::Items(items.iter()),
            Value::Object(members) => Remaining::Members(members.iter()),
            _ => Remaining::Items([].iter()),
        })
    }
    #[inline]
    fn next_item(&mut self, frame: &mut Remaining<'v>) -> Result<bool, Error> {
        let item = match frame {
            Remaining::Items(items) => items.next(),
            Remaining::Members(_) => None,
        };
        match item {
            Some(item) => self.next = item,
            None => self.depth -= 1,
        }
        Ok(item.is_some())
    }
    #[inline]
    fn next_key(&mut self, frame: &mut Remaining<'v>) -> Result<Option<(&'v str, usize)>, Error> {
        let member = match frame {
            Remaining::Items(_) => None,
            Remaining::Members(members) => members.next(),
        };
        match member {
            Some((_, value)) => self.next = value,
            None => self.depth -= 1,
        }
        Ok(member.map(|(key, _)| (key.as_str(), 0)))
    }
    fn skip(&mut self) -> Result<(), Error> {
        if is_shallow(self.next, self.depth) { Ok(()) } else { Err(TOO_DEEP) }
    }
    fn capture(&mut self) -> Result<Captured<'_>, Error> {
        let mut tape = Tape::over("");
        tape.hold(self.next, self.depth)?;
        Ok(Captured::Own(tape))
    }
}

/// Returns `true` if a value at this depth is nested no deeper than JSON text may be.
fn is_shallow(value: &Value, depth: u32) -> bool {
    match value {
        Value::Array(items) => depth < DEPTH && items.iter().all(|item| is_shallow(item, depth + 1)),
        Value::Object(members) => depth < DEPTH && members.values().all(|value| is_shallow(value, depth + 1)),
        _ => true,
    }
}

/// Estimates the size of a value as text, in bytes. Values that are nested too deeply are not counted.
pub(super) fn size(value: &Value, depth: u32) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) if depth < DEPTH => items.iter().map(|item| size(item, depth + 1)).sum(),
        Value::Object(members) if depth < DEPTH => {
            members.iter().map(|(key, value)| key.len() + size(value, depth + 1)).sum()
        }
        _ => 8,
    }
}
