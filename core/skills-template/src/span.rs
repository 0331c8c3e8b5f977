//! Byte ranges in the parsed text, for nodes, errors and lints.

use std::ops::Range;

/// A byte range in a template's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateSpan {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte; equal to `start` for an empty range.
    pub end: u32,
}

impl TemplateSpan {
    /// Returns the span as a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: narrow(start), end: narrow(end) }
    }

    pub(crate) fn shift(self, by: u32) -> Self {
        Self { start: self.start.saturating_add(by), end: self.end.saturating_add(by) }
    }
}

/// Converts an offset. Texts longer than `MAX_TEXT` are refused earlier, so it never saturates in practice.
pub(crate) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
