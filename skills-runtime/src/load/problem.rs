//! A diagnostic of `skills_core` becomes a [`Problem`], which needs no source texts to be shown.

use std::fmt;
use std::path::Path;

use skills_core::diagnostic::Diagnostic;
use skills_core::level;
use skills_core::print::{cargo, visible};
use skills_core::rule::frontmatter::YAML_UNQUOTED_COLON;
use skills_core::span::SourceMap;
use skills_registry::{Skill, shell_path};

use super::found::Found;
use crate::trust::{Doubt, Word};

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing is wrong; worth knowing when a skill is not the expected one.
    Note,
    /// The skill was loaded all the same.
    Warning,
    /// A skill, or a directory, was left out.
    Error,
}

impl Level {
    /// Returns the word that reports use: `note`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing that is wrong with the skills, at its place (SPEC 1.7).
///
/// Its `Display` is one line: `path:line:col: what is wrong (what to type)`, without control characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// How much it matters.
    pub level: Level,
    /// The rule, such as `yaml-syntax`; `skills explain CODE` says more. `skill-shadowed`, `skill-untrusted`,
    /// `signature-refused`, `trust-unreadable` and `root-repeated` are said of layers only.
    pub code: &'static str,
    /// The file, led by its directory as the program named it; `skill://…` for a skill of the bundle.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub title: String,
    /// What to type; may have several lines, or none.
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

    /// Says that a skill is hidden by one of a higher layer (SPEC 1.6).
    pub(super) fn shadowed(lost: Found<'_>, won: Found<'_>) -> Self {
        let (name, winner) = (lost.skill.name(), won.skill.name());
        let title = format!("`{name}` of {} is shadowed by `{winner}` of {}", lost.origin, won.origin);
        Self::at(Level::Note, "skill-shadowed", lost.skill.location(), title)
    }

    /// Says that a skill does nothing since it is not what the key has signed that is required (SPEC 14.6).
    pub(super) fn unsigned(skill: Skill<'_>, reason: &str) -> Self {
        let reason = reason.lines().collect::<Vec<_>>().join(", ");
        let title = format!("`{}` is refused: {reason}", skill.name());
        Self::at(Level::Error, "signature-refused", skill.location(), title)
    }

    /// Says that skills of a workspace do nothing, and what to type (SPEC 14.10).
    pub(super) fn untrusted(root: &Path, words: &[&Word]) -> Option<Self> {
        let is_unsaid = |word: &&&Word| !matches!(word.why, Doubt::Unsigned(_));
        let changed = words.iter().find_map(|word| match &word.why {
            Doubt::Changed(changed) => Some(changed),
            _ => None,
        });
        let (skills, so) = match words.iter().filter(is_unsaid).count() {
            0 => return None,
            1 => ("1 skill is".to_owned(), "does nothing"),
            count => (format!("{count} skills are"), "do nothing"),
        };
        let say = format!("`skills trust {}` says that they may run", shell_path(root));
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

    /// Says that a workspace has none of the skills any more that were trusted, and what to type (SPEC 14.12).
    pub(super) fn lost(root: &Path, changed: &str) -> Self {
        let changed = changed.lines().collect::<Vec<_>>().join(", ");
        let say = shell_path(root);
        let title = format!(
            "no skill is left of those that were trusted, since files have changed ({changed}); `skills trust {say}` says \
             that what is there may run"
        );
        Self::at(Level::Warning, "skill-untrusted", &root.to_string_lossy(), title)
    }

    /// Says something of a path as a whole.
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
