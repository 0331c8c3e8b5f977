//! Compiles the schemas of a skill to tables, and reports their problems.
//!
//! There are three schemas: `input` and `output` of `skill.json`, and the file that `schema` in the
//! frontmatter names. Each is read with the files it refers to, and lowered once.

mod advice;
mod diagnose;
pub(crate) mod lookup;
mod reference;

use std::ops::Range;

use skills_schema::files::{path_of, uri_of};
use skills_schema::lower::{DocumentOptions, Lowered, lower_document};
use skills_schema::{Document, Part};
use skills_text::{Places, unmarked};

use super::draft::SkillDraft;
use crate::tree::json;
use crate::{FileId, FormatPolicy, Report, SourceMap, Span, parse};
use diagnose::{bare_properties, diagnose};
use reference::SchemaPlace;

/// The names of the schemas of `skill.json`. References to `skill.json#/output` mean the file itself.
const INPUT: &str = "skill.json?input";
const OUTPUT: &str = "skill.json?output";

/// Lowers the schemas of the skill with the number `skill` and reports their problems.
pub(super) fn check(
    draft: &mut SkillDraft,
    skill: usize,
    sources: &mut SourceMap,
    formats: FormatPolicy,
    report: &mut Report,
) {
    let mut pass =
        Pass { skill, sources, formats, parsed: Places::default(), reported: Places::default(), report };
    let (input, output) = draft.typed.as_ref().map_or((None, None), |typed| (typed.input, typed.output));
    let input = input.map(|span| pass.schema(draft, span, INPUT));
    let output = output.map(|span| pass.schema(draft, span, OUTPUT));
    if let Some(typed) = &mut draft.typed {
        typed.input_lowered = input;
        typed.output_lowered = output;
    }
    draft.schema_lowered = draft.schema_path.clone().and_then(|path| pass.file(draft, &path));
}

struct Pass<'p> {
    skill: usize,
    sources: &'p mut SourceMap,
    formats: FormatPolicy,
    /// The files that were parsed and the problems that were reported, because two schemas may refer to one file.
    parsed: Places,
    reported: Places,
    report: &'p mut Report,
}

impl Pass<'_> {
    /// Lowers the schema file; `None` if it is unreadable or not JSON.
    fn file(&mut self, draft: &mut SkillDraft, path: &str) -> Option<Lowered> {
        let id = draft.skill.dir.text(path)?;
        self.parsed.insert(path.to_owned(), 0);
        let root = json::parse(self.sources.file(id), self.report)?;
        Some(self.schema(draft, root.span, path))
    }

    /// Lowers the schema at a place; `name` is its path below the skill.
    fn schema(&mut self, draft: &mut SkillDraft, span: Span, name: &str) -> Lowered {
        let uri = uri_of(name);
        let text = self.sources.text(span).to_owned();
        let options = DocumentOptions { formats: self.formats, uri: &uri };
        let mut others: Vec<FileId> = Vec::new();
        let document = Document::gather(&text, &options, &mut |uri| {
            let file = self.other(draft, &path_of(uri)?)?;
            others.push(file);
            Some(self.text(file).1.to_owned())
        });
        let lowered = lower_document(document);
        self.report(draft, span, &lowered, &others);
        lowered
    }

    /// Returns the text of a file, and the length of its byte order mark, which is not part of the JSON.
    fn text(&self, file: FileId) -> (usize, &str) {
        let text = self.sources.file(file).text.as_str();
        let rest = unmarked(text);
        (text.len() - rest.len(), rest)
    }

    /// Adds the file that a reference names, if the skill has it.
    fn other(&mut self, draft: &mut SkillDraft, path: &str) -> Option<FileId> {
        let file = parse::add_source(&mut draft.skill.dir, path, self.skill, self.sources)?;
        // `skill.json` was already parsed, and its faults were reported.
        if path != "skill.json" && self.parsed.insert(path.to_owned(), 0).is_none() {
            json::parse(self.sources.file(file), self.report);
        }
        Some(file)
    }

    fn report(&mut self, draft: &SkillDraft, schema: Span, lowered: &Lowered, others: &[FileId]) {
        let roots: Vec<Part<'_>> = lowered.document.roots().collect();
        if let Some(found) = roots.first().and_then(|root| bare_properties(*root, schema, &lowered.problems))
        {
            return self.report.push(found);
        }
        for problem in &lowered.problems {
            let (file, start) = match problem.document.checked_sub(1) {
                None => (self.sources.file_of(schema), self.sources.range(schema).start),
                Some(at) => {
                    let Some(&other) = others.get(at) else { continue };
                    (self.sources.file(other), self.text(other).0)
                }
            };
            let Some(root) = roots.get(problem.document) else { continue };
            let at = |range: Range<usize>| file.span(range.start + start..range.end + start);
            let place = SchemaPlace {
                root: *root,
                range: problem.span.clone(),
                at: &at,
                has_room: self.report.has_room(),
                dir: &draft.skill.dir,
            };
            let Some(diagnostic) = diagnose(&problem.kind, &place) else { continue };
            let key = format!("{} {:?} {}", diagnostic.rule.code, diagnostic.span, diagnostic.title);
            if self.reported.insert(key, 0).is_none() {
                self.report.push(diagnostic);
            }
        }
    }
}
