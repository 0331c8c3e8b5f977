//! Releases the parts of a checked skill that nothing reads later, so that many skills fit into memory.

use std::hash::{BuildHasher, RandomState};

use super::calls::Names;
use super::checked::CheckedSkills;
use super::draft::{Check, Fields, SkillDraft};
use super::examples;
use super::passes::{check_links_and_examples, levels};
use super::surroundings::Surroundings;
use crate::catalog::Declared;
use crate::{Change, Content, Diagnostic, FileId, Level, Levels, Options, Profile, Report, SourceMap, Span};

/// The number of lines kept after a place. Its excerpt and the edits of its fix end within them.
const LINES: usize = 2;

#[derive(Debug)]
pub(crate) struct Releasing {
    levels: Levels,
    /// The keys of the hasher are random, so that nobody can craft two texts with the same hash.
    hasher: RandomState,
    /// How many files and problems there were when the previous skill was released.
    files: usize,
    problems: usize,
}

impl Releasing {
    pub(crate) fn new(options: &Options) -> Self {
        Self { levels: levels(options), hasher: RandomState::new(), files: 0, problems: 0 }
    }

    /// Releases the skill that was checked last. `report` has the problems of reading it.
    pub(crate) fn release(
        &mut self,
        checked: &mut CheckedSkills,
        options: &Options,
        sources: &mut SourceMap,
        report: &Report,
    ) {
        let files = sources.ids().skip(self.files).collect::<Vec<_>>();
        let read = report.diagnostics.get(self.problems..).unwrap_or_default();
        (self.files, self.problems) = (sources.files().len(), report.diagnostics.len());
        let (Some(draft), Some(results)) = (checked.drafts.last_mut(), checked.results.last_mut()) else {
            return;
        };
        let names = ["SKILL.md", "skill.json"];
        let texts = names.map(|name| draft.skill.dir.file(name).map(|file| file.bytes(sources)));
        draft.fingerprint = Some(self.hasher.hash_one(texts));
        let found = check_links_alone(draft, options, sources);
        let is_linked = found.is_some();
        if let Some(mut found) = found {
            results.own.append(&mut found);
            checked.fresh.pop();
        }
        // Files that are not texts are not read again.
        for file in draft.skill.dir.files.iter_mut().filter(|file| matches!(file.content, Content::Bytes(_)))
        {
            file.content = Content::Unread;
        }
        // Functions are checked against each other by their texts, and allowed rules are found by their places.
        if !is_linked || draft.skill.manifest.is_some() || !draft.allowed.is_empty() {
            return;
        }
        let mut ends = vec![None; files.len()];
        let mut keep = |span: Span| {
            let at = files.binary_search(&sources.id_of(span)).ok();
            if let Some(end) = at.and_then(|at| ends.get_mut(at)) {
                *end = (*end).max(Some(sources.range(span).end));
            }
        };
        if let Some(document) = &draft.skill.document {
            // Keep the frontmatter, because reports of duplicate names show it.
            keep(document.body.head());
        }
        for problem in read.iter().chain(&results.own) {
            let path = &sources.file_of(problem.span).path;
            if self.levels.level(problem.rule, options.profile, path) > Level::Allow {
                spans(problem).for_each(&mut keep);
            }
        }
        for (id, end) in files.into_iter().zip(ends) {
            cut(id, end, sources);
        }
        draft.release();
    }
}

/// Returns the problems of the links of a skill, or `None` if they depend on other skills.
fn check_links_alone(draft: &SkillDraft, options: &Options, sources: &SourceMap) -> Option<Vec<Diagnostic>> {
    let around = Surroundings::of_one(draft, options.read.scope);
    let names = Names::new(std::slice::from_ref(draft));
    let mut found = Report::default();
    let check = &mut Check { sources, options, report: &mut found };
    check_links_and_examples(draft, &around, names.beside(draft), check);
    let is_standard = options.profile == Profile::Standard;
    let is_open = around.is_incomplete() || !is_standard && examples::may_call(draft, sources);
    (!is_open).then_some(found.diagnostics)
}

/// Cuts a text after the lines of its last used place.
fn cut(id: FileId, end: Option<usize>, sources: &mut SourceMap) {
    let text = &sources.file(id).text;
    let end = end.map_or(0, |end| {
        let feeds = text.as_bytes().iter().enumerate().skip(end).filter(|(_, byte)| **byte == b'\n');
        feeds.map(|(at, _)| at + 1).nth(LINES).unwrap_or(text.len())
    });
    sources.cut(id, end);
}

/// Returns all places of a problem, and of the changes of its fix.
fn spans(problem: &Diagnostic) -> impl Iterator<Item = Span> {
    let fix = problem.fix.iter();
    let changes = fix.clone().flat_map(|fix| &fix.changes).filter_map(Change::span);
    let related = problem.related.iter().map(|related| related.span);
    std::iter::once(problem.span).chain(related).chain(changes).chain(fix.filter_map(|fix| fix.repeated))
}

impl SkillDraft {
    /// Keeps only the parts of a skill without a function that are compared with other skills.
    fn release(&mut self) {
        let Fields { name, description, hidden_from_model, internal, declared, .. } =
            std::mem::take(&mut self.fields);
        let declared = Declared { when_to_use: declared.when_to_use, ..Declared::default() };
        self.fields =
            Fields { name, description, hidden_from_model, internal, declared, ..Fields::default() };
        (self.schema_lowered, self.prompt, self.skill.openai) = (None, None, None);
        if let Some(document) = &mut self.skill.document {
            document.frontmatter = None;
        }
    }
}
