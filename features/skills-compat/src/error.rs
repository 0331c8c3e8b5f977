//! The error type of this module.

use std::fmt;
use std::path::PathBuf;

use skills_exec::NotRun;
use skills_registry::NotFound;

use skills_load::{Problem, Unreadable};

/// The reason why a record could not be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompatError {
    /// A directory exists but cannot be read: `read skills dir D: …`.
    Unreadable(Unreadable),
    /// No skill has the name: `skill not found: X`.
    NotFound(NotFound),
    /// The program was not started.
    NotRun(NotRun),
    /// The directory has no `SKILL.md`, or none that can be loaded.
    NoSkill {
        /// The directory.
        directory: PathBuf,
        /// The reasons, if there is a `SKILL.md`.
        problems: Vec<Problem>,
    },
}

impl fmt::Display for CompatError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(formatter),
            Self::NotFound(error) => error.fmt(formatter),
            Self::NotRun(error) => error.fmt(formatter),
            Self::NoSkill { directory, problems } => {
                write!(formatter, "no skill in {}", directory.display())?;
                problems.iter().try_for_each(|problem| write!(formatter, "\n{problem}"))
            }
        }
    }
}

impl std::error::Error for CompatError {}

impl From<Unreadable> for CompatError {
    fn from(error: Unreadable) -> Self {
        Self::Unreadable(error)
    }
}

impl From<NotRun> for CompatError {
    fn from(error: NotRun) -> Self {
        Self::NotRun(error)
    }
}

impl From<NotFound> for CompatError {
    fn from(error: NotFound) -> Self {
        Self::NotFound(error)
    }
}
