//! The schemas of a skill become tables, and what is wrong with them diagnostics (SPEC 3.2, 4.3, 6.1).
//!
//! Three schemas are looked at: `input` and `output` of `skill.json`, and the file that `schema` in the frontmatter
//! names. Each is lowered once; again only when it refers to another file of the skill, which is then handed in.

mod advice;
mod diagnose;
mod reference;

use std::ops::Range;

use skills_schema::Tables;
use skills_schema::lower::{self, Lowered, Problem, ProblemKind, lower};

use super::draft::Draft;
use crate::diagnostic::{Diagnostic, Report};
use crate::options::FormatPolicy;
use crate::parse;
use crate::read::Content;
use crate::span::{FileId, SourceMap, Span};
use crate::tree::json;
use diagnose::{Place, diagnose};

/// What paths below the skill are called inside references; it names no place outside this crate.
pub(crate) const BASE: &str = "skill:/";

/// Lowers the schemas of the skill with the number `skill` and reports what is wrong with them.
pub(super) fn check(
    draft: &mut Draft,
    skill: usize,
    sources: &mut SourceMap,
    formats: FormatPolicy,
    report: &mut Report,
) {
    let mut pass = Pass { skill, sources, formats, report };
    let (input, output) = draft.typed.as_ref().map_or((None, None), |typed| (typed.input, typed.output));
    // The query keeps them apart from the file itself, to which `skill.json#/output` refers.
    let input = input.map(|span| pass.schema(draft, span, "skill.json?input"));
    let output = output.map(|span| pass.schema(draft, span, "skill.json?output"));
    if let Some(typed) = &mut draft.typed {
        typed.input_tables = input;
        typed.output_tables = output;
    }
    draft.schema_tables = draft.schema.clone().and_then(|path| pass.file(draft, &path));
}

struct Pass<'p> {
    skill: usize,
    sources: &'p mut SourceMap,
    formats: FormatPolicy,
    report: &'p mut Report,
}

/// A file that a schema refers to.
struct Document {
    uri: String,
    file: FileId,
}

impl Pass<'_> {
    /// Lowers the schema file; nothing when it is not read or is no JSON.
    fn file(&mut self, draft: &mut Draft, path: &str) -> Option<Tables> {
        let id = draft.skill.dir.text(path)?;
        let root = json::parse(self.sources.file(id), self.report)?;
        Some(self.schema(draft, root.span, path))
    }

    /// Lowers the schema that stands at a place; `name` is its path below the skill.
    fn schema(&mut self, draft: &mut Draft, span: Span, name: &str) -> Tables {
        let uri = format!("{BASE}{name}");
        let mut documents: Vec<Document> = Vec::new();
        loop {
            let lowered = self.lower(span, &uri, &documents);
            let before = documents.len();
            for problem in &lowered.problems {
                self.hand_in(draft, problem, &mut documents);
            }
            if documents.len() == before {
                self.report(draft, span, &lowered.problems, &documents);
                return lowered.tables;
            }
        }
    }

    fn lower(&self, span: Span, uri: &str, documents: &[Document]) -> Lowered {
        let documents: Vec<(&str, &str)> =
            documents.iter().map(|document| (document.uri.as_str(), self.text(document.file).1)).collect();
        let options = lower::Options { formats: self.formats.into(), uri, documents: &documents };
        lower(self.sources.text(span), &options)
    }

    /// The text of a file, and how many bytes stand before it: a byte order mark is no JSON.
    fn text(&self, file: FileId) -> (usize, &str) {
        let text = self.sources.file(file).text.as_str();
        text.strip_prefix('\u{feff}').map_or((0, text), |rest| (text.len() - rest.len(), rest))
    }

    /// Adds the file that an unresolved reference names, when the skill has it.
    fn hand_in(&mut self, draft: &mut Draft, problem: &Problem, documents: &mut Vec<Document>) {
        let ProblemKind::RemoteRef { uri, .. } = &problem.kind else { return };
        let Some(path) = uri.strip_prefix(BASE) else { return };
        if documents.iter().any(|document| document.uri == *uri) {
            return;
        }
        if let Some(file) = parse::take_up(&mut draft.skill.dir, path, self.skill, self.sources) {
            documents.push(Document { uri: uri.clone(), file });
            // `skill.json` was parsed before, and its faults are known.
            if path != "skill.json" && !self.is_known(file) {
                json::parse(self.sources.file(file), self.report);
            }
        }
    }

    /// Tells whether a fault of this file was reported already: two schemas may refer to one file.
    fn is_known(&self, file: FileId) -> bool {
        let whole = self.sources.file(file).span(0..usize::MAX);
        let codes = ["json-syntax", "json-comment", "json-trailing-comma", "json-duplicate-key"];
        self.report.diagnostics.iter().any(|found| {
            found.span.start >= whole.start && found.span.end <= whole.end && codes.contains(&found.rule.code)
        })
    }

    fn report(&mut self, draft: &Draft, schema: Span, problems: &[Problem], documents: &[Document]) {
        for problem in problems {
            let (file, start, text) = match problem.document.checked_sub(1) {
                None => (
                    self.sources.file_of(schema),
                    self.sources.range(schema).start,
                    self.sources.text(schema),
                ),
                Some(at) => {
                    let Some(document) = documents.get(at) else { continue };
                    let (start, text) = self.text(document.file);
                    (self.sources.file(document.file), start, text)
                }
            };
            let at = |range: Range<usize>| file.span(range.start + start..range.end + start);
            let place = Place { text, range: problem.span.clone(), at: &at, dir: &draft.skill.dir };
            let Some(diagnostic) = diagnose(&problem.kind, &place) else { continue };
            if !self.is_repeated(&diagnostic) {
                self.report.push(diagnostic);
            }
        }
    }

    fn is_repeated(&self, new: &Diagnostic) -> bool {
        let mut found = self.report.diagnostics.iter();
        found.any(|old| old.rule.code == new.rule.code && old.span == new.span && old.title == new.title)
    }
}

/// The path below the skill that a resolved reference names, and what is there.
fn target<'d>(uri: &'d str, dir: &'d crate::read::SkillDir) -> Option<(&'d str, Option<&'d Content>)> {
    let path = uri.strip_prefix(BASE)?;
    Some((path, dir.file(path).map(|file| &file.content)))
}
