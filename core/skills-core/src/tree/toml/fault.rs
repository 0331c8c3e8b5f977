//! Faults of TOML, found by the parser and the tables and described by `advice`.

use std::ops::Range;

use toml_parser::ParseError;

/// A fault with its place.
pub(super) struct Fault {
    pub(super) range: Range<usize>,
    pub(super) wrong: Wrong,
}

/// The kind of a fault.
pub(super) enum Wrong {
    /// A key or a table is defined twice; the first one may be known.
    Twice(Option<Range<usize>>),
    /// A key of a path has a value that is not a table.
    NoTable(Option<Range<usize>>),
    /// Brackets and dots are nested too deeply.
    Depth,
    /// An `=` without a value.
    NoValue,
    /// A number or a date is not valid.
    Value,
    /// A fault that the parser found.
    Syntax(ParseError),
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Self {
        let span = error.unexpected().or(error.context()).unwrap_or_default();
        Self { range: span.start()..span.end(), wrong: Wrong::Syntax(error) }
    }
}
