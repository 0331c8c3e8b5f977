//! Standard output and error, written without a panic when the reader has gone.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use skills_registry::visible;

/// Writes data to standard output; a failure is told and is the exit code.
pub(crate) fn data(text: &str) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe (`skills list | head`) is the reader's choice, not a fault.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            problem(&format!("error: standard output cannot be written: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes lines to standard error, as they are.
pub(crate) fn problem(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes one line to standard error: names and paths in it must not reach the terminal with control characters.
pub(crate) fn line(text: &str) {
    problem(&visible(text));
}

/// Tells whether standard output shows colours: it is a terminal, and `NO_COLOR` is not set.
#[cfg(feature = "standalone")]
pub(crate) fn has_colours() -> bool {
    std::io::IsTerminal::is_terminal(&std::io::stdout())
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Tells what is wrong with the use of a command.
pub(crate) fn usage(reason: String) -> ExitCode {
    line(&format!("error: {reason}"));
    ExitCode::from(2)
}
