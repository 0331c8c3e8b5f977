//! Reports the problems of layers: converts diagnostics of `skills_core`, and explains why skills are inactive.

use std::fmt;
use std::path::{Path, PathBuf};

use skills_core::diagnostic::Diagnostic;
use skills_core::level;
use skills_core::print::cargo;
use skills_core::rule::frontmatter::YAML_UNQUOTED_COLON;
use skills_core::span::SourceMap;
use skills_registry::Skill;
use skills_runtime::layers::{Layers, Level, Problem};
use skills_text::shell_path;

use crate::trust::TrustReason;

/// Converts a diagnostic, so that it can be shown without the source texts.
pub(super) fn from_diagnostic(diagnostic: &Diagnostic, sources: &SourceMap) -> Problem {
    let (start, _) = sources.positions(diagnostic.span);
    let level = match diagnostic.level {
        level::Level::Error => Level::Error,
        level::Level::Warning | level::Level::Allow => Level::Warning,
    };
    let mut shown = cargo::line(diagnostic, sources);
    if level == Level::Warning && diagnostic.rule.code == YAML_UNQUOTED_COLON.code {
        shown.push_str("; repaired: the value was read as if it were quoted");
    }
    let path = sources.display_path(diagnostic.span);
    let mut problem = Problem::new(level, diagnostic.rule.code, &path, diagnostic.title.clone());
    (problem.line, problem.column) = (start.line, start.column);
    problem.help.clone_from(&diagnostic.help);
    problem.shown = shown;
    problem
}

/// Reports that a skill is inactive since the required key has not signed its current files.
pub(super) fn report_unsigned(skill: Skill<'_>, reason: &str) -> Problem {
    let reason = reason.lines().collect::<Vec<_>>().join(", ");
    let title = format!("`{}` is refused: {reason}", skill.name());
    Problem::new(Level::Error, "signature-refused", skill.location(), title)
}

/// Reports that skills of a workspace are inactive, with the command to trust them.
///
/// Each skill is given by its directory and the reason.
pub(super) fn report_untrusted(root: &Path, untrusted: &[(PathBuf, &TrustReason)]) -> Option<Problem> {
    let changed = untrusted.iter().find_map(|(_, why)| match why {
        TrustReason::Changed(changed) => Some(changed),
        _ => None,
    });
    let lost = untrusted.iter().find_map(|(_, why)| match why {
        TrustReason::NotFollowed(lost) => Some(lost),
        _ => None,
    });
    let (skills, so) =
        match untrusted.iter().filter(|(_, why)| !matches!(why, TrustReason::Unsigned(_))).count() {
            0 => return None,
            1 => ("1 skill is".to_owned(), "does nothing"),
            count => (format!("{count} skills are"), "do nothing"),
        };
    let say = name_command(root, untrusted);
    let (level, title) = match changed {
        None if lost.is_some() => {
            // The reason names the command.
            (Level::Warning, format!("{skills} not trusted, and {so}: {}", lost.map_or("", String::as_str)))
        }
        None => (Level::Note, format!("{skills} not trusted, and {so}; {say}")),
        Some(changed) => {
            let changed = changed.lines().collect::<Vec<_>>().join(", ");
            let title = format!("{skills} not trusted any more, since files have changed ({changed}); {say}");
            (Level::Warning, title)
        }
    };
    Some(Problem::new(level, "skill-untrusted", &root.to_string_lossy(), title))
}

/// Returns the command that trusts the skills. Skills of other people are trusted one by one, since trusting the whole
/// directory would end the trust in later edits of the others.
fn name_command(root: &Path, untrusted: &[(PathBuf, &TrustReason)]) -> String {
    let is_each_foreign =
        untrusted.iter().all(|(_, why)| matches!(why, TrustReason::Added { .. } | TrustReason::Excluded));
    match untrusted {
        [(own, _)] if is_each_foreign => format!("`skills trust {}` allows it", shell_path(own)),
        [_] => format!("`skills trust {}` allows it", shell_path(root)),
        _ if is_each_foreign => "`skills trust DIR` allows each of them".to_owned(),
        _ => format!("`skills trust {}` allows them", shell_path(root)),
    }
}

/// Reports that a workspace has lost all its trusted skills, with the command to type.
pub(super) fn report_lost(root: &Path, changed: &str) -> Problem {
    let changed = changed.lines().collect::<Vec<_>>().join(", ");
    let say = shell_path(root);
    let title = format!(
        "the trusted skills no longer exist, since files have changed ({changed}); review the skills \
         that are there now, then allow them with `skills trust {say}`"
    );
    Problem::new(Level::Warning, "skill-untrusted", &root.to_string_lossy(), title)
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
    /// use skills_load::LayersBuilder;
    /// let skills = LayersBuilder::new().directory("skills").load().unwrap_or_else(|error| {
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
