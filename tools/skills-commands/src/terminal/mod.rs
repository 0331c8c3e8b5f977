//! The output of all commands: writes to standard output and standard error without a panic if the reader has closed the
//! pipe, in the colours and the width of the terminal. On a terminal, lines can change while a command works.

pub mod look;
pub mod table;

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use skills_text::{is_hidden, push_visible, visible};

pub use look::{Ink, Tone, columns, has_colours, is_quiet, is_verbose};
use table::{fit, wrap};

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

/// Writes a diff to standard output. For people, it has colours and escapes like [`text`]. For programs it is
/// written byte for byte, because they compare it with files.
pub fn diff(bytes: &[u8]) -> ExitCode {
    let ink = Ink::of_output();
    if columns().is_none() && !has_colours() {
        return raw(bytes);
    }
    let mut out = String::with_capacity(bytes.len());
    for line in String::from_utf8_lossy(bytes).lines() {
        let tone = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'd', b'i', b'f', b'f', ..] => Tone::Name,
            [b'@', b'@', ..] => Tone::Note,
            [b'+', ..] => Tone::Good,
            [b'-', ..] => Tone::Error,
            _ => Tone::Plain,
        };
        out.push_str(&ink.paint(tone, &shown(line)));
        out.push('\n');
    }
    exact(&out)
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

/// Writes trusted text, which this command or the printer of a report made, to standard output without
/// escapes. Reports a failure and returns its exit code.
pub fn exact(text: &str) -> ExitCode {
    raw(text.as_bytes())
}

fn raw(bytes: &[u8]) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // A pipe that the reader has closed (`skills list | head`) is not an error.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            self::error(format_args!("standard output cannot be written: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Clears the terminal on standard output. Does nothing in a pipe.
pub fn clear() {
    if std::io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb") {
        exact("\u{1b}[2J\u{1b}[3J\u{1b}[H");
    }
}

/// Writes lines to standard error with control characters escaped.
fn stderr(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes a report to standard error, which may have several lines.
pub fn problem(text: &str) {
    stderr(&shown(text));
}

/// Writes one line to standard error. Escapes control characters in names and paths.
pub fn line(text: &str) {
    stderr(&wrap(&visible(text), look::columns_of_errors(), 2));
}

/// Writes a line that says what a command has done or is doing, unless the output is quiet.
pub fn status(text: &str) {
    if !is_quiet() {
        line(text);
    }
}

/// Prints something that a user may not expect, unless the output is quiet.
pub fn note(text: impl Display) {
    if !is_quiet() {
        say(Tone::Note, "note", &text.to_string());
    }
}

/// Prints a warning.
pub fn warning(text: impl Display) {
    say(Tone::Warning, "warning", &text.to_string());
}

/// Prints an error; its text may have several lines.
pub fn error(text: impl Display) {
    say(Tone::Error, "error", &text.to_string());
}

/// Prints lines that start with a word. Escapes control characters in names and paths.
fn say(tone: Tone, word: &str, text: &str) {
    let (columns, ink) = (look::columns_of_errors(), Ink::of_errors());
    let text = format!("{word}: {text}");
    let lines: Vec<String> = text.lines().map(|line| wrap(&visible(line), columns, 2)).collect();
    let lines = lines.join("\n");
    let rest = lines.strip_prefix(word).unwrap_or(&lines);
    stderr(&format!("{}{rest}", ink.paint(tone, word)));
}

/// Returns a count with its noun.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Prints a usage error of a command.
pub fn usage(reason: impl Display) -> ExitCode {
    error(reason);
    ExitCode::from(2)
}

/// The width of a terminal that does not report its width.
const DEFAULT_COLUMNS: usize = 80;

/// Returns `true` if lines on standard error can change: it is a terminal that can erase lines, and the output
/// is not quiet.
pub fn can_change_lines() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && !is_dumb && !is_quiet()
}

/// The lines that are shown now on standard error.
#[derive(Debug, Default)]
pub struct Live {
    shown: usize,
}

impl Live {
    /// Erases the shown lines, writes lines that stay, and shows other lines below them. The lines must not
    /// contain control characters.
    pub fn show(&mut self, staying: &[String], lines: &[String]) {
        let columns = look::columns_of_errors().unwrap_or(DEFAULT_COLUMNS);
        let out = self.drawn(staying, lines, columns);
        let mut stderr = std::io::stderr().lock();
        // If standard error cannot be written, there is nowhere to report that.
        let _ = stderr.write_all(out.as_bytes()).and_then(|()| stderr.flush());
    }

    fn drawn(&mut self, staying: &[String], lines: &[String], columns: usize) -> String {
        let mut out = match self.shown {
            0 => String::new(),
            1 => "\r\u{1b}[K".to_owned(),
            shown => format!("\r\u{1b}[{}A\u{1b}[J", shown - 1),
        };
        staying.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        // A line that reaches the last column would continue in the next row, which is not erased.
        let lines: Vec<String> = lines.iter().map(|line| fit(line, columns.saturating_sub(1))).collect();
        out.push_str(&lines.join("\n"));
        self.shown = lines.len();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(ToString::to_string).collect()
    }

    // SPEC 11.27: changing lines are erased before others are written, and each fits one row of the terminal
    #[test]
    fn changing_lines_are_erased() {
        let mut live = Live::default();
        assert_eq!(live.drawn(&lines(&["kept"]), &lines(&["a", "long line"]), 6), "kept\na\nlong…");
        assert_eq!(live.drawn(&lines(&["b done"]), &lines(&["a"]), 6), "\r\u{1b}[1A\u{1b}[Jb done\na");
        assert_eq!(live.drawn(&[], &[], 6), "\r\u{1b}[K");
        assert_eq!(live.drawn(&lines(&["end"]), &[], 6), "end\n");
    }
}
