//! Converts a diagnostic of `skills_core` to a [`Problem`], which can be shown without the source texts.

use std::fmt;
use std::path::Path;

use skills_core::diagnostic::Diagnostic;
use skills_core::level;
use skills_core::print::{cargo, visible};
use skills_core::rule::frontmatter::YAML_UNQUOTED_COLON;
use skills_core::span::SourceMap;
use skills_registry::Skill;
use skills_text::shell_path;

use super::found::Found;
use super::layers::Layers;
use crate::trust::{TrustDecision, TrustReason};

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not a mistake, but useful to know if a skill is not the expected one.
    Note,
    /// The skill was loaded anyway.
    Warning,
    /// A skill, or a directory, was left out.
    Error,
}

impl Level {
    /// Returns the name in reports: `note`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A problem of the skills, with its position.
///
/// Its `Display` is one line without control characters: `path:line:col: message (help)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    shown: String,
}

impl Problem {
    pub(super) fn of(diagnostic: &Diagnostic, sources: &SourceMap) -> Self {
        let (start, _) = sources.positions(diagnostic.span);
        let level = match diagnostic.level {
            level::Level::Error => Level::Error,
            level::Level::Warning | level::Level::Allow => Level::Warning,
        };
        let mut shown = cargo::line(diagnostic, sources);
        if level == Level::Warning && diagnostic.rule.code == YAML_UNQUOTED_COLON.code {
            shown.push_str("; repaired: the value was read as if it were quoted");
        }
        Self {
            level,
            code: diagnostic.rule.code,
            path: sources.display_path(diagnostic.span),
            line: start.line,
            column: start.column,
            title: diagnostic.title.clone(),
            help: diagnostic.help.clone(),
            shown,
        }
    }

    /// Reports that a skill is hidden by a skill of a higher layer.
    pub(super) fn shadowed(lost: Found<'_>, won: Found<'_>) -> Self {
        let (name, winner) = (lost.skill.name(), won.skill.name());
        let title = format!("`{name}` of {} is shadowed by `{winner}` of {}", lost.origin, won.origin);
        Self::at(Level::Note, "skill-shadowed", lost.skill.location(), title)
    }

    /// Reports that a skill is inactive since the required key has not signed its current files.
    pub(super) fn unsigned(skill: Skill<'_>, reason: &str) -> Self {
        let reason = reason.lines().collect::<Vec<_>>().join(", ");
        let title = format!("`{}` is refused: {reason}", skill.name());
        Self::at(Level::Error, "signature-refused", skill.location(), title)
    }

    /// Reports that skills of a workspace are inactive, with the command to trust them.
    pub(super) fn untrusted(root: &Path, decisions: &[&TrustDecision]) -> Option<Self> {
        let changed = decisions.iter().find_map(|decision| match &decision.why {
            TrustReason::Changed(changed) => Some(changed),
            _ => None,
        });
        let (skills, so, them) = match decisions
            .iter()
            .filter(|decision| !matches!(decision.why, TrustReason::Unsigned(_)))
            .count()
        {
            0 => return None,
            1 => ("1 skill is".to_owned(), "does nothing", "it"),
            count => (format!("{count} skills are"), "do nothing", "them"),
        };
        let say = format!("`skills trust {}` allows {them}", shell_path(root));
        let (level, title) = match changed {
            None => (Level::Note, format!("{skills} not trusted, and {so}; {say}")),
            Some(changed) => {
                let changed = changed.lines().collect::<Vec<_>>().join(", ");
                let title =
                    format!("{skills} not trusted any more, since files have changed ({changed}); {say}");
                (Level::Warning, title)
            }
        };
        Some(Self::at(level, "skill-untrusted", &root.to_string_lossy(), title))
    }

    /// Reports that a workspace has lost all its trusted skills, with the command to type.
    pub(super) fn lost(root: &Path, changed: &str) -> Self {
        let changed = changed.lines().collect::<Vec<_>>().join(", ");
        let say = shell_path(root);
        let title = format!(
            "the trusted skills no longer exist, since files have changed ({changed}); review the skills \
             that are there now, then allow them with `skills trust {say}`"
        );
        Self::at(Level::Warning, "skill-untrusted", &root.to_string_lossy(), title)
    }

    /// Creates a problem of a whole path.
    pub(super) fn at(level: Level, code: &'static str, path: &str, title: String) -> Self {
        let shown = format!("{}:1:1: {}", visible(path), visible(&title));
        Self { level, code, path: path.to_owned(), line: 1, column: 1, title, help: String::new(), shown }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown)
    }
}

/// The error when existing directories could not be read.
///
/// Its `Display` is `read skills dir D: …` for each of them. [`into_layers`](Self::into_layers) returns the
/// contents of the other directories.
#[derive(Debug)]
pub struct Unreadable {
    pub(super) problems: Vec<Problem>,
    pub(super) layers: Box<Layers>,
}

impl Unreadable {
    /// Returns a problem for each directory.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the layers that could be read.
    ///
    /// ```
    /// use skills_load::{Layers, Unreadable};
    /// let skills = Layers::builder().directory("skills").load().unwrap_or_else(|error| {
    ///     eprintln!("{error}");
    ///     error.into_layers()
    /// });
    /// ```
    pub fn into_layers(self) -> Layers {
        *self.layers
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            let comma = if at == 0 { "" } else { "; " };
            write!(formatter, "{comma}{}", problem.title)?;
        }
        Ok(())
    }
}

impl std::error::Error for Unreadable {}
