//! How a command ends, and errors of the engines as text on standard error with exit code 1 (SPEC 8.3, 11.1).

use std::fmt::Display;
use std::process::ExitCode;

use skills_install::InstallError;
use skills_registry::NotFound;

use crate::terminal;

/// An exit code; as an error it is that of a failure whose reason is told already.
pub(crate) type Ended = Result<ExitCode, ExitCode>;

/// Tells why nothing, or not everything, was installed or removed.
pub(crate) fn installation(problem: &InstallError) -> ExitCode {
    match problem {
        InstallError::Unknown(missing) => not_found(missing),
        problem => error(problem),
    }
}

/// Tells that no skill has a name, which there are, and which is probably meant (SPEC 8.3).
pub(crate) fn not_found(missing: &NotFound) -> ExitCode {
    let names = if missing.available.is_empty() { "none".to_owned() } else { missing.available.join(", ") };
    terminal::line(&format!("{missing}. Available skills: {names}."));
    if let Some(near) = &missing.nearest {
        terminal::line(&format!("did you mean `{near}`?"));
    }
    ExitCode::FAILURE
}

/// Tells an error.
pub(crate) fn error(problem: impl Display) -> ExitCode {
    told(&format!("error: {problem}"))
}

/// Tells a reason, line by line.
pub(crate) fn told(reason: &str) -> ExitCode {
    reason.lines().for_each(terminal::line);
    ExitCode::FAILURE
}
