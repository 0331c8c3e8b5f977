//! Prints the edits of a report as comments for a GitHub review, one JSON object per line.
//!
//! Keys, as in GitHub's API for review comments: `path`, `start_line` (omitted for one line), `line`, `side`
//! and `body`, with a `suggestion` block that a person can apply by a click. A fix that renames a file or
//! changes its mode cannot be expressed this way.

use skills_core::diagnostic::Diagnostic;
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_schema::json::make::{number, object, string};

use super::page::ticks;
use crate::fix::{edits, offered};

/// Prints a comment for each problem with edits of one file.
pub fn print(report: &Report, sources: &SourceMap) -> String {
    report.diagnostics.iter().filter_map(|diagnostic| comment(diagnostic, sources)).collect()
}

fn comment(diagnostic: &Diagnostic, sources: &SourceMap) -> Option<String> {
    let mut edits = edits(offered(diagnostic, sources)?, sources)?;
    edits.sort_by_key(|edit| edit.span);
    let (first, last) = (edits.first()?, edits.last()?);
    let file = sources.file_of(first.span);
    if !edits.iter().all(|edit| sources.file_of(edit.span).path == file.path) {
        return None;
    }
    let (from, to) = (sources.range(first.span).start, sources.range(last.span).end);
    let start = file.line_at(from).1;
    // A deletion that ends at the start of a line does not touch that line.
    let behind = file.text.get(..to).is_some_and(|before| before.ends_with('\n')) && to > start;
    let end =
        if behind { to } else { file.text.get(to..)?.find('\n').map_or(file.text.len(), |at| to + at + 1) };
    let mut lines = String::new();
    let mut at = start;
    for edit in &edits {
        let range = sources.range(edit.span);
        lines.push_str(file.text.get(at..range.start)?);
        lines.push_str(&edit.text);
        at = range.end;
    }
    lines.push_str(file.text.get(at..end)?);
    let lines = lines.trim_end_matches(['\n', '\r']).replace('\r', "");
    let fence = "`".repeat(lines.lines().map(ticks).max().unwrap_or(0).max(2) + 1);
    let block = if lines.is_empty() { String::new() } else { format!("{lines}\n") };
    let body =
        format!("`{}`: {}\n\n{fence}suggestion\n{block}{fence}", diagnostic.rule.code, diagnostic.title);
    let (first, _) = sources.positions(file.span(start..start));
    let whole = file.text.get(start..end)?;
    let last = first.line + whole.strip_suffix('\n').unwrap_or(whole).matches('\n').count();
    let mut comment = vec![("path", string(sources.display_path(diagnostic.span)))];
    if last > first.line {
        comment.push(("start_line", number(first.line)));
    }
    comment.extend([("line", number(last)), ("side", string("RIGHT")), ("body", string(body))]);
    Some(format!("{}\n", object(comment)))
}
