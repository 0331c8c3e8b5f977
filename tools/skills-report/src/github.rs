//! Prints a report as workflow commands, one per line, which GitHub shows as annotations on the changed
//! files.

use skills_core::diagnostic::Diagnostic;
use skills_core::print::visible;
use skills_core::report::Report;
use skills_core::span::{SourceMap, Span};

/// Prints `::error …::…` or `::warning …::…` for each problem.
pub fn print(report: &Report, sources: &SourceMap) -> String {
    let mut out = String::new();
    for diagnostic in &report.diagnostics {
        let word = diagnostic.level.as_str();
        let place = place(diagnostic.span, sources);
        let title = property(&format!("skills::{}", diagnostic.rule.code));
        let message = data(&shown(&message(diagnostic, sources)));
        out.push_str(&format!("::{word} {place},title={title}::{message}\n"));
    }
    out
}

/// Formats the place. GitHub ignores columns if a place spans several lines, so they are omitted then.
fn place(span: Span, sources: &SourceMap) -> String {
    let (start, end) = sources.positions(span);
    let file = property(&visible(&sources.display_path(span)));
    if start.line == end.line {
        let (line, from, to) = (start.line, start.column, end.column);
        format!("file={file},line={line},col={from},endLine={line},endColumn={to}")
    } else {
        format!("file={file},line={},endLine={}", start.line, end.line)
    }
}

fn message(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut message = diagnostic.title.clone();
    if !diagnostic.label.is_empty() {
        message.push_str(&format!(": {}", diagnostic.label));
    }
    for related in &diagnostic.related {
        let (at, _) = sources.positions(related.span);
        let path = sources.display_path(related.span);
        message.push_str(&format!("\n{path}:{}:{}: {}", at.line, at.column, related.label));
    }
    if !diagnostic.help.is_empty() {
        message.push_str(&format!("\nhelp: {}", diagnostic.help));
    }
    message
}

/// Escapes characters that a log must not contain, line by line.
fn shown(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// Escapes a message by the rules of the runner.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property by the rules of the runner.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
