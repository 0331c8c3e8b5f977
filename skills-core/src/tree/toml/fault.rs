//! A fault of TOML: the grammar and the tables find it, `advice` says what to type.

use std::ops::Range;

/// What the grammar or the tables refuse, and where.
pub(super) struct Fault {
    pub(super) range: Range<usize>,
    pub(super) title: &'static str,
    pub(super) wrong: Wrong,
}

/// What mends a fault.
#[derive(PartialEq)]
pub(super) enum Wrong {
    /// A key or a table is given twice; the first may be known.
    Twice(Option<Range<usize>>),
    /// A key of a path has a value that is no table.
    NoTable(Option<Range<usize>>),
    /// Brackets and dots lead too deep.
    Depth,
    /// A text wants quotes.
    Unquoted,
    /// Nothing follows an `=`.
    NoValue,
    /// A line has no `=`.
    NoEquals,
    /// This is to be typed in place of what is there.
    Instead(String),
    /// A character looks like a blank.
    Blank,
    /// The items of a YAML list.
    Items,
    /// A quote of the text ended its string.
    Inner,
    /// A string of several lines wants these quotes.
    Lines(&'static str),
    /// Something is missing here.
    Missing(&'static str),
    /// A string lacks its closing quotes.
    Unclosed(&'static str),
    /// A backslash begins no escape sequence.
    Escape,
    /// The line was to end here.
    Line,
    /// Something may not stand here.
    Unwanted,
    /// A value is none.
    Value,
}

impl Fault {
    /// Tells whether it has a cause of its own, though the line has a fault before it: that one was read over.
    pub(super) fn is_apart(&self, last: &Self) -> bool {
        let is_read = |wrong: &Wrong| {
            matches!(wrong, Wrong::Unquoted | Wrong::Instead(_) | Wrong::Blank | Wrong::Unwanted)
        };
        let are_read = is_read(&self.wrong) && is_read(&last.wrong);
        // Control characters come in numbers.
        let is_more = self.wrong == Wrong::Unwanted && last.wrong == Wrong::Unwanted;
        are_read && !is_more && self.range.start >= last.range.end
    }
}
