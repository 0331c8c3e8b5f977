//! The problems of layers: of skills that were read, and of skills that have no effect.

use std::fmt;

use skills_text::visible;

use super::Found;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Not a mistake, but useful to know if a skill is not the expected one.
    Note,
    /// The skill was loaded anyway.
    Warning,
    /// A skill, or a directory, was left out.
    Error,
}

skills_text::__named!(Level, "level", { Note = "note", Warning = "warning", Error = "error" });

/// A problem of the skills, with its position.
///
/// Its `Display` is one line without control characters: `path:line:col: message (help)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Problem {
    /// The severity.
    pub level: Level,
    /// The rule, such as `yaml-syntax`; `skills explain CODE` describes it. `skill-shadowed`,
    /// `skill-untrusted`, `signature-refused`, `trust-unreadable` and `root-repeated` occur only for layers.
    pub code: &'static str,
    /// The file, starting with its directory as the program named it; `skill://…` for a skill of the bundle.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The message.
    pub title: String,
    /// A suggestion; may be empty or have several lines.
    pub help: String,
    /// The line that `Display` writes.
    #[doc(hidden)]
    pub shown: String,
}

impl Problem {
    /// Creates a problem of a whole path.
    pub fn new(level: Level, code: &'static str, path: &str, title: String) -> Self {
        let shown = format!("{}:1:1: {}", visible(path), visible(&title));
        Self { level, code, path: path.to_owned(), line: 1, column: 1, title, help: String::new(), shown }
    }

    /// Reports that a skill is hidden by a skill of a higher layer.
    pub fn shadowed(lost: Found<'_>, won: Found<'_>) -> Self {
        let (name, winner) = (lost.skill.name(), won.skill.name());
        let title = format!("`{name}` of {} is shadowed by `{winner}` of {}", lost.origin, won.origin);
        Self::new(Level::Note, "skill-shadowed", lost.skill.location(), title)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown)
    }
}
