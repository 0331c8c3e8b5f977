//! Prints the problems of a directory for the commands that check one.

use std::process::ExitCode;

use skills_core::diagnostic::Diagnostic;
use skills_core::level::Level;
use skills_core::print::{cargo, text};
use skills_core::report::Report;
use skills_core::span::SourceMap;

use skills_commands::terminal;

/// Returns `true` if a command can fix a problem.
pub(super) type IsFixable = fn(&Diagnostic, &SourceMap) -> bool;

/// Prints the problems on standard error, one per line.
pub(super) fn print_report(report: &Report, sources: &SourceMap) {
    for diagnostic in &report.diagnostics {
        let line = cargo::line(diagnostic, sources);
        match diagnostic.level {
            Level::Error => terminal::error(line),
            _ => terminal::warning(line),
        }
    }
}

/// Prints the problems with the lines in which they occur. On a terminal, they fit its width. Marks the
/// problems for which `is_fixable` returns `true`.
pub(super) fn print(report: &Report, sources: &SourceMap, is_fixable: Option<IsFixable>) -> ExitCode {
    let style = if terminal::has_colours() { text::Style::Ansi } else { text::Style::Plain };
    let layout = text::ReportLayout { style, columns: terminal::columns(), is_fixable };
    terminal::exact(&text::print_styled(report, sources, layout))
}
