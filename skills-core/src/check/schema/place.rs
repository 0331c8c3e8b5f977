//! Where a problem of a schema is.

use std::ops::Range;

use skills_schema::Part;

use crate::read::SkillDir;
use crate::span::Span;

/// Where a problem is.
pub(super) struct Place<'p> {
    /// The root of the document: a schema, or a whole file.
    pub(super) root: Part<'p>,
    /// The bytes of the problem in it.
    pub(super) range: Range<usize>,
    /// Turns bytes of the text into a span.
    pub(super) at: &'p dyn Fn(Range<usize>) -> Span,
    /// Whether there is room to say what was meant.
    pub(super) has_room: bool,
    /// The skill.
    pub(super) dir: &'p SkillDir,
}

impl Place<'_> {
    pub(super) fn span(&self) -> Span {
        (self.at)(self.range.clone())
    }

    /// What stands there, as written.
    pub(super) fn found(&self) -> &str {
        self.root.source_text().get(self.range.clone()).unwrap_or_default()
    }
}
