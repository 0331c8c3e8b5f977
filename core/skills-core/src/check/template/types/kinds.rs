//! Kinds of JSON values as a bit set, with their names for messages.

use skills_schema::one_of;
use skills_text::Decimal;

use crate::tree::{Node, ScalarType, Value};

/// A set of kinds of JSON values. A whole number counts as [`Kinds::INTEGER`], any other number as
/// [`Kinds::FRACTION`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

/// The kinds with their names in JSON Schema and in messages.
const NAMES: [(Kinds, &str, &str); 7] = [
    (Kinds::NUMBER, "number", "a number"),
    (Kinds::INTEGER, "integer", "an integer"),
    (Kinds::STRING, "string", "a string"),
    (Kinds::BOOL, "boolean", "a boolean"),
    (Kinds::ARRAY, "array", "an array"),
    (Kinds::OBJECT, "object", "an object"),
    (Kinds::NULL, "null", "null"),
];

/// The maximum length of a number in bytes that is parsed.
const LONGEST: usize = 1_000;

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOL: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const FRACTION: Self = Self(8);
    pub(crate) const NUMBER: Self = Self(12);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ALL: Self = Self(127);

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the two sets have a kind in common.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if all kinds of the set are in `other`.
    pub(crate) const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Converts a name from JSON Schema's `type`; an unknown name gives all kinds.
    pub(crate) fn named(name: &str) -> Self {
        NAMES.iter().find(|(_, own, _)| *own == name).map_or(Self::ALL, |(kinds, ..)| *kinds)
    }

    pub(crate) fn of_scalar(kind: ScalarType, text: &str) -> Self {
        match kind {
            ScalarType::Null => Self::NULL,
            ScalarType::Bool => Self::BOOL,
            ScalarType::Number => Self::of_number(text),
            ScalarType::String | ScalarType::Date => Self::STRING,
        }
    }

    pub(crate) fn of_node(value: &Node) -> Self {
        match &value.value {
            Value::List(_) => Self::ARRAY,
            Value::Map(_) => Self::OBJECT,
            Value::Scalar(scalar) => Self::of_scalar(scalar.kind, &scalar.text),
        }
    }

    /// Returns the kind of a number. `3.0`, `3e1` and any number too long to be parsed may be whole.
    pub(crate) fn of_number(text: &str) -> Self {
        if text.len() > LONGEST {
            return Self::NUMBER;
        }
        match text.contains(['.', 'e', 'E']) {
            false => Self::INTEGER,
            true if Decimal::parse(text).is_integer() => Self::NUMBER,
            true => Self::FRACTION,
        }
    }

    pub(crate) fn of_types(types: &[skills_template::Type]) -> Self {
        use skills_template::Type;
        let kinds = types.iter().map(|kind| match kind {
            Type::Null => Self::NULL,
            Type::Bool => Self::BOOL,
            Type::Number => Self::NUMBER,
            Type::String => Self::STRING,
            Type::Array => Self::ARRAY,
            Type::Object => Self::OBJECT,
        });
        kinds.fold(Self::NONE, Self::or)
    }

    /// Names the kinds for a message: `a string or null`.
    pub(crate) fn describe(self) -> String {
        // JSON Schema has no name for numbers that are not whole.
        let mut rest = if self.meets(Self::FRACTION) { self.or(Self::NUMBER) } else { self };
        let mut names = Vec::new();
        for (kinds, _, name) in NAMES {
            if !kinds.is_empty() && kinds.is_within(rest) {
                names.push(name.to_owned());
                rest = rest.without(kinds);
            }
        }
        one_of(&names)
    }
}

#[cfg(test)]
mod tests {
    use super::Kinds;

    // SPEC 5.5
    #[test]
    fn sets_are_named() {
        assert_eq!(Kinds::NUMBER.describe(), "a number");
        assert_eq!(Kinds::INTEGER.or(Kinds::NULL).describe(), "an integer or null");
        assert_eq!(Kinds::FRACTION.describe(), "a number");
        let all = "a number, a string, a boolean, an array, an object or null";
        assert_eq!(Kinds::ALL.describe(), all);
        assert_eq!(Kinds::NONE.describe(), "nothing");
    }

    // SPEC 5.5
    #[test]
    fn whole_numbers_are_recognized_by_value() {
        for (text, kinds) in [
            ("3", Kinds::INTEGER),
            ("-0", Kinds::INTEGER),
            ("3.0", Kinds::NUMBER),
            ("3.5", Kinds::FRACTION),
            ("1e2", Kinds::NUMBER),
            ("123456789012345678901234567890", Kinds::INTEGER),
        ] {
            assert_eq!(Kinds::of_number(text), kinds, "{text}");
        }
        // SPEC 12.10
        assert_eq!(Kinds::of_number(&"9".repeat(10_000)), Kinds::NUMBER);
    }
}
