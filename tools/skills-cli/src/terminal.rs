//! Standard output and error, written without a panic when the reader has gone.

#[cfg(feature = "standalone")]
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use skills_registry::{is_hidden, push_visible, visible};

/// Writes text for people to standard output: names, paths and texts in it must not reach a terminal with what controls it
/// (SPEC 12.9).
pub(crate) fn text(text: &str) -> ExitCode {
    exact(&shown(text))
}

/// Writes JSON to standard output: the same values, with escapes for what controls a terminal.
pub(crate) fn json(text: &str) -> ExitCode {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => out.push(c),
            // Outside of its strings JSON has none of these.
            c if is_hidden(c) => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
            c => out.push(c),
        }
    }
    exact(&out)
}

/// Writes a diff to standard output: for people as [`text`], for programs to the byte, since they compare it with files.
pub(crate) fn diff(text: &str) -> ExitCode {
    if std::io::stdout().is_terminal() { exact(&shown(text)) } else { exact(text) }
}

/// Returns lines as a terminal may show them.
fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c => push_visible(&mut out, c),
        }
    }
    out
}

/// Returns how many columns the terminal has that standard output is: as many as `COLUMNS` says, else as many as it says
/// itself. Nothing for a pipe or a file, and for a terminal that does not say (SPEC 11.15).
pub(crate) fn columns() -> Option<usize> {
    let stdout = std::io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let own = || terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0));
    said.filter(|columns| *columns > 0).or_else(own)
}

/// Writes to standard output what holds nothing but what this command, or the printer of a report, made; a failure is told
/// and is the exit code.
pub(crate) fn exact(text: &str) -> ExitCode {
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

/// Writes lines to standard error, as a terminal may show them (SPEC 12.9).
pub(crate) fn problem(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", shown(text));
}

/// Writes one line to standard error: names and paths in it must not reach the terminal with control characters.
pub(crate) fn line(text: &str) {
    problem(&visible(text));
}

/// Returns `true` if what goes to standard output has colours, by the conventions that the help of the command follows, too:
/// never with `NO_COLOR`, always with `CLICOLOR_FORCE`, else on a terminal that shows them unless `CLICOLOR` is 0.
#[cfg(feature = "standalone")]
pub(crate) fn has_colours() -> bool {
    let is =
        |variable, wanted: fn(&OsStr) -> bool| std::env::var_os(variable).is_some_and(|set| wanted(&set));
    if is("NO_COLOR", |set| !set.is_empty()) {
        return false;
    }
    if is("CLICOLOR_FORCE", |set| set != "0") {
        return true;
    }
    !is("CLICOLOR", |set| set == "0") && !is("TERM", |set| set == "dumb") && std::io::stdout().is_terminal()
}

/// Writes how many there are of something.
#[cfg(feature = "standalone")]
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Tells what is wrong with the use of a command.
pub(crate) fn usage(reason: impl Display) -> ExitCode {
    line(&format!("error: {reason}"));
    ExitCode::from(2)
}
