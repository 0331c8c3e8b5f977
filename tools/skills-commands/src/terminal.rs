//! Writes to standard output and standard error without a panic if the reader has closed the pipe.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use skills_text::{is_hidden, push_visible, visible};

/// Writes text for people to standard output. Escapes control characters, so that names, paths and texts
/// cannot control the terminal.
pub fn text(text: &str) -> ExitCode {
    exact(&shown(text))
}

/// Writes JSON to standard output. Escapes characters that control a terminal, which keeps the values the
/// same.
pub fn json(text: &str) -> ExitCode {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => out.push(c),
            // Outside of strings, JSON contains no such characters.
            c if is_hidden(c) => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
            c => out.push(c),
        }
    }
    exact(&out)
}

/// Writes a diff to standard output: with escapes as [`text`] for people, and byte for byte for programs,
/// because they compare it with files.
pub fn diff(bytes: &[u8]) -> ExitCode {
    if std::io::stdout().is_terminal() { exact(&shown(&String::from_utf8_lossy(bytes))) } else { raw(bytes) }
}

/// Returns lines with control characters escaped for a terminal.
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

/// Returns the width of the terminal on standard output: the value of `COLUMNS`, or else the width that the
/// terminal reports. Returns `None` for a pipe, for a file, and for a terminal that does not report its
/// width.
pub fn columns() -> Option<usize> {
    let stdout = std::io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let own = || terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0));
    said.filter(|columns| *columns > 0).or_else(own)
}

/// Writes trusted text, which this command or the printer of a report made, to standard output without
/// escapes. Reports a failure and returns its exit code.
pub fn exact(text: &str) -> ExitCode {
    raw(text.as_bytes())
}

fn raw(bytes: &[u8]) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe (`skills list | head`) is the reader's choice and not an error.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            problem(&format!("error: standard output cannot be written: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes lines to standard error with control characters escaped.
pub fn problem(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", shown(text));
}

/// Writes one line to standard error. Escapes control characters in names and paths.
pub fn line(text: &str) {
    problem(&visible(text));
}

/// Returns `true` if standard output has colours, by the conventions that clap's help also follows: never
/// with `NO_COLOR`, always with `CLICOLOR_FORCE`, otherwise on a terminal that supports colours unless
/// `CLICOLOR` is 0.
pub fn has_colours() -> bool {
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

/// Returns a count with its noun.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Prints a usage error of a command.
pub fn usage(reason: impl Display) -> ExitCode {
    line(&format!("error: {reason}"));
    ExitCode::from(2)
}
