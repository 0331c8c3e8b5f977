//! The place of a problem in a schema.

use std::ops::Range;

use skills_schema::Part;

use crate::read::SkillDir;
use crate::span::Span;

/// The place of a problem.
pub(super) struct Place<'p> {
    /// The root of the document: a schema, or a whole file.
    pub(super) root: Part<'p>,
    /// The byte range of the problem in its text.
    pub(super) range: Range<usize>,
    /// Converts a byte range of the text to a span.
    pub(super) at: &'p dyn Fn(Range<usize>) -> Span,
    /// Whether the report has room for another suggestion.
    pub(super) has_room: bool,
    pub(super) dir: &'p SkillDir,
}

impl Place<'_> {
    pub(super) fn span(&self) -> Span {
        (self.at)(self.range.clone())
    }

    /// Returns the text at the place.
    pub(super) fn found(&self) -> &str {
        self.root.source_text().get(self.range.clone()).unwrap_or_default()
    }
}
