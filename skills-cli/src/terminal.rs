//! Standard output and error, written without a panic when the reader has gone.

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

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

/// Writes a line to standard error.
pub(crate) fn problem(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Tells whether standard output shows colours: it is a terminal, and `NO_COLOR` is not set.
pub(crate) fn has_colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
