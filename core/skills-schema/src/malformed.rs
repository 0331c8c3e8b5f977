//! The error for a text that is not JSON, with the position and the text there.

use std::fmt;

use skills_text::{cut, visible};

use crate::json::{self, ErrorKind};

/// The maximum number of characters to show from the position of the error.
const MAX_SHOWN: usize = 60;

/// The error for a text that is not JSON, with its position.
///
/// Displayed as `LINE:COLUMN: ERROR`, followed by the text at the error if it is an invalid or unexpected
/// value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Malformed {
    /// The error, with byte offsets.
    pub error: json::Error,
    /// The line of the error, from 1.
    pub line: usize,
    /// The column of the error in characters, from 1.
    pub column: usize,
    /// The rest of the line, shortened and safe for a terminal. Empty if it would not help to find the error.
    pub near: String,
}

impl Malformed {
    pub(crate) fn new(text: &str, error: json::Error) -> Self {
        let (line, column) = json::position(text, error.start);
        let rest = match error.kind {
            ErrorKind::ExpectedValue | ErrorKind::TrailingData => text.get(error.start..).unwrap_or_default(),
            _ => "",
        };
        let near = visible(&cut(rest.lines().next().unwrap_or_default().trim_end(), MAX_SHOWN));
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
