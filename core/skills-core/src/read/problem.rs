//! A problem with one path. Its position in the report is set later. Used by all parts of `read`.

use std::io;

use skills_text::shell_word;

use crate::diagnostic::Diagnostic;
use crate::edit::Change;
use crate::rule::{Rule, files};
use crate::span::{SourceMap, Span};

/// Stands in a help for the path of the place.
pub(super) const FILE: &str = "{file}";

/// Stands in a help for the directory of the place, with a slash at its end.
pub(super) const DIRECTORY: &str = "{directory}";

/// Stands in a help before a path below the root.
pub(super) const ROOT: &str = "{root}";

/// A diagnostic without a place; boxed, because it is an error value of functions called for each file.
#[derive(Debug)]
pub(super) struct UnplacedProblem(Box<Diagnostic>);

impl UnplacedProblem {
    pub(super) fn new(rule: &'static Rule, title: impl Into<String>, help: impl Into<String>) -> Self {
        Self(Box::new(rule.report_at(Span::default(), title).help(help)))
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.0.label = label.into();
        self
    }

    /// Sets a fix that renames the file.
    pub(super) fn rename(self, to: impl Into<String>) -> Self {
        self.with_fix(Change::Rename { file: Span::default(), to: to.into() })
    }

    /// Sets a fix that adds a line to a `.skillignore`; [`below`](Self::below) sets its directory.
    pub(super) fn ignore(self, line: String) -> Self {
        self.with_fix(Change::AddLine { path: super::path::SKILLIGNORE.to_owned(), line })
    }

    /// Sets a fix that replaces the text of the file.
    pub(super) fn rewrite(self, text: String) -> Self {
        self.with_fix(Change::Write { path: String::new(), text })
    }

    fn with_fix(mut self, change: Change) -> Self {
        self.0.fix = Some(change.unsafe_fix());
        self
    }

    fn change(&mut self) -> Option<&mut Change> {
        self.0.fix.as_mut()?.changes.first_mut()
    }

    /// Sets the directory of the `.skillignore`, below the root.
    pub(super) fn below(mut self, directory: &str) -> Self {
        if let Some(Change::AddLine { path, .. }) = self.change() {
            *path = super::path::join(directory, path);
        }
        self
    }

    /// Reports a file or directory that the system does not allow to be read.
    pub(super) fn unreadable(error: &io::Error, what: &str) -> Self {
        Self::new(
            &files::UNREADABLE,
            format!("cannot read {what}"),
            format!(
                "grant read permission: `chmod {} {FILE}`",
                if what.contains("directory") { "u+rx" } else { "u+r" }
            ),
        )
        .label(say(error))
    }

    /// Returns `true` if a link leads out of the root.
    pub(super) fn is_outside(&self) -> bool {
        self.0.rule.code == files::LINK_OUTSIDE.code
    }

    /// Returns the reason why a skill with this problem is passed over.
    pub(super) fn reason(&self) -> &'static str {
        if self.is_outside() { "behind a link out of the directory" } else { "that cannot be read" }
    }

    pub(super) fn into_help(self) -> String {
        self.0.help
    }

    /// Writes the paths of the commands in the help as they are typed where the command runs.
    pub(super) fn typed(mut self, sources: &SourceMap, path: &str) -> Self {
        if self.0.help.contains('{') {
            let path = if path == "." { "" } else { path };
            let word = |path: &str| match (path, sources.root.as_str()) {
                ("", "" | ".") => ".".to_owned(),
                ("", root) => shell_word(root).into_owned(),
                (path, _) => shell_word(&sources.shown(path)).into_owned(),
            };
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            let above = match word(directory) {
                here if here == "." => String::new(),
                directory => directory + "/",
            };
            let help = self.0.help.replace(FILE, &word(path)).replace(DIRECTORY, &above);
            let root = if matches!(sources.root.as_str(), "" | ".") { String::new() } else { word("") + "/" };
            self.0.help = help.replace(ROOT, &root);
        }
        self
    }

    /// Returns the diagnostic; `path` is the path of the place below the root.
    pub(super) fn into_diagnostic(mut self, span: Span, path: &str) -> Diagnostic {
        match self.change() {
            Some(Change::Rename { file, .. }) => *file = span,
            Some(Change::Write { path: file, .. }) => path.clone_into(file),
            _ => {}
        }
        Diagnostic { span, ..*self.0 }
    }
}

/// Formats an error of the system like a diagnostic: lower case, no number.
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
    fn system_errors_are_lower_case() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(say(&denied), "permission denied");
        assert_eq!(say(&io::Error::other("Strange Thing")), "strange thing");
    }
}
