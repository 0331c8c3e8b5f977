//! The reasons why skills are not fetched, added, updated or removed.

use std::fmt;
use std::io;

/// The reason why a step of this crate failed. Nothing was changed unless the text says so.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// The text does not name a source: wrong usage.
    Usage(String),
    /// The source does not exist, or has no such revision, directory or skill.
    Missing(String),
    /// The source or a skill breaks a rule that keeps the project safe.
    Refused(String),
    /// `git` or `cargo` failed, with the text that it printed.
    Program(String),
    /// The files of the project do not allow the change: they were edited, or belong to another source.
    Conflict(String),
    /// The lock file is damaged.
    Lock(String),
    /// A file of the project cannot be read or written.
    Io(String, io::Error),
}

impl SourceError {
    /// Returns a function that adds the path to an error of the system.
    pub(crate) fn io(path: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io(path, error)
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text)
            | Self::Missing(text)
            | Self::Refused(text)
            | Self::Program(text)
            | Self::Conflict(text) => f.write_str(text),
            Self::Lock(text) => write!(f, "skills.lock: {text}"),
            Self::Io(path, error) => write!(f, "{path}: {error}"),
        }
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(_, error) => Some(error),
            _ => None,
        }
    }
}
