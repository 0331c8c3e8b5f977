//! Where a text is no JSON, and what stands there.

use std::fmt;

use skills_registry::{cut, visible};

use crate::json::{self, ErrorKind};

/// How many characters are shown of what stands at a fault.
const NEAR: usize = 60;

/// Where and why a text is no JSON.
///
/// Shown as `LINE:COLUMN: WHAT`, with what stands there when that is no value, or one too many (SPEC 6.7).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Malformed {
    /// What is wrong, with byte offsets.
    pub error: json::Error,
    /// Line of the fault, from 1.
    pub line: usize,
    /// Column of the fault in characters, from 1.
    pub column: usize,
    /// The rest of the line, cut and fit for a terminal; empty where it helps nobody.
    pub near: String,
}

impl Malformed {
    pub(crate) fn new(text: &str, error: json::Error) -> Self {
        let (line, column) = json::position(text, error.start);
        let rest = match error.kind {
            ErrorKind::ExpectedValue | ErrorKind::TrailingData => text.get(error.start..).unwrap_or_default(),
            _ => "",
        };
        let near = visible(&cut(rest.lines().next().unwrap_or_default().trim_end(), NEAR));
        Self { error, line, column, near }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { error, line, column, near } = self;
        match error.kind {
            kind if near.is_empty() => write!(f, "{line}:{column}: {kind}"),
            ErrorKind::ExpectedValue => write!(f, "{line}:{column}: `{near}`"),
            kind => write!(f, "{line}:{column}: {kind}: `{near}`"),
        }
    }
}
