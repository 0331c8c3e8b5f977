//! What is wrong with one path becomes a [`Diagnostic`] once its place is known; every part of `read` makes these.

use std::io;

use crate::diagnostic::Diagnostic;
use crate::edit::Change;
use crate::rule::{Rule, files};
use crate::span::Span;

/// A diagnostic that has no place yet; in a box, since it is returned as an error by what is called for each file.
#[derive(Debug)]
pub(super) struct Problem(Box<Diagnostic>);

impl Problem {
    pub(super) fn new(rule: &'static Rule, title: impl Into<String>, help: impl Into<String>) -> Self {
        Self(Box::new(rule.at(Span::default(), title).help(help)))
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.0.label = label.into();
        self
    }

    /// Says that another name mends it.
    pub(super) fn rename(self, to: impl Into<String>) -> Self {
        self.mended(Change::Rename { file: Span::default(), to: to.into() })
    }

    /// Says that a line in a `.skillignore` mends it, which [`below`](Self::below) finds.
    pub(super) fn ignore(self, line: String) -> Self {
        self.mended(Change::AddLine { path: super::path::SKILLIGNORE.to_owned(), line })
    }

    /// Says that the file as this text is mended.
    pub(super) fn rewrite(self, text: String) -> Self {
        self.mended(Change::Write { path: String::new(), text })
    }

    fn mended(mut self, change: Change) -> Self {
        self.0.fix = Some(change.looked_at());
        self
    }

    /// Returns what mends it.
    fn change(&mut self) -> Option<&mut Change> {
        self.0.fix.as_mut()?.changes.first_mut()
    }

    /// Says in which directory below the root the `.skillignore` lies.
    pub(super) fn below(mut self, directory: &str) -> Self {
        if let Some(Change::AddLine { path, .. }) = self.change() {
            *path = super::path::join(directory, path);
        }
        self
    }

    /// A file or directory that the system does not let us read.
    pub(super) fn unreadable(error: &io::Error, what: &str) -> Self {
        Self::new(
            &files::UNREADABLE,
            format!("cannot read {what}"),
            "grant read permission: `chmod u+r` for a file, `chmod u+rx` for a directory",
        )
        .label(say(error))
    }

    /// Returns what to do.
    pub(super) fn into_help(self) -> String {
        self.0.help
    }

    /// Makes the diagnostic; `path` is that of the place below the root.
    pub(super) fn at(mut self, span: Span, path: &str) -> Diagnostic {
        match self.change() {
            Some(Change::Rename { file, .. }) => *file = span,
            Some(Change::Write { path: file, .. }) => path.clone_into(file),
            _ => {}
        }
        Diagnostic { span, ..*self.0 }
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
