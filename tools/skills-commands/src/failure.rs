//! The exit codes of the commands, and the functions that print errors on standard error.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use skills_install::InstallError;
use skills_registry::NotFound;
use skills_text::nearest;

use crate::terminal;

/// An exit code. An `Err` holds the exit code of a failure that was already reported.
pub type Ended = Result<ExitCode, ExitCode>;

/// Why a part of a command cannot be done, in words for the user. Nothing is printed yet: the caller knows whether it is
/// an error ([`error`]) or wrong usage ([`terminal::usage`]).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CommandError {
    /// A file or directory cannot be read.
    Unreadable(PathBuf, String),
    /// A file or directory cannot be written.
    Unwritable(PathBuf, String),
    /// Another reason.
    Refused(String),
}

impl CommandError {
    /// Takes over the text of another error.
    pub fn new(reason: impl Display) -> Self {
        Self::Refused(reason.to_string())
    }

    /// A file or directory cannot be read.
    pub fn unreadable(path: &Path, reason: impl Display) -> Self {
        Self::Unreadable(path.to_owned(), reason.to_string())
    }

    /// A file or directory cannot be written.
    pub fn unwritable(path: &Path, reason: impl Display) -> Self {
        Self::Unwritable(path.to_owned(), reason.to_string())
    }
}

impl Display for CommandError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, reason) => write!(f, "{}: {reason}", path.display()),
            Self::Unwritable(path, reason) => write!(f, "{} cannot be written: {reason}", path.display()),
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<String> for CommandError {
    fn from(reason: String) -> Self {
        Self::Refused(reason)
    }
}

impl From<&str> for CommandError {
    fn from(reason: &str) -> Self {
        Self::Refused(reason.to_owned())
    }
}

/// Prints why nothing, or not everything, was installed or removed.
pub fn installation(problem: &InstallError) -> ExitCode {
    match problem {
        InstallError::Unknown(missing) => not_found(missing),
        problem => error(problem),
    }
}

/// Prints that no skill has the given name, with at most three similar names.
pub fn not_found(missing: &NotFound) -> ExitCode {
    let mut others: Vec<&str> = missing.available.iter().map(String::as_str).collect();
    let mut near = Vec::new();
    while near.len() < 3
        && let Some(name) = nearest(&missing.name, others.iter().copied())
    {
        near.push(format!("`{name}`"));
        others.retain(|other| *other != name);
    }
    let code = error(missing);
    match (near.split_last(), missing.available.len()) {
        // The command has already said that it found no skills, or that they are not trusted.
        (_, 0) => {}
        (None, count) => {
            let shown = terminal::counted(count, "available skill");
            terminal::note(format_args!("no name is similar; `list` shows {shown}"));
        }
        (Some((last, [])), _) => terminal::line(&format!("did you mean {last}?")),
        (Some((last, others)), _) => {
            terminal::line(&format!("did you mean {} or {last}?", others.join(", ")));
        }
    }
    code
}

/// Returns the first exit code, or the second if the first means success.
pub fn first(code: ExitCode, other: ExitCode) -> ExitCode {
    if code == ExitCode::SUCCESS { other } else { code }
}

/// Prints an error; its text may have several lines.
pub fn error(problem: impl Display) -> ExitCode {
    terminal::error(problem);
    ExitCode::FAILURE
}
