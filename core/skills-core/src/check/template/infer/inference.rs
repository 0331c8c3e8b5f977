//! One template during type inference: its scope, its place, its findings.

use skills_template::Node as Template;

use super::path::{Place, Scope};
use crate::report::Report;
use crate::span::Span;

/// One template during type inference.
pub(crate) struct Inference<'i, 's> {
    pub(crate) scope: Scope<'s>,
    pub(crate) place: &'i Place<'i>,
    pub(crate) report: &'i mut Report,
}

impl Inference<'_, '_> {
    /// Returns the place of a node in the file.
    pub(crate) fn span(&self, node: Template<'_>) -> Span {
        let span = node.span().unwrap_or_default();
        (self.place)(span.start as usize, span.end as usize)
    }
}
