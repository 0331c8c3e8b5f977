//! Exit codes of the commands. Prints errors of the engines on standard error and returns exit code 1.

use std::fmt::Display;
use std::process::ExitCode;

use skills_install::InstallError;
use skills_registry::NotFound;

use crate::terminal;

/// An exit code. An `Err` holds the exit code of a failure that was already reported.
pub type Ended = Result<ExitCode, ExitCode>;

/// Prints why nothing, or not everything, was installed or removed.
pub fn installation(problem: &InstallError) -> ExitCode {
    match problem {
        InstallError::Unknown(missing) => not_found(missing),
        problem => error(problem),
    }
}

/// Prints that no skill has the given name, with the names that exist and the most similar one.
pub fn not_found(missing: &NotFound) -> ExitCode {
    let names = if missing.available.is_empty() { "none".to_owned() } else { missing.available.join(", ") };
    terminal::line(&format!("{missing}. Available skills: {names}."));
    if let Some(near) = &missing.nearest {
        terminal::line(&format!("did you mean `{near}`?"));
    }
    ExitCode::FAILURE
}

/// Prints an error.
pub fn error(problem: impl Display) -> ExitCode {
    told(&format!("error: {problem}"))
}

/// Prints a reason line by line.
pub fn told(reason: &str) -> ExitCode {
    reason.lines().for_each(terminal::line);
    ExitCode::FAILURE
}
