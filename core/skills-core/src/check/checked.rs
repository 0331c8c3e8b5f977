//! The checked skills of a directory. [`check`](super::check) and a session get their report here, in the same order.

use super::calls::Names;
use super::draft::{Check, SkillDraft};
use super::passes::{check_bundle, check_flow, check_links_and_examples, check_skill, settle};
use super::surroundings::Surroundings;
use crate::parse::ParsedSkill;
use crate::{Diagnostic, FileId, Options, Report, SourceMap};

/// The checked skills, in the order of the tree, and the problems of each until it is checked again.
#[derive(Debug, Default)]
pub(crate) struct CheckedSkills {
    pub(crate) drafts: Vec<SkillDraft>,
    /// The results of checking each of the drafts.
    pub(super) results: Vec<Results>,
    /// The skills that were checked since the last report.
    pub(super) fresh: Vec<usize>,
    /// Files that the last report added to the sources, as places of problems that involve several skills.
    places: Vec<FileId>,
}

/// The results of checking one skill.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// How often the skill was checked before.
    times: u64,
    /// The problems of its files and its links.
    pub(super) own: Vec<Diagnostic>,
    /// The problems of its prompt and its pipeline.
    flow: Vec<Diagnostic>,
    /// The skills that its pipeline called when `flow` was found.
    called: Option<Vec<Called>>,
}

/// The number of a called skill, and how often it had been checked; `None` if no skill has the name.
type Called = Option<(usize, u64)>;

impl CheckedSkills {
    /// Checks a skill by itself, and stores it under its number. `found` has the problems of parsing it.
    pub(crate) fn check(
        &mut self,
        at: usize,
        skill: ParsedSkill,
        sources: &mut SourceMap,
        options: &Options,
        mut found: Report,
    ) {
        let draft = check_skill(at, skill, sources, options, &mut found);
        let results = Results { own: found.diagnostics, ..Results::default() };
        match (self.drafts.get_mut(at), self.results.get_mut(at)) {
            (Some(old), Some(kept)) => {
                let times = kept.times + 1;
                (*old, *kept) = (draft, Results { times, ..results });
            }
            _ => {
                self.drafts.push(draft);
                self.results.push(results);
            }
        }
        self.fresh.push(at);
    }

    /// Checks the skills against each other, and adds all problems to the report. They are also kept for the next report
    /// if `keep` is set.
    pub(crate) fn report(
        &mut self,
        others: &[String],
        options: &Options,
        sources: &mut SourceMap,
        report: &mut Report,
        keep: bool,
    ) {
        for place in std::mem::take(&mut self.places) {
            sources.free(place);
        }
        self.places = check_bundle(&self.drafts, options, sources, report);
        self.check_fresh(others, options, sources);
        self.check_flows(options, sources);
        for results in &mut self.results {
            for problems in [&mut results.own, &mut results.flow] {
                match keep {
                    true => report.diagnostics.extend(problems.iter().cloned()),
                    false => report.diagnostics.append(problems),
                }
            }
        }
        settle(&self.drafts, options, sources, report);
    }

    /// Checks what the skills that were checked since the last report name of other files and skills. The set of files does
    /// not change while texts do, so other skills need no check.
    fn check_fresh(&mut self, others: &[String], options: &Options, sources: &SourceMap) {
        let fresh = std::mem::take(&mut self.fresh);
        if fresh.is_empty() {
            return;
        }
        let around = Surroundings::new(&self.drafts, others, options.read.scope);
        let names = Names::new(&self.drafts);
        for at in fresh {
            let draft = &self.drafts[at];
            let mut found = Report::default();
            let check = &mut Check { sources, options, report: &mut found };
            check_links_and_examples(draft, &around, names.beside(draft), check);
            self.results[at].own.append(&mut found.diagnostics);
        }
    }

    /// Checks prompts and pipelines if they, or a skill that they call, have changed.
    fn check_flows(&mut self, options: &Options, sources: &SourceMap) {
        let all = Names::new(&self.drafts);
        for (at, draft) in self.drafts.iter().enumerate() {
            let names = all.beside(draft);
            let called = draft.called().map(|name| names.find(name));
            let called: Vec<Called> =
                called.map(|other| Some((other?, self.results[other?].times))).collect();
            if self.results[at].called.as_ref() == Some(&called) {
                continue;
            }
            let mut found = Report::default();
            check_flow(draft, names, &mut Check { sources, options, report: &mut found });
            let results = &mut self.results[at];
            (results.flow, results.called) = (found.diagnostics, Some(called));
        }
    }
}
