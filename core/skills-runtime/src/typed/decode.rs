//! Converts checked slots to Rust values, and reads text that the engine has just checked without a second check. A value that a Rust type cannot hold is a [`Misfit`] with its
//! position.
//!
//! The generic code here is compiled once for each generated type, so it uses loops and matches: closures and
//! iterator adapters would be compiled again each time.

use skills_schema::{Slot, ValueType, Violation, pointer};

use super::{Checker, Invalid, Map, from_json, of_decoded};

/// The result of reading a value.
pub type Decoding<T> = Result<T, Box<Misfit>>;

/// A value that fits its schema but not its Rust type, such as an integer beyond 64 bits.
#[derive(Debug)]
pub struct Misfit {
    pointer: String,
    expected: &'static str,
    found: String,
}

impl Misfit {
    fn new(expected: &'static str, slot: Slot<'_>) -> Box<Self> {
        let mut found: String = slot.to_json().chars().take(60).collect();
        if found.is_empty() {
            found.push_str("nothing");
        }
        Box::new(Self { pointer: String::new(), expected, found })
    }

    fn absent(key: &str) -> Box<Self> {
        let misfit = Self { pointer: String::new(), expected: "a value", found: "nothing".to_owned() };
        Box::new(misfit).under(key)
    }

    fn under(mut self: Box<Self>, key: &str) -> Box<Self> {
        let below = std::mem::take(&mut self.pointer);
        pointer::push(&mut self.pointer, key);
        self.pointer.push_str(&below);
        self
    }

    /// Converts it to a violation.
    pub fn into_violation(self) -> Violation {
        Violation::new(self.pointer, "type", self.expected, self.found)
    }
}

/// A type that can be read from a checked slot.
pub trait Decode: Sized {
    /// Reads the value.
    ///
    /// # Errors
    /// If the type cannot hold the value.
    fn decode(slot: Slot<'_>) -> Decoding<Self>;
}

fn known<T>(value: Option<T>, expected: &'static str, slot: Slot<'_>) -> Decoding<T> {
    value.ok_or_else(|| Misfit::new(expected, slot))
}

macro_rules! plain {
    ($($type:ty, $expected:literal, |$slot:ident| $value:expr;)+) => {$(
        impl Decode for $type {
            fn decode($slot: Slot<'_>) -> Decoding<Self> {
                known($value, $expected, $slot)
            }
        }
    )+};
}
plain! {
    String, "a string", |slot| slot.as_str().map(str::to_owned);
    bool, "a boolean", |slot| slot.as_bool();
    i64, "an integer of 64 bits", |slot| slot.as_i64();
    i32, "an integer of 32 bits", |slot| slot.as_i64().and_then(|value| value.try_into().ok());
    u64, "an unsigned integer of 64 bits", |slot| slot.as_u64();
    u32, "an unsigned integer of 32 bits", |slot| slot.as_u64().and_then(|value| value.try_into().ok());
    f64, "a number of 64 bits", |slot| slot.as_f64().filter(|value| value.is_finite());
    (), "null", |slot| slot.is_null().then_some(());
    serde_json::Value, "a JSON value with numbers of 64 bits", |slot| serde_json::from_str(&slot.to_json()).ok();
}

impl<T: Decode> Decode for Option<T> {
    fn decode(slot: Slot<'_>) -> Decoding<Self> {
        match slot.is_null() {
            true => Ok(None),
            false => match T::decode(slot) {
                Ok(value) => Ok(Some(value)),
                Err(misfit) => Err(misfit),
            },
        }
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(slot: Slot<'_>) -> Decoding<Self> {
        match T::decode(slot) {
            Ok(value) => Ok(Self::new(value)),
            Err(misfit) => Err(misfit),
        }
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(slot: Slot<'_>) -> Decoding<Self> {
        let mut items = Self::new();
        for item in slot.items() {
            match T::decode(item) {
                Ok(value) => items.push(value),
                Err(misfit) => return Err(misfit.under(&items.len().to_string())),
            }
        }
        Ok(items)
    }
}

impl<T: Decode> Decode for Map<T> {
    fn decode(slot: Slot<'_>) -> Decoding<Self> {
        rest(slot, &[])
    }
}

macro_rules! tuple {
    ($($name:ident)+) => {
        impl<$($name: Decode),+> Decode for ($($name,)+) {
            fn decode(slot: Slot<'_>) -> Decoding<Self> {
                let mut items = slot.items();
                Ok(($(known(items.next(), "an array of the tuple's length", slot).and_then($name::decode)?,)+))
            }
        }
    };
}
tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
tuple!(A B C D E F G);
tuple!(A B C D E F G H);
tuple!(A B C D E F G H I);
tuple!(A B C D E F G H I J);
tuple!(A B C D E F G H I J K);
tuple!(A B C D E F G H I J K L);

fn under<T>(key: &str, read: Decoding<T>) -> Decoding<T> {
    match read {
        Ok(value) => Ok(value),
        Err(misfit) => Err(misfit.under(key)),
    }
}

/// Reads a required property.
///
/// # Errors
/// If the property is absent, which is impossible for a checked value, or if the type cannot hold it.
pub fn required<T: Decode>(slot: Option<Slot<'_>>, key: &str) -> Decoding<T> {
    match slot {
        Some(slot) => under(key, T::decode(slot)),
        None => Err(Misfit::absent(key)),
    }
}

/// Reads an optional property.
///
/// # Errors
/// If the type cannot hold the property.
pub fn optional<T: Decode>(slot: Option<Slot<'_>>, key: &str) -> Decoding<Option<T>> {
    match slot {
        None => Ok(None),
        Some(slot) => match T::decode(slot) {
            Ok(value) => Ok(Some(value)),
            Err(misfit) => Err(misfit.under(key)),
        },
    }
}

/// Reads a property, or else its default from JSON text.
///
/// # Errors
/// If the type cannot hold the property.
pub fn or_text<T: Decode>(slot: Option<Slot<'_>>, key: &str, default: &str) -> Decoding<T> {
    if slot.is_some() {
        return required(slot, key);
    }
    // The schema for reading accepts any JSON. The default was already checked at build time.
    let any = skills_schema::lower::lower("true", &skills_schema::lower::DocumentOptions::default()).tables;
    match skills_schema::decode_str(&any, default) {
        Ok(decoded) => under(key, T::decode(decoded.root())),
        Err(_) => required(None, key),
    }
}

/// Reads all properties of an object except the named ones.
///
/// # Errors
/// If the type cannot hold one of them.
pub fn rest<T: Decode>(slot: Slot<'_>, names: &[&str]) -> Decoding<Map<T>> {
    let mut others = Map::new();
    for (key, value) in slot.members() {
        if names.contains(&key) {
            continue;
        }
        match T::decode(value) {
            Ok(value) => others.insert(key.to_owned(), value),
            Err(misfit) => return Err(misfit.under(key)),
        };
    }
    Ok(others)
}

/// Returns the position of an integer in a list.
pub fn place(slot: Slot<'_>, of: &[i64]) -> Option<usize> {
    let value = slot.as_i64()?;
    of.iter().position(|known| *known == value)
}

/// Returns the text of an object's tag.
pub fn tag<'t>(slot: Slot<'t>, name: &str) -> Option<&'t str> {
    slot.members().find(|(key, _)| *key == name).and_then(|(_, value)| value.as_str())
}

/// Returns `true` if a value is an object with all required properties, with the fixed texts, and without unknown
/// properties, unless any are allowed.
pub fn has_keys(slot: Slot<'_>, required: &[&str], fixed: &[(&str, &str)], known: Option<&[&str]>) -> bool {
    if slot.kind() != ValueType::Object {
        return false;
    }
    for name in required {
        if !slot.members().any(|(key, _)| key == *name) {
            return false;
        }
    }
    for (name, text) in fixed {
        if tag(slot, name) != Some(*text) {
            return false;
        }
    }
    match known {
        Some(known) => slot.members().all(|(key, _)| known.contains(&key)),
        None => true,
    }
}

/// Returns the variant, if one was found.
///
/// # Errors
/// If none was found, which is impossible for a checked value.
pub fn variant<T>(found: Option<T>, slot: Slot<'_>) -> Decoding<T> {
    match found {
        Some(value) => Ok(value),
        None => Err(Misfit::new("one of the listed values", slot)),
    }
}

/// The tables that a text was checked with, so that the same check need not be repeated.
///
/// The default is for a text that was not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The address of the tables. It is only compared with the addresses of static tables, which are not
    /// reused.
    place: Option<usize>,
}

