//! The text that is parsed, and where it lies in its file.

use std::ops::Range;

use crate::span::{SourceFile, Span};

/// Where the text of the events lies, and how it differs from the file.
pub(super) struct Text<'a> {
    /// The file.
    pub(super) source: &'a SourceFile,
    /// Where the text starts in the file.
    pub(super) base: usize,
    /// The text as it was parsed: as long as in the file, byte for byte.
    pub(super) text: &'a str,
    /// What stands in it for a `:` that a plain value may not hold.
    pub(super) mask: Option<char>,
}

impl Text<'_> {
    /// Returns the span of a byte range of the text.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        self.source.span(self.base + range.start..self.base + range.end)
    }

    /// Returns what the file has at a byte range of the text.
    pub(super) fn written(&self, range: Range<usize>) -> &str {
        self.source.text.get(self.base + range.start..self.base + range.end).unwrap_or_default()
    }
}
