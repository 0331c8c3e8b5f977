//! Merges problems that repeat, for people: each is shown once, with the number of its places.

use std::collections::HashMap;

use skills_core::diagnostic::Diagnostic;
use skills_core::report::Report;
use skills_core::rule::{files, lints};
use skills_core::span::SourceMap;

/// Rules about sizes. All their problems in a run have one answer.
const SIZES: [&str; 2] = [files::PATH_LONG.code, lints::LONG_BODY.code];

/// Returns a report with one problem for all equal ones: of the same rule, title and level, at the same place of files of
/// the same name, as copies of a skill have them. The problem at the first place stays.
pub fn merge(report: &Report, sources: &SourceMap) -> Report {
    let mut merged = Report::default();
    let mut first: HashMap<String, usize> = HashMap::new();
    let mut counts: Vec<usize> = Vec::new();
    for problem in &report.diagnostics {
        let at = *first.entry(key(problem, sources)).or_insert(counts.len());
        match counts.get_mut(at) {
            Some(count) => *count += 1,
            None => {
                counts.push(1);
                merged.diagnostics.push(problem.clone());
            }
        }
    }
    for (problem, count) in merged.diagnostics.iter_mut().zip(counts) {
        if count > 1 {
            problem.title.push_str(&format!(" (the first of {count}; `--all` shows them)"));
        }
    }
    merged
}

/// Returns a text that equal problems have in common.
fn key(problem: &Diagnostic, sources: &SourceMap) -> String {
    let code = problem.rule.code;
    let level = problem.level.as_str();
    if SIZES.contains(&code) {
        return format!("{code} {level}");
    }
    let (start, _) = sources.positions(problem.span);
    let path = &sources.file_of(problem.span).path;
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("{code} {level} {name}:{}:{} {}", start.line, start.column, problem.title)
}
