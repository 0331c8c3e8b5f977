//! Faults of TOML, found by the grammar and the tables and described by `advice`.

use std::ops::Range;

/// A fault of the grammar or the tables, with its place.
pub(super) struct Fault {
    pub(super) range: Range<usize>,
    pub(super) title: &'static str,
    pub(super) wrong: Wrong,
}

/// The kind of a fault, with the data for its fix.
#[derive(PartialEq)]
pub(super) enum Wrong {
    /// A key or a table is defined twice; the first one may be known.
    Twice(Option<Range<usize>>),
    /// A key of a path has a value that is not a table.
    NoTable(Option<Range<usize>>),
    /// Brackets and dots are nested too deeply.
    Depth,
    /// A text needs quotes.
    Unquoted,
    /// An `=` without a value.
    NoValue,
    /// A line has no `=`.
    NoEquals,
    /// The text must be replaced with this one.
    Instead(String),
    /// A character looks like a space.
    Blank,
    /// The items of a YAML list.
    Items,
    /// A quote inside the text ended its string.
    Inner,
    /// A string of several lines needs these quotes.
    Lines(&'static str),
    /// Something is missing here.
    Missing(&'static str),
    /// A string lacks its closing quotes.
    Unclosed(&'static str),
    /// A backslash does not start an escape sequence.
    Escape,
    /// The line should end here.
    Line,
    /// Unexpected text.
    Unwanted,
    /// A value is not valid.
    Value,
}

impl Fault {
    /// Returns `true` if it has a separate cause although an earlier fault of the line was tolerated.
    pub(super) fn is_apart(&self, last: &Self) -> bool {
        let is_read = |wrong: &Wrong| {
            matches!(wrong, Wrong::Unquoted | Wrong::Instead(_) | Wrong::Blank | Wrong::Unwanted)
        };
        let are_read = is_read(&self.wrong) && is_read(&last.wrong);
        // Control characters often come in groups.
        let is_more = self.wrong == Wrong::Unwanted && last.wrong == Wrong::Unwanted;
        are_read && !is_more && self.range.start >= last.range.end
    }
}
