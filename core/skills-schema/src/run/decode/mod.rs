//! Keeps the checked value for typed code, or writes the value again with defaults or repairs.

mod rewrite;
mod slot;

use super::check::CheckRun;
use super::source::Cursor;
use super::{conclude, too_long};
use crate::json::reader::JsonReader;
use crate::tape::Tape;
use crate::{Invalid, Tables};
pub use rewrite::{Repair, Repaired, insert_defaults, repair_str};
pub use slot::{Decoded, Slot};

/// Checks JSON text like [`validate_str`](crate::validate_str) and keeps the value in a flat form for typed
/// code.
///
/// Defaults are not inserted. The caller can fill them in, or call [`insert_defaults`] first.
///
/// # Errors
/// See [`validate_str`](crate::validate_str).
pub fn decode_str<'a>(tables: &Tables, text: &'a str) -> Result<Decoded<'a>, Invalid> {
    let decoded = parse_str(text)?;
    let mut run = CheckRun::new(tables, text.len(), false);
    let fits = run.root(&mut Cursor::new(&decoded.tape));
    conclude(run, fits, text)?;
    Ok(decoded)
}

/// Parses JSON text like [`decode_str`], but without checking rules: for text that was just checked.
///
/// # Errors
/// If the text is not JSON.
pub fn parse_str(text: &str) -> Result<Decoded<'_>, Invalid> {
    if u32::try_from(text.len()).is_err() {
        return Err(too_long());
    }
    // Typical inputs have one token for every dozen bytes.
    let mut tape = Tape::sized(text, text.len() / 10 + 8);
    let mut reader = JsonReader::new(text);
    let read = tape.read(&mut reader).and_then(|()| reader.finish());
    read.map_err(|error| Invalid::malformed(text, error))?;
    Ok(Decoded { tape })
}
