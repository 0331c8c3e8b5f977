//! Prints a report as SARIF 2.1.0, for code scanning services: one log with one run.

use std::collections::BTreeMap;

use skills_core::Tally;
use skills_core::diagnostic::Diagnostic;
use skills_core::level::Level;
use skills_core::report::Report;
use skills_core::rule::{self, Rule};
use skills_core::span::{SourceMap, Span};
use skills_text::percent_encoded_path;

use super::explain;
use super::object::Object;
use crate::fix::{TextEdit, edits, offered};
use crate::rules;

/// Prints the log. An empty report gives a run without results. All rules are listed, because results refer
/// to them.
pub fn print(report: &Report, sources: &SourceMap) -> String {
    log(report, sources, None)
}

/// Prints the log with the properties `checked` and `passedOver` of the run.
pub fn print_counted(report: &Report, sources: &SourceMap, tally: &Tally) -> String {
    log(report, sources, Some(tally))
}

fn log(report: &Report, sources: &SourceMap, tally: Option<&Tally>) -> String {
    let rules = rule::all();
    let indices: BTreeMap<&str, usize> = rules.iter().enumerate().map(|(at, rule)| (rule.code, at)).collect();
    let driver = Object::new()
        .text("name", "skills")
        .text("semanticVersion", env!("CARGO_PKG_VERSION"))
        .list("rules", &rules.iter().map(|rule| describe(rule)).collect::<Vec<_>>())
        .end();
    let results: Vec<String> = report
        .diagnostics
        .iter()
        .map(|diagnostic| result(diagnostic, indices.get(diagnostic.rule.code).copied(), sources))
        .collect();
    let run = Object::new()
        .raw("tool", &Object::new().raw("driver", &driver).end())
        .text("columnKind", "unicodeCodePoints")
        .list("results", &results);
    let run = match tally {
        Some(tally) => run.raw("properties", &super::tally::properties(tally)),
        None => run,
    };
    let run = run.end();
    let mut log = Object::new()
        .text(
            "$schema",
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        )
        .text("version", "2.1.0")
        .list("runs", &[run])
        .end();
    log.push('\n');
    log
}

fn describe(rule: &Rule) -> String {
    let text = rules::text(rule);
    Object::new()
        .text("id", rule.code)
        .raw("shortDescription", &message(text.first_sentence()))
        .raw("fullDescription", &message(text.explain))
        .raw("help", &message(&explain::print(text)))
        .raw("defaultConfiguration", &Object::new().text("level", level(rule.bundle)).end())
        .end()
}

fn result(diagnostic: &Diagnostic, index: Option<usize>, sources: &SourceMap) -> String {
    let mut text = diagnostic.title.clone();
    if !diagnostic.label.is_empty() {
        text.push_str(&format!(": {}", diagnostic.label));
    }
    if !diagnostic.help.is_empty() {
        text.push_str(&format!("\nhelp: {}", diagnostic.help));
    }
    let mut result = Object::new().text("ruleId", diagnostic.rule.code);
    if let Some(index) = index {
        result = result.number("ruleIndex", index);
    }
    result = result
        .text("level", level(diagnostic.level))
        .raw("message", &message(&text))
        .list("locations", &[location(diagnostic.span, sources).end()]);
    if !diagnostic.related.is_empty() {
        let related: Vec<String> = diagnostic
            .related
            .iter()
            .map(|related| location(related.span, sources).raw("message", &message(&related.label)).end())
            .collect();
        result = result.list("relatedLocations", &related);
    }
    let edits = offered(diagnostic, sources).and_then(|fix| edits(fix, sources)).unwrap_or_default();
    if !edits.is_empty() {
        let changes: Vec<String> = edits.iter().map(|edit| change(edit, sources)).collect();
        let fix =
            Object::new().raw("description", &message(&diagnostic.help)).list("artifactChanges", &changes);
        result = result.list("fixes", &[fix.end()]);
    }
    result.end()
}

/// Formats one edit as a change of its file.
fn change(edit: &TextEdit, sources: &SourceMap) -> String {
    let replacement = Object::new()
        .raw("deletedRegion", &region(edit.span, sources))
        .raw("insertedContent", &message(&edit.text))
        .end();
    Object::new()
        .raw("artifactLocation", &artifact(edit.span, sources))
        .list("replacements", &[replacement])
        .end()
}

fn message(text: &str) -> String {
    Object::new().text("text", text).end()
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Allow => "none",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn location(span: Span, sources: &SourceMap) -> Object {
    let place = Object::new()
        .raw("artifactLocation", &artifact(span, sources))
        .raw("region", &region(span, sources))
        .end();
    Object::new().raw("physicalLocation", &place)
}

fn artifact(span: Span, sources: &SourceMap) -> String {
    Object::new().text("uri", &uri(&sources.display_path(span))).end()
}

fn region(span: Span, sources: &SourceMap) -> String {
    let (start, end) = sources.positions(span);
    Object::new()
        .number("startLine", start.line)
        .number("startColumn", start.column)
        .number("endLine", end.line)
        .number("endColumn", end.column)
        .end()
}

/// Formats a path as a relative URI, or as a `file:` URI if the root was given as an absolute path.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let lead = if path.starts_with('/') { "file://" } else { "" };
    format!("{lead}{}", percent_encoded_path(path))
}
