//! Prints a report as instructions to cargo, for build scripts. Cargo prints only single lines.

use super::visible;
use crate::{Diagnostic, Report, SourceMap};

/// Prints `cargo::error=…` or `cargo::warning=…` for each problem.
pub fn print(report: &Report, sources: &SourceMap) -> String {
    let mut out = String::new();
    for diagnostic in &report.diagnostics {
        let word = diagnostic.level.as_str();
        out.push_str(&format!("cargo::{word}={}\n", line(diagnostic, sources)));
    }
    out
}

/// Prints one problem as `path:line:col: title (help)`, without line feed.
pub fn line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let (start, _) = sources.positions(diagnostic.span);
    let path = visible(&sources.display_path(diagnostic.span));
    let title = visible(&diagnostic.title);
    // A help of several lines does not fit on one line.
    let mut lines = diagnostic.help.lines().map(|line| visible(line.trim()));
    let help = match (lines.next(), lines.next()) {
        (None, _) => String::new(),
        (Some(help), None) => format!(" ({help})"),
        (Some(help), Some(_)) => {
            format!(" ({} …: `skills check` shows the lines)", help.trim_end_matches(':'))
        }
    };
    format!("{path}:{}:{}: {title}{help}", start.line, start.column)
}
