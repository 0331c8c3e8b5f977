//! Positions: a stretch of bytes of the text that was parsed, carried by nodes, errors and lints.

use std::ops::Range;

/// A stretch of bytes of a template's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte; equal to `start` for a mere position.
    pub end: u32,
}

impl Span {
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

/// Texts longer than `MAX_TEXT` are refused before anything is counted, so nothing saturates in practice.
pub(crate) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
