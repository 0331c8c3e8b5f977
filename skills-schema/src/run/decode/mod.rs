//! Keeps the value that is checked: for typed code to fill itself from, and to write it anew with defaults or repaired.

mod rewrite;
mod slot;
mod write;

use super::{check_text, too_long};
use crate::json::reader::Reader;
use crate::tape::Tape;
use crate::{Invalid, Tables};
pub use rewrite::{Repair, Repaired, insert_defaults, repair_str};
pub use slot::{Decoded, Slot};

/// Checks JSON text as [`validate_str`](crate::validate_str) does and keeps the value, laid flat, for typed code to fill
/// itself from.
///
/// Defaults are not inserted: whoever reads the slots knows them, or calls [`insert_defaults`] before.
///
/// # Errors
/// As [`validate_str`](crate::validate_str).
pub fn decode_str<'a>(tables: &Tables, text: &'a str) -> Result<Decoded<'a>, Invalid> {
    check_text::<true>(tables, None, text).map(|tape| Decoded { tape })
}

/// Keeps the value of JSON text as [`decode_str`] does, without a look at any rule: for text that was just checked.
///
/// # Errors
/// The text is no JSON.
pub fn parse_str(text: &str) -> Result<Decoded<'_>, Invalid> {
    if u32::try_from(text.len()).is_err() {
        return Err(too_long());
    }
    let mut tape = Tape::over(text);
    let mut reader = Reader::new(text);
    let read = tape.read(&mut reader).and_then(|()| reader.finish());
    read.map_err(|error| Invalid::malformed(text, error))?;
    Ok(Decoded { tape })
}
