//! Faults of TOML, one report for each cause; the grammar and the tables find them, `advice` says what to type.

use std::ops::Range;

use skills_registry::sort;

use super::{Tree, advice};
use crate::report::Report;

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

/// Reports every fault once: follow-ups on the same line are left out.
pub(super) fn report(tree: &Tree<'_>, mut faults: Vec<Fault>, report: &mut Report) {
    sort(&mut faults, &|a, b| a.range.start.cmp(&b.range.start));
    let mut told: Option<(Range<usize>, Fault)> = None;
    for fault in faults {
        let at = fault.range.start;
        let same = told.as_ref().filter(|(line, _)| (line.start..=line.end).contains(&at));
        if same.is_some_and(|(_, last)| !fault.is_apart(last)) {
            continue;
        }
        let line = same.map_or_else(|| line_of(tree.text, at), |(line, _)| line.clone());
        report.push(advice::describe(tree, &fault, line.clone()));
        told = Some((line, fault));
    }
}

impl Fault {
    /// Tells whether it has a cause of its own, though the line has a fault before it: that one was read over.
    fn is_apart(&self, last: &Self) -> bool {
        let is_read = |wrong: &Wrong| {
            matches!(wrong, Wrong::Unquoted | Wrong::Instead(_) | Wrong::Blank | Wrong::Unwanted)
        };
        let are_read = is_read(&self.wrong) && is_read(&last.wrong);
        // Control characters come in numbers.
        let is_more = self.wrong == Wrong::Unwanted && last.wrong == Wrong::Unwanted;
        are_read && !is_more && self.range.start >= last.range.end
    }
}

fn line_of(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let at = if at == text.len() { text.trim_end().len() } else { at };
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end);
    start..end
}
