//! Prints the problems of a directory for the commands that check one.

use std::process::ExitCode;

use skills_core::level::Level;
use skills_core::print::{cargo, text};
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_report::fix::is_fixable;

use skills_commands::terminal;

/// Prints the problems on standard error, one per line.
pub(super) fn tell(report: &Report, sources: &SourceMap) {
    for diagnostic in &report.diagnostics {
        let line = cargo::line(diagnostic, sources);
        match diagnostic.level {
            Level::Error => terminal::error(line),
            _ => terminal::warning(line),
        }
    }
}

/// Prints the problems with the lines in which they occur. On a terminal, they fit its width. Marks problems with
/// a safe fix if `is_marked` is `true`.
pub(super) fn print(report: &Report, sources: &SourceMap, is_marked: bool) -> ExitCode {
    let style = if terminal::has_colours() { text::Style::Ansi } else { text::Style::Plain };
    let is_fixable = is_marked.then_some(is_fixable as fn(&_, &_) -> _);
    let layout = text::Layout { style, columns: terminal::columns(), is_fixable };
    terminal::exact(&text::print_styled(report, sources, layout))
}
