//! The interpreter: reads a value once and checks it against tables, reporting the rules it breaks.
//!
//! Values are streamed from the text. If a rule must read a value twice (`anyOf` with overlapping schemas,
//! `not`, `if`, `uniqueItems`, `contains`, unevaluated members, fixed arrays and objects), only that value is
//! put on a tape, and the same code reads it from there. For a typed value, the whole text is put on a tape first.

mod alternative;
mod check;
mod choice;
mod complex;
mod containers;
mod decode;
mod equal;
mod found;
mod logic;
mod report;
mod scalars;
mod source;
#[cfg(test)]
mod tests;
mod text;

use crate::json::reader::JsonReader;
use crate::json::{Error, ErrorKind};
use crate::pointer::Path;
use crate::{Invalid, Tables, Violation};
use check::{CheckRun, SchemaFault, Verdict};
pub(crate) use choice::compare;
pub use decode::{Decoded, Repair, Repaired, Slot, decode_str, insert_defaults, parse_str, repair_str};
pub use found::one_of;
pub(crate) use found::string as quoted;
use text::Text;

/// Checks JSON text against tables, reading it once.
///
/// # Errors
/// If the text is not JSON (a repeated key is an error, too), or if the value breaks rules. The error has at most 100
/// broken rules and 64 KiB of text. If there are more, the last entry says at least how many more.
///
/// ```
/// use skills_schema::{lower, validate_str};
///
/// let schema = r#"{"properties": {"line": {"type": "integer", "minimum": 1}}}"#;
/// let tables = lower::lower(schema, &lower::DocumentOptions::default()).tables;
/// assert!(validate_str(&tables, r#"{"line": 3.0}"#).is_ok());
/// let refused = validate_str(&tables, r#"{"line": 0}"#).unwrap_err();
/// assert_eq!(refused.to_string(), "/line: minimum: expected at least 1, found 0");
/// ```
pub fn validate_str(tables: &Tables, text: &str) -> Result<(), Invalid> {
    check_text(tables, None, text).map(|_| ())
}

/// Returns `true` if a text is valid JSON and fits. Stops at the first broken rule.
#[must_use]
pub fn is_valid_str(tables: &Tables, text: &str) -> bool {
    let mut run = CheckRun::new(tables, text.len(), true);
    let mut source = Text::new(text);
    let fits = run.root(&mut source);
    matches!(fits, Ok(true)) && u32::try_from(text.len()).is_ok() && source.reader.finish().is_ok()
}

fn too_long() -> Invalid {
    Invalid::malformed("", Error { kind: ErrorKind::TooLong, start: 0, end: 0 })
}

/// Checks a text against one node of the tables, or the root. Returns `true` if the text is compact: if the value,
/// written again, is the same text.
pub(crate) fn check_text(tables: &Tables, node: Option<u32>, text: &str) -> Result<bool, Invalid> {
    if u32::try_from(text.len()).is_err() {
        return Err(too_long());
    }
    let mut run = CheckRun::new(tables, text.len(), false);
    let mut source = Text::new(text);
    let fits = match node {
        Some(node) => run.check(&mut source, node, &Path::Root, None),
        None => run.root(&mut source),
    };
    let fits = match fits {
        Ok(fits) => source.reader.finish().map(|()| fits).map_err(Into::into),
        Err(SchemaFault::Full) => read_on(text).map(|()| false).map_err(Into::into),
        Err(fault) => Err(fault),
    };
    conclude(run, fits, text).map(|()| source.reader.is_compact)
}

fn conclude(run: CheckRun<'_>, fits: Verdict, text: &str) -> Result<(), Invalid> {
    let mut violations: Vec<Violation> = run.report.into_violations();
    match fits {
        Ok(true) => return Ok(()),
        Ok(false) | Err(SchemaFault::Full) => {}
        Err(SchemaFault::Json(error)) => return Err(Invalid::malformed(text, *error)),
        Err(SchemaFault::Limit(violation)) => violations.push(*violation),
    }
    Err(Invalid::Violations(violations))
}

/// Reads the rest of a text after the check stopped early, so that invalid JSON is reported whichever rule
/// was broken first.
fn read_on(text: &str) -> Result<(), Error> {
    let mut reader = JsonReader::new(text);
    reader.skip()?;
    reader.finish()
}
