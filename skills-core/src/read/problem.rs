//! What is wrong with one path becomes a [`Diagnostic`] once its place is known; every part of `read` makes these.

use std::io;

use crate::diagnostic::Diagnostic;
use crate::edit::Change;
use crate::rule::{Rule, files};
use crate::span::Span;

/// A diagnostic that has no place yet.
#[derive(Debug)]
pub(super) struct Problem {
    rule: &'static Rule,
    title: String,
    label: String,
    help: String,
    /// In a box, since a problem is returned as an error by what is called for each file.
    fix: Option<Box<Remedy>>,
}

/// What mends a problem of a path.
#[derive(Debug)]
enum Remedy {
    /// The file gets another name.
    Rename(String),
    /// A line is added to a file.
    AddLine { path: String, line: String },
    /// The file is written anew.
    Write(String),
}

impl Problem {
    pub(super) fn new(rule: &'static Rule, title: impl Into<String>, help: impl Into<String>) -> Self {
        Self { rule, title: title.into(), label: String::new(), help: help.into(), fix: None }
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says that another name mends it.
    pub(super) fn rename(mut self, to: impl Into<String>) -> Self {
        self.fix = Some(Box::new(Remedy::Rename(to.into())));
        self
    }

    /// Says that a line in a `.skillignore` mends it, which [`below`](Self::below) finds.
    pub(super) fn ignore(mut self, line: String) -> Self {
        self.fix = Some(Box::new(Remedy::AddLine { path: super::path::SKILLIGNORE.to_owned(), line }));
        self
    }

    /// Says that the file as this text is mended.
    pub(super) fn rewrite(mut self, text: Option<String>) -> Self {
        self.fix = text.map(|text| Box::new(Remedy::Write(text)));
        self
    }

    /// Says in which directory below the root the `.skillignore` lies.
    pub(super) fn below(mut self, directory: &str) -> Self {
        if let Some(Remedy::AddLine { path, .. }) = self.fix.as_deref_mut() {
            *path = super::path::join(directory, path);
        }
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

    /// Returns what to do.
    pub(super) fn into_help(self) -> String {
        self.help
    }

    /// Makes the diagnostic; `path` is that of the place below the root.
    pub(super) fn at(self, span: Span, path: &str) -> Diagnostic {
        let fix = self.fix.map(|remedy| match *remedy {
            Remedy::Rename(to) => Change::Rename { file: span, to },
            Remedy::AddLine { path, line } => Change::AddLine { path, line },
            Remedy::Write(text) => Change::Write { path: path.to_owned(), text },
        });
        self.rule.at(span, self.title).label(self.label).help(self.help).fix(fix.map(Change::looked_at))
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
