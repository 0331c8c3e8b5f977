//! Asks for missing arguments if a person sits at a terminal.

use std::io::{self, BufRead, IsTerminal, Write};

/// Returns `true` if a person can be asked.
pub(crate) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks until the answer is valid. An empty answer selects the default, if there is one. The end of the input
/// is an error.
pub(crate) fn ask<T>(
    question: &str,
    default: Option<&str>,
    take: impl Fn(&str) -> Result<T, String>,
) -> Result<T, String> {
    let mut out = io::stderr();
    loop {
        let shown = default.map(|default| format!(" [{default}]")).unwrap_or_default();
        let mut answer = String::new();
        let asked = write!(out, "{question}{shown}: ").and_then(|()| out.flush());
        let read = asked.and_then(|()| io::stdin().lock().read_line(&mut answer));
        if read.map_err(|error| error.to_string())? == 0 {
            return Err("nothing was written: there was no answer".into());
        }
        let answer = answer.trim();
        match take(if answer.is_empty() { default.unwrap_or_default() } else { answer }) {
            Ok(taken) => return Ok(taken),
            Err(problem) => skills_commands::terminal::error(problem),
        }
    }
}
