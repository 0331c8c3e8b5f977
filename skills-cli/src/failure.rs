//! Errors of the engines become text on standard error and exit code 1 (SPEC 8.3, 11.1).

use std::process::ExitCode;

use skills_core::print::visible;
use skills_registry::NotFound;
use skills_runtime::install::InstallError;

use crate::terminal;

/// Tells why nothing, or not everything, was installed or removed.
pub(crate) fn installation(error: &InstallError) -> ExitCode {
    match error {
        InstallError::Unknown(missing) => not_found(missing),
        error => {
            terminal::problem(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Tells that no skill has a name, which there are, and which is probably meant (SPEC 8.3).
pub(crate) fn not_found(missing: &NotFound) -> ExitCode {
    let names = if missing.available.is_empty() { "none".to_owned() } else { missing.available.join(", ") };
    terminal::problem(&visible(&format!("{missing}. Available skills: {names}.")));
    if let Some(near) = &missing.nearest {
        terminal::problem(&visible(&format!("did you mean `{near}`?")));
    }
    ExitCode::FAILURE
}
