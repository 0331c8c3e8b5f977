//! Prints a report as SARIF 2.1.0, for code scanning services: one log with one run.

use std::collections::BTreeMap;

use skills_core::Tally;
use skills_core::diagnostic::Diagnostic;
use skills_core::level::Level;
use skills_core::report::Report;
use skills_core::rule::{self, Rule};
use skills_core::span::{SourceMap, Span};
use skills_schema::json::Node;
use skills_schema::json::make::{array, number, object, string};
use skills_text::percent_encoded_path;

use super::explain;
use crate::fix::{TextEdit, edits, offered};

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
    let driver = object([
        ("name", string("skills")),
        ("semanticVersion", string(env!("CARGO_PKG_VERSION"))),
        ("rules", array(rules.iter().map(|rule| describe(rule)))),
    ]);
    let results = report
        .diagnostics
        .iter()
        .map(|diagnostic| result(diagnostic, indices.get(diagnostic.rule.code).copied(), sources));
    let mut run = vec![
        ("tool", object([("driver", driver)])),
        ("columnKind", string("unicodeCodePoints")),
        ("results", array(results)),
    ];
    run.extend(tally.map(|tally| ("properties", object(super::tally::members(tally, "passedOver")))));
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    let log =
        object([("$schema", string(schema)), ("version", string("2.1.0")), ("runs", array([object(run)]))]);
    format!("{log}\n")
}

fn describe(rule: &Rule) -> Node {
    let text = rule::text(rule);
    object([
        ("id", string(rule.code)),
        ("shortDescription", message(text.first_sentence())),
        ("fullDescription", message(text.explain)),
        ("help", message(explain::print(text))),
        ("defaultConfiguration", object([("level", string(level(rule.bundle)))])),
    ])
}

fn result(diagnostic: &Diagnostic, index: Option<usize>, sources: &SourceMap) -> Node {
    let mut text = diagnostic.title.clone();
    if !diagnostic.label.is_empty() {
        text.push_str(&format!(": {}", diagnostic.label));
    }
    if !diagnostic.help.is_empty() {
        text.push_str(&format!("\nhelp: {}", diagnostic.help));
    }
    let mut result = vec![("ruleId", string(diagnostic.rule.code))];
    result.extend(index.map(|index| ("ruleIndex", number(index))));
    result.push(("level", string(level(diagnostic.level))));
    result.push(("message", message(text)));
    result.push(("locations", array([object([location(diagnostic.span, sources)])])));
    if !diagnostic.related.is_empty() {
        let related = diagnostic
            .related
            .iter()
            .map(|related| object([location(related.span, sources), ("message", message(&related.label))]));
        result.push(("relatedLocations", array(related)));
    }
    let edits = offered(diagnostic, sources).and_then(|fix| edits(fix, sources)).unwrap_or_default();
    if !edits.is_empty() {
        let changes = array(edits.iter().map(|edit| change(edit, sources)));
        let fix = object([("description", message(&diagnostic.help)), ("artifactChanges", changes)]);
        result.push(("fixes", array([fix])));
    }
    object(result)
}

/// Formats one edit as a change of its file.
fn change(edit: &TextEdit, sources: &SourceMap) -> Node {
    let replacement =
        object([("deletedRegion", region(edit.span, sources)), ("insertedContent", message(&edit.text))]);
    object([("artifactLocation", artifact(edit.span, sources)), ("replacements", array([replacement]))])
}

fn message(text: impl Into<String>) -> Node {
    object([("text", string(text))])
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Allow => "none",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn location(span: Span, sources: &SourceMap) -> (&'static str, Node) {
    let place = [("artifactLocation", artifact(span, sources)), ("region", region(span, sources))];
    ("physicalLocation", object(place))
}

fn artifact(span: Span, sources: &SourceMap) -> Node {
    object([("uri", string(uri(&sources.display_path(span))))])
}

fn region(span: Span, sources: &SourceMap) -> Node {
    let (start, end) = sources.positions(span);
    object([
        ("startLine", number(start.line)),
        ("startColumn", number(start.column)),
        ("endLine", number(end.line)),
        ("endColumn", number(end.column)),
    ])
}

/// Formats a path as a relative URI, or as a `file:` URI if the root was given as an absolute path.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let lead = if path.starts_with('/') { "file://" } else { "" };
    format!("{lead}{}", percent_encoded_path(path))
}
