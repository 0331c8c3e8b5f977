//! The exit codes of the commands, and the functions that print errors on standard error.

use std::fmt::Display;
use std::process::ExitCode;

use skills_install::InstallError;
use skills_registry::NotFound;
use skills_text::nearest;

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
            terminal::note(format_args!("no name is similar; `skills list` shows {shown}"));
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
