//! Errors of the engines become text on standard error and exit code 1 (SPEC 8.3, 11.1).

use std::process::ExitCode;

use skills_registry::NotFound;
use skills_runtime::install::InstallError;

use crate::terminal;

/// Tells why nothing, or not everything, was installed or removed.
pub(crate) fn installation(error: &InstallError) -> ExitCode {
    match error {
        InstallError::Unknown(missing) => not_found(missing),
        error => told(&format!("error: {error}")),
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

/// Tells a reason, line by line.
pub(crate) fn told(reason: &str) -> ExitCode {
    reason.lines().for_each(terminal::line);
    ExitCode::FAILURE
}
