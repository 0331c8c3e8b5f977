//! What is wrong with one path becomes a [`Diagnostic`] once its place is known; every part of `read` makes these.

use std::io;

use crate::diagnostic::Diagnostic;
use crate::rule::{Rule, files};
use crate::span::Span;

/// A diagnostic that has no place yet.
#[derive(Debug)]
pub(super) struct Problem {
    rule: &'static Rule,
    title: String,
    label: String,
    help: String,
}

impl Problem {
    pub(super) fn new(rule: &'static Rule, title: impl Into<String>, help: impl Into<String>) -> Self {
        Self { rule, title: title.into(), label: String::new(), help: help.into() }
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// A file or directory that the system does not let us read.
    pub(super) fn unreadable(error: &io::Error, what: &str) -> Self {
        Self::new(
            &files::UNREADABLE,
            format!("cannot read {what}"),
            "give the user who reads it permission (`chmod u+r`, for a directory `chmod u+rx`), or take it away",
        )
        .label(say(error))
    }

    pub(super) fn at(self, span: Span) -> Diagnostic {
        self.rule.at(span, self.title).label(self.label).help(self.help)
    }
}

/// Says what the system said, in the voice of a diagnostic: lower case, no number.
pub(super) fn say(error: &io::Error) -> String {
    let kind = error.kind().to_string();
    if matches!(kind.as_str(), "uncategorized error" | "other error") {
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default();
        return text.to_lowercase();
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_errors_are_said_in_lower_case() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(say(&denied), "permission denied");
        assert_eq!(say(&io::Error::other("Strange Thing")), "strange thing");
    }
}
