//! Errors in JSON text, with their positions.

use std::fmt;

use crate::floor;

/// The kind of a JSON error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// A value is expected, but this character does not start one.
    ExpectedValue,
    /// An object's key (a string) is expected.
    ExpectedKey,
    /// A `:` is expected after a key.
    ExpectedColon,
    /// A `,` or the closing bracket is expected.
    ExpectedComma,
    /// A `//`, `/* */` or `#` comment.
    Comment,
    /// A `,` before a closing bracket or another `,`.
    TrailingComma,
    /// The same key occurs twice in one object. The span is the later key's.
    DuplicateKey,
    /// More than [`DEPTH`](super::DEPTH) nested arrays and objects.
    TooDeep,
    /// A control character (below U+0020) is not escaped in a string.
    ControlCharacter,
    /// A `\` is not followed by a valid JSON escape.
    BadEscape,
    /// A `\u` escape names half of a surrogate pair.
    LoneSurrogate,
    /// A number does not follow the grammar (`01`, `1.`, `+1`, `.5`).
    BadNumber,
    /// Something other than whitespace follows the value.
    TrailingData,
    /// The text is 4 GiB or longer.
    TooLong,
}

impl ErrorKind {
    /// Returns the message.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnexpectedEnd => "the JSON text ends inside a value",
            Self::ExpectedValue => "expected a JSON value",
            Self::ExpectedKey => "expected a key in double quotes",
            Self::ExpectedColon => "expected `:` after the key",
            Self::ExpectedComma => "expected `,` or the closing bracket",
            Self::Comment => "comments are not JSON",
            Self::TrailingComma => "trailing comma",
            Self::DuplicateKey => "duplicate key",
            Self::TooDeep => "more than 128 nested arrays and objects",
            Self::ControlCharacter => "control character in a string",
            Self::BadEscape => "unknown escape in a string",
            Self::LoneSurrogate => "half of a surrogate pair in a string",
            Self::BadNumber => "malformed number",
            Self::TrailingData => "unexpected text after the JSON value",
            Self::TooLong => "the text is 4 GiB or longer",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// An error in a JSON text, with its byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The byte offset where the error starts.
    pub start: usize,
    /// The byte offset after the error. Equals `start` at the end of the text.
    pub end: usize,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.start)
    }
}

impl std::error::Error for Error {}

/// Converts a byte offset to a line and a column, both from 1. Columns count characters.
///
/// An offset inside a character counts as the start of the character, and an offset after the end of the text
/// as its end.
///
/// ```
/// assert_eq!(skills_text::json::position("{\n  é x", 7), (2, 5));
/// ```
pub fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..floor(text, offset)];
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[start..].chars().count() + 1)
}
