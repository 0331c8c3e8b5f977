//! What can be wrong with JSON text, and where; made by the reader, shown by callers.

use std::fmt;

/// What is wrong with a JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// A value is expected and this character begins none.
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
    /// The same key stands twice in one object; the span is the later key's.
    DuplicateKey,
    /// More than [`DEPTH`](super::DEPTH) nested arrays and objects.
    TooDeep,
    /// A control character (below U+0020) stands unescaped in a string.
    ControlCharacter,
    /// A `\` is followed by no escape that JSON knows.
    BadEscape,
    /// A `\u` escape names half of a surrogate pair.
    LoneSurrogate,
    /// A number breaks the grammar (`01`, `1.`, `+1`, `.5`).
    BadNumber,
    /// Something other than white space follows the value.
    TrailingData,
    /// The text is 4 GiB or longer.
    TooLong,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
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
            Self::TrailingData => "something follows the JSON value",
            Self::TooLong => "the text is 4 GiB or longer",
        })
    }
}

/// A fault in a JSON text, with the bytes it stands at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Byte offset of the first byte at fault (SPEC 3.3).
    pub start: usize,
    /// Byte offset behind the last byte at fault; equals `start` at the end of the text.
    pub end: usize,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.start)
    }
}

impl std::error::Error for Error {}

/// Turns a byte offset into line and column, both from 1; columns count characters.
///
/// An offset inside a character counts as that character; one past the end counts as the end.
///
/// ```
/// assert_eq!(skills_schema::json::position("{\n  é x", 7), (2, 5));
/// ```
#[must_use]
pub fn position(text: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[start..].chars().count() + 1)
}
