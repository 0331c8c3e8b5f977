//! Prints a report as JSON, one object per line, for editors and scripts.
//!
//! Keys, in this order: `path` (below the root), `line`, `column`, `end_line`, `end_column` (from 1, in
//! characters; the end is after the last character), `code`, `level`, `title`, `label`, `help`, `skill` (its
//! directory below the root, `.` for the root, or null), `related` (a list of objects with the place keys and
//! `label`) and, if there is one, `fix`: its `applicability`, `safe` or `unsafe`, and its `edits` (a list of
//! objects with the place keys and `text`; empty if it renames a file or changes its mode).

use std::collections::BTreeMap;

use skills_core::diagnostic::Diagnostic;
use skills_core::report::Report;
use skills_core::span::{SourceMap, Span};

use super::object::{Object, quote};
use crate::fix::{edits, offered};

/// Prints all problems; an empty text for an empty report.
pub fn print(report: &Report, sources: &SourceMap) -> String {
    let skills = skill_dirs(sources);
    let mut out = String::new();
    for diagnostic in &report.diagnostics {
        out.push_str(&line(diagnostic, sources, &skills));
        out.push('\n');
    }
    out
}

fn line(diagnostic: &Diagnostic, sources: &SourceMap, skills: &BTreeMap<usize, &str>) -> String {
    let skill = sources.file_of(diagnostic.span).skill.and_then(|skill| skills.get(&skill));
    let related: Vec<String> = diagnostic
        .related
        .iter()
        .map(|related| place(related.span, sources).text("label", &related.label).end())
        .collect();
    let line = place(diagnostic.span, sources)
        .text("code", diagnostic.rule.code)
        .text("level", diagnostic.level.as_str())
        .text("title", &diagnostic.title)
        .text("label", &diagnostic.label)
        .text("help", &diagnostic.help)
        .raw("skill", &skill.map_or("null".to_owned(), |dir| quote(dir)))
        .list("related", &related);
    let Some(fix) = offered(diagnostic, sources) else { return line.end() };
    let edits = edits(fix, sources).unwrap_or_default();
    let edits: Vec<String> =
        edits.iter().map(|edit| place(edit.span, sources).text("text", &edit.text).end()).collect();
    let fix = Object::new().text("applicability", fix.applicability.as_str()).list("edits", &edits);
    line.raw("fix", &fix.end()).end()
}

fn place(span: Span, sources: &SourceMap) -> Object {
    let (start, end) = sources.positions(span);
    Object::new()
        .text("path", &sources.file_of(span).path)
        .number("line", start.line)
        .number("column", start.column)
        .number("end_line", end.line)
        .number("end_column", end.column)
}

/// Finds the directory of each skill: the directory nearest to the root with a `SKILL.md` or `skill.json` of
/// the skill.
fn skill_dirs(sources: &SourceMap) -> BTreeMap<usize, &str> {
    let mut dirs: BTreeMap<usize, &str> = BTreeMap::new();
    for file in sources.files() {
        let Some(skill) = file.skill else { continue };
        let (dir, name) = file.path.rsplit_once('/').unwrap_or((".", &file.path));
        if matches!(name, "SKILL.md" | "skill.json") {
            let known = dirs.entry(skill).or_insert(dir);
            if dir.len() < known.len() {
                *known = dir;
            }
        }
    }
    dirs
}
