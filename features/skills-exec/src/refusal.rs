//! The reasons why a skill is not run, with the stable codes and texts that callers rely on.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// The reason why no process was started. `Display` prints `code: detail`.
///
/// ```
/// use skills_exec::Refusal;
/// let refusal = Refusal::ExecNotFound { name: "pdf".into(), path: "/skills/pdf/run.sh".into() };
/// assert_eq!(refusal.code(), "exec_not_found");
/// assert_eq!(refusal.to_string(), r#"exec_not_found: skill "pdf" exec binary not found at /skills/pdf/run.sh"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The skill is prose (tier 0).
    NotExecutable {
        /// The skill's name.
        name: String,
        /// The skill's directory.
        directory: PathBuf,
        /// Whether it has a `SKILL.md`. Otherwise it is a function with only a `skill.json`.
        has_document: bool,
    },
    /// The skill has scripts and names none of them as its `exec` (tier 1).
    NoCanonicalEntryPoint {
        /// The skill's name.
        name: String,
    },
    /// `exec` names a file that does not exist.
    ExecNotFound {
        /// The skill's name.
        name: String,
        /// Where the file was looked for.
        path: PathBuf,
    },
    /// A time limit cannot be parsed or is out of range.
    InvalidTimeout {
        /// The limit as it was given.
        text: String,
    },
}

impl Refusal {
    /// Returns the machine-readable code: `not_executable`, `no_canonical_entry_point`, `exec_not_found` or
    /// `invalid_timeout`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotExecutable { .. } => "not_executable",
            Self::NoCanonicalEntryPoint { .. } => "no_canonical_entry_point",
            Self::ExecNotFound { .. } => "exec_not_found",
            Self::InvalidTimeout { .. } => "invalid_timeout",
        }
    }

    /// Returns the text after the code.
    pub fn detail(&self) -> String {
        match self {
            Self::NotExecutable { name, directory, has_document: false } => format!(
                "skill \"{name}\" is tier-0 (no program). Read its skill.json at {}/skill.json and call it as a function.",
                shown(directory)
            ),
            Self::NotExecutable { name, directory, .. } => format!(
                "skill \"{name}\" is tier-0 (prose-only). Read its SKILL.md at {}/SKILL.md and act per its \
                 instructions.",
                shown(directory)
            ),
            Self::NoCanonicalEntryPoint { name } => format!(
                "skill \"{name}\" is tier-1 (scripts present but no canonical exec declared in SKILL.md \
                 frontmatter). Promote to tier-2 by adding an exec: field."
            ),
            Self::ExecNotFound { name, path } => {
                format!("skill \"{name}\" exec binary not found at {}", path.display())
            }
            Self::InvalidTimeout { text } => format!(
                "{text:?} is not a time limit: give milliseconds or a duration above zero, such as \"300ms\", \"1.5s\", \
                 \"5m\" or \"1h30m\""
            ),
        }
    }
}

fn shown(directory: &Path) -> String {
    let text = directory.display().to_string();
    text.strip_suffix('/').map_or(text.clone(), str::to_owned)
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code(), self.detail())
    }
}

impl Error for Refusal {}
