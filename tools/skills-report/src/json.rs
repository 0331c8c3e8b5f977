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

use skills_schema::json::Node;
use skills_schema::json::make::{array, null, number, object, string};

use crate::fix::{edits, offered};

/// Prints all problems; an empty text for an empty report.
pub fn print(report: &Report, sources: &SourceMap) -> String {
    problems(report, sources).map(|problem| format!("{problem}\n")).collect()
}

/// Formats each problem as an object.
pub fn problems(report: &Report, sources: &SourceMap) -> impl Iterator<Item = Node> {
    let skills = skill_dirs(sources);
    report.diagnostics.iter().map(move |diagnostic| problem(diagnostic, sources, &skills))
}

fn problem(diagnostic: &Diagnostic, sources: &SourceMap, skills: &BTreeMap<usize, &str>) -> Node {
    let skill = sources.file_of(diagnostic.span).skill.and_then(|skill| skills.get(&skill));
    let related = diagnostic
        .related
        .iter()
        .map(|related| place(related.span, sources, [("label", string(&related.label))]));
    let fix = offered(diagnostic, sources).map(|fix| {
        let edits = edits(fix, sources).unwrap_or_default();
        let edits = edits.iter().map(|edit| place(edit.span, sources, [("text", string(&edit.text))]));
        object([("applicability", string(fix.applicability.as_str())), ("edits", array(edits))])
    });
    let members = [
        ("code", string(diagnostic.rule.code)),
        ("level", string(diagnostic.level.as_str())),
        ("title", string(&diagnostic.title)),
        ("label", string(&diagnostic.label)),
        ("help", string(&diagnostic.help)),
        ("skill", skill.map_or_else(null, |dir| string(*dir))),
        ("related", array(related)),
    ];
    place(diagnostic.span, sources, members.into_iter().chain(fix.map(|fix| ("fix", fix))))
}

/// Formats an object with the place keys and more members.
fn place<'k>(span: Span, sources: &SourceMap, more: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    let (start, end) = sources.positions(span);
    let keys = [
        ("path", string(&sources.file_of(span).path)),
        ("line", number(start.line)),
        ("column", number(start.column)),
        ("end_line", number(end.line)),
        ("end_column", number(end.column)),
    ];
    object(keys.into_iter().chain(more))
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
