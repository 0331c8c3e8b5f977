//! Standard output and error, written without a panic when the reader has gone.

use std::io::{IsTerminal, Write};

/// Writes data to standard output.
pub(crate) fn data(text: &str) {
    // A closed pipe (`skills list | head`) is the reader's choice, not a fault.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Writes a line to standard error.
pub(crate) fn problem(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Tells whether standard output shows colours: it is a terminal, and `NO_COLOR` is not set.
pub(crate) fn has_colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
