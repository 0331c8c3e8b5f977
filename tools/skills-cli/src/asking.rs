//! Asks a person at a terminal for missing arguments, and for agreement.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use skills_commands::failure::{self, CommandError};
use skills_commands::terminal;

/// Returns `true` if a person can be asked.
pub(crate) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks until the answer is valid. An empty answer selects the default, if there is one. The end of the input
/// is an error.
pub(crate) fn ask<T>(
    question: &str,
    default: Option<&str>,
    take: impl Fn(&str) -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    let mut out = io::stderr();
    loop {
        let shown = default.map(|default| format!(" [{default}]")).unwrap_or_default();
        let mut answer = String::new();
        let asked = write!(out, "{question}{shown}: ").and_then(|()| out.flush());
        let read = asked.and_then(|()| io::stdin().lock().read_line(&mut answer));
        if read.map_err(CommandError::new)? == 0 {
            return Err("nothing was written: there was no answer".into());
        }
        let answer = answer.trim();
        match take(if answer.is_empty() { default.unwrap_or_default() } else { answer }) {
            Ok(taken) => return Ok(taken),
            Err(problem) => terminal::error(problem),
        }
    }
}

/// Asks the user whether to write the changes that were shown, unless `yes` is set.
pub(crate) fn confirm(yes: bool) -> Result<(), ExitCode> {
    if yes || agrees("Write this?").map_err(terminal::usage)? {
        return Ok(());
    }
    Err(failure::error("nothing was written"))
}

/// Asks the user a question whose default answer is no.
pub(crate) fn agrees(question: &str) -> Result<bool, CommandError> {
    if !io::stdin().is_terminal() {
        return Err("standard input is not a terminal, so the changes cannot be confirmed: pass `--yes` to write them".into());
    }
    let mut out = io::stderr();
    let mut answer = String::new();
    let asked = write!(out, "{question} [y/N] ").and_then(|()| out.flush());
    asked.and_then(|()| io::stdin().lock().read_line(&mut answer)).map_err(CommandError::new)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
