//! Typed inputs and outputs: reads JSON text, checked with the tables of its schema, as values of generated
//! types.
//!
//! Generated code implements `Decode` and `Encode` for each type, using the functions here. A type is read
//! from slots that were already checked, so no check is repeated.

mod decode;
mod encode;
pub mod format;
#[doc(hidden)]
pub mod names;

#[doc(hidden)]
pub use decode::{
    Checked, Decode, Decoding, Misfit, from_checked, has_keys, optional, or_text, place, required, rest, tag,
    variant,
};
#[doc(hidden)]
pub use encode::{Encode, Writer};
pub use skills_schema::{Invalid, Malformed, Repair, Violation};
#[doc(hidden)]
pub use skills_schema::{Slot, Tables as Checker, ValueType, repair_str as repair};

/// An object with any keys, sorted by key.
pub type Map<T> = std::collections::BTreeMap<String, T>;

/// Reads a value from JSON text that fits a schema.
///
/// # Errors
/// If the text is not JSON, breaks a rule of the schema, or contains a number that the type cannot hold.
#[doc(hidden)]
pub fn from_json<T: Decode>(tables: &Checker, text: &str) -> Result<T, Invalid> {
    of_decoded(&skills_schema::decode_str(tables, text)?)
}

fn of_decoded<T: Decode>(decoded: &skills_schema::Decoded<'_>) -> Result<T, Invalid> {
    T::decode(decoded.root()).map_err(|misfit| Invalid::Violations(vec![misfit.into_violation()]))
}

/// Writes a value as JSON text.
#[doc(hidden)]
pub fn to_json<T: Encode>(value: &T) -> String {
    let mut out = Writer::default();
    value.encode(&mut out);
    out.finish()
}

#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde;

/// Serializes a value with serde.
///
/// # Errors
/// Returns the errors of the serializer.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub fn serialize<T: Encode, S: serde::Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let value: serde_json::Value =
        serde_json::from_str(&to_json(value)).map_err(serde::ser::Error::custom)?;
    serde::Serialize::serialize(&value, serializer)
}

/// Deserializes a value with serde, and checks it.
///
/// # Errors
/// Returns the errors of the deserializer and of [`from_json`].
#[cfg(feature = "serde")]
#[doc(hidden)]
pub fn deserialize<'de, T: Decode, D: serde::Deserializer<'de>>(
    tables: &Checker,
    deserializer: D,
) -> Result<T, D::Error> {
    let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
    from_json(tables, &value.to_string()).map_err(serde::de::Error::custom)
}
