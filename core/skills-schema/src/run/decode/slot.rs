//! A checked value in a flat form. Generated code fills its structs from it without checking any rule again.

use crate::json::number::{Decimal, fixed};
use crate::json::reader::ValueType;
use crate::run::source::Cursor;
use crate::tape::Tape;

/// A value that fits its schema. Strings without escapes are borrowed from the text.
#[derive(Debug)]
pub struct Decoded<'a> {
    pub(crate) tape: Tape<'a>,
}

impl Decoded<'_> {
    /// Returns the whole value.
    #[must_use]
    #[inline]
    pub fn root(&self) -> Slot<'_> {
        Slot { cursor: Cursor::new(&self.tape) }
    }
}

/// A value inside a [`Decoded`].
#[derive(Clone, Copy)]
pub struct Slot<'t> {
    pub(crate) cursor: Cursor<'t>,
}

impl<'t> Slot<'t> {
    /// Returns the JSON type of the value.
    #[must_use]
    pub fn kind(self) -> ValueType {
        self.cursor.token().kind
    }

    /// Returns `true` if the value is `null`.
    #[must_use]
    #[inline]
    pub fn is_null(self) -> bool {
        self.kind() == ValueType::Null
    }

    /// Returns the boolean, if the value is one.
    #[must_use]
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        let token = self.cursor.token();
        (token.kind == ValueType::Bool).then_some(token.a == 1)
    }

    /// Returns the string, if the value is one.
    #[must_use]
    #[inline]
    pub fn as_str(self) -> Option<&'t str> {
        (self.kind() == ValueType::String).then(|| self.cursor.text())
    }

    /// Returns the number's text as written, if the value is a number.
    #[must_use]
    #[inline]
    pub fn as_number(self) -> Option<&'t str> {
        (self.kind() == ValueType::Number).then(|| self.cursor.text())
    }

    /// Returns the value as `i64`, if it is an integer (`3.0` is) in range.
    #[must_use]
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        let text = self.as_number()?;
        match fixed(text) {
            Some((value, 0)) => Some(value),
            _ => Decimal::parse(text).to_i64(),
        }
    }

    /// Returns the value as `u64`, if it is an integer in range.
    #[must_use]
    #[inline]
    pub fn as_u64(self) -> Option<u64> {
        match self.as_i64() {
            Some(value) => u64::try_from(value).ok(),
            None => u64::try_from(Decimal::parse(self.as_number()?).whole()?).ok(),
        }
    }

    /// Returns the number as the nearest `f64`; infinity if it is out of range.
    #[must_use]
    #[inline]
    pub fn as_f64(self) -> Option<f64> {
        self.as_number()?.parse().ok()
    }

    /// Returns the position of the string in a list, such as the variants of an enum.
    #[must_use]
    #[inline]
    pub fn position(self, of: &[&str]) -> Option<usize> {
        let text = self.as_str()?;
        of.iter().position(|known| *known == text)
    }

    /// Returns the number of items of an array or members of an object, or 0 for any other value.
    #[must_use]
    #[inline]
    pub fn count(self) -> usize {
        let token = self.cursor.token();
        if token.is_container() { token.a as usize } else { 0 }
    }

    /// Returns the items of an array. Empty for any other value.
    #[inline]
    pub fn items(self) -> impl Iterator<Item = Slot<'t>> {
        let is_array = self.kind() == ValueType::Array;
        self.cursor.inside().filter(move |_| is_array).map(|cursor| Slot { cursor })
    }

    /// Returns the members of an object in text order. Empty for any other value.
    #[inline]
    pub fn members(self) -> impl Iterator<Item = (&'t str, Slot<'t>)> {
        self.cursor.members().map(|(key, cursor)| (key, Slot { cursor }))
    }

    /// Returns the members with these names, in the order of the names. `None` for an absent member.
    ///
    /// ```
    /// use skills_schema::{decode_str, lower};
    ///
    /// let tables = lower::lower(r#"{"type": "object"}"#, &lower::DocumentOptions::default()).tables;
    /// let decoded = decode_str(&tables, r#"{"n": 3.0, "name": "x"}"#).unwrap();
    /// let [name, n, other] = decoded.root().fields(&["name", "n", "other"]);
    /// assert_eq!(name.and_then(|slot| slot.as_str()), Some("x"));
    /// assert_eq!(n.and_then(|slot| slot.as_u64()), Some(3));
    /// assert!(other.is_none());
    /// ```
    #[must_use]
    #[inline]
    pub fn fields<const N: usize>(self, names: &[&str; N]) -> [Option<Slot<'t>>; N] {
        let mut fields = [None; N];
        let mut next = 0;
        for (key, slot) in self.members() {
            // Members are mostly in the schema's order.
            let found =
                if names.get(next) == Some(&key) { Some(next) } else { names.iter().position(|n| *n == key) };
            if let Some(i) = found {
                fields[i] = Some(slot);
                next = i + 1;
            }
        }
        fields
    }

    /// Writes the value as JSON text, with numbers as originally written.
    #[must_use]
    #[inline]
    pub fn to_json(self) -> String {
        let mut out = String::new();
        self.cursor.write(&mut out);
        out
    }
}

impl std::fmt::Debug for Slot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_json())
    }
}