impl Checked {
    /// Notes the tables.
    #[doc(hidden)]
    pub fn by(tables: &Checker) -> Self {
        Self { place: Some(std::ptr::from_ref(tables).addr()) }
    }
}

/// Reads a value from JSON text, and checks it unless it was already checked with these tables.
///
/// # Errors
/// See [`from_json`].
pub fn from_checked<T: Decode>(tables: &'static Checker, checked: Checked, text: &str) -> Result<T, Invalid> {
    if checked == Checked::by(tables) {
        return of_decoded(&skills_schema::parse_str(text)?);
    }
    from_json(tables, text)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::{Checked, Checker, Invalid, from_checked};

    static SHORT: LazyLock<Checker> = LazyLock::new(|| tables(r#"{"type": "string", "maxLength": 1}"#));
    static OTHER: LazyLock<Checker> = LazyLock::new(|| tables(r#"{"type": "string"}"#));

    fn tables(schema: &str) -> Checker {
        skills_schema::lower::lower(schema, &skills_schema::lower::DocumentOptions::default()).tables
    }

    // SPEC 6.4: a text that was not checked, or was checked by other tables, is checked.
    #[test]
    fn only_the_same_tables_are_trusted() {
        let read = |checked, text| from_checked::<String>(&SHORT, checked, text);
        assert!(read(Checked::default(), "\"long\"").is_err());
        assert!(read(Checked::by(&OTHER), "\"long\"").is_err());
        assert_eq!(read(Checked::by(&SHORT), "\"long\"").ok().as_deref(), Some("long"));
    }

    // SPEC 6.4: a false claim that a text was checked causes an error, not a panic.
    #[test]
    fn values_that_do_not_fit_the_type_are_refused_even_if_unchecked() {
        let read = |text| from_checked::<String>(&SHORT, Checked::by(&SHORT), text);
        assert!(matches!(read("1"), Err(Invalid::Violations(_))));
        assert!(matches!(read("\"x"), Err(Invalid::Malformed(_))));
    }
}
