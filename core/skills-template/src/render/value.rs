//! Values during evaluation. Scalars are owned, arrays and objects are borrowed from the host.

use super::{EvalFault, Number, RenderLimits};
use super::{fault::Meter, write};
use crate::Type;
use std::borrow::Cow;

/// A borrowed JSON value. With the feature `serde_json`, `serde_json::Value` implements it.
///
/// It is `Sync` so that values and scopes that borrow it are `Send` and can be held by futures.
pub trait Json: Sync {
    /// Returns the shape of the value, including the content of a scalar.
    fn shape(&self) -> Shape<'_>;

    /// Returns the member of an object, or `None` for anything else.
    fn get(&self, key: &str) -> Option<&dyn Json>;

    /// Returns the element of an array, or `None` for anything else.
    fn item(&self, index: usize) -> Option<&dyn Json>;

    /// Visits the members of an object in their order.
    fn each_member<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Json));
}

/// The shape of a [`Json`] value.
#[derive(Clone, Debug)]
pub enum Shape<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string.
    String(&'a str),
    /// An array and its length.
    Array(usize),
    /// An object and the number of its members.
    Object(usize),
}

/// A value during evaluation.
#[derive(Clone)]
pub enum Value<'a> {
    /// The value does not exist.
    Missing,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string.
    String(Cow<'a, str>),
    /// An array created by a filter or a deep tree.
    Array(Vec<Value<'a>>),
    /// An object created by a deep tree.
    Object(Vec<(&'a str, Value<'a>)>),
    /// A borrowed array or object.
    Borrowed(&'a dyn Json),
}

impl<'a> Value<'a> {
    /// Creates a value that borrows another.
    pub fn borrow(value: &'a dyn Json) -> Self {
        match value.shape() {
            Shape::Null => Self::Null,
            Shape::Bool(value) => Self::Bool(value),
            Shape::Number(number) => Self::Number(number),
            Shape::String(text) => Self::String(Cow::Borrowed(text)),
            Shape::Array(_) | Shape::Object(_) => Self::Borrowed(value),
        }
    }

    /// Returns the value's JSON type; a missing value counts as null.
    pub fn kind(&self) -> Type {
        match self {
            Self::Missing | Self::Null => Type::Null,
            Self::Bool(_) => Type::Bool,
            Self::Number(_) => Type::Number,
            Self::String(_) => Type::String,
            Self::Array(_) => Type::Array,
            Self::Object(_) => Type::Object,
            Self::Borrowed(value) => match value.shape() {
                Shape::Array(_) => Type::Array,
                Shape::Object(_) => Type::Object,
                // `Value::of` borrows only arrays and objects. If a host borrows any other value, it reads as
                // null.
                Shape::Null => Type::Null,
                Shape::Bool(_) => Type::Bool,
                Shape::Number(_) => Type::Number,
                Shape::String(_) => Type::String,
            },
        }
    }

    /// Returns `true` if a condition treats the value as true: it is not missing, null, false, 0 or "".
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::Missing | Self::Null => false,
            Self::Bool(value) => *value,
            Self::Number(number) => !number.is_zero(),
            Self::String(text) => !text.is_empty(),
            Self::Array(_) | Self::Object(_) | Self::Borrowed(_) => true,
        }
    }

    /// Returns `true` if `||` and `default` replace the value: it is missing, null or "".
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Missing | Self::Null => true,
            Self::String(text) => text.is_empty(),
            _ => false,
        }
    }

    /// Looks up a member of an object by its key, or an element of an array by a key that is all digits.
    pub fn get(&self, key: &str) -> Value<'a> {
        match self {
            Self::Array(items) => {
                index(key).and_then(|index| items.get(index)).cloned().unwrap_or(Self::Missing)
            }
            Self::Object(members) => {
                let member = members.iter().rev().find(|(name, _)| *name == key);
                member.map_or(Self::Missing, |(_, value)| value.clone())
            }
            Self::Borrowed(value) => {
                // Most keys are not indices, and querying the shape of a value may be slower than a look-up.
                let found = match index(key) {
                    Some(index) if matches!(value.shape(), Shape::Array(_)) => value.item(index),
                    _ => value.get(key),
                };
                found.map_or(Self::Missing, Self::borrow)
            }
            _ => Self::Missing,
        }
    }

    /// Appends the value to a text as interpolation does: strings unchanged, null and missing as "", anything
    /// else as JSON.
    ///
    /// # Errors
    ///
    /// If the value is nested too deeply, or a limit is exceeded.
    pub fn write_text(&self, out: &mut String, limits: RenderLimits) -> Result<(), EvalFault> {
        write::text(self, out, &mut Meter::new(limits))
    }

    /// Returns the number of elements or members, or 0 for a scalar.
    pub fn length(&self) -> usize {
        match self {
            Self::Array(items) => items.len(),
            Self::Object(members) => members.len(),
            Self::Borrowed(value) => match value.shape() {
                Shape::Array(length) | Shape::Object(length) => length,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Returns the elements of an array, or `None` for anything else. Borrowed elements stay borrowed.
    pub fn into_items(self) -> Option<Vec<Value<'a>>> {
        match self {
            Self::Array(items) => Some(items),
            Self::Borrowed(value) => match value.shape() {
                Shape::Array(length) => {
                    Some((0..length).map(|at| value.item(at).map_or(Self::Null, Self::borrow)).collect())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the members of an object, or `None` for anything else.
    pub fn members(&self) -> Option<Vec<(&'a str, Value<'a>)>> {
        match self {
            Self::Object(members) => Some(members.clone()),
            Self::Borrowed(value) if matches!(value.shape(), Shape::Object(_)) => {
                let mut members = Vec::new();
                value.each_member(&mut |key, member| members.push((key, Self::borrow(member))));
                Some(members)
            }
            _ => None,
        }
    }
}

/// Parses a key as an array index: only digits, without a leading zero.
fn index(key: &str) -> Option<usize> {
    let digits = key.bytes().all(|b| b.is_ascii_digit()) && (key.len() == 1 || !key.starts_with('0'));
    if digits { key.parse().ok() } else { None }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("missing"),
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Number(number) => f.write_str(&number.text()),
            Self::String(text) => text.fmt(f),
            Self::Array(items) => f.debug_list().entries(items).finish(),
            Self::Object(members) => f.debug_map().entries(members.iter().map(|(k, v)| (k, v))).finish(),
            Self::Borrowed(value) => match value.shape() {
                Shape::Array(length) => write!(f, "[{length} elements]"),
                _ => f.write_str("{…}"),
            },
        }
    }
}

#[cfg(feature = "serde_json")]
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
