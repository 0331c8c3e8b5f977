//! The checked skills of a directory. [`check`](super::check) and a session get their report here, in the same order.

use super::calls::Names;
use super::draft::{Check, SkillDraft};
use super::passes::{check_bundle, check_skill, settle};
use super::surroundings::Surroundings;
use super::{allowed, examples, links, template};
use crate::parse::ParsedSkill;
use crate::rule::lints;
use crate::{Diagnostic, FileId, Options, Profile, Report, SourceMap, Span};

/// The checked skills, in the order of the tree. The problems of a skill are kept until it is checked again.
#[derive(Debug, Default)]
pub(crate) struct CheckedSkills {
    pub(crate) drafts: Vec<SkillDraft>,
    pub(super) results: Vec<Results>,
    /// The skills that were checked since the last report.
    pub(super) fresh: Vec<usize>,
    /// Positions that the last report created for problems that involve several skills.
    places: Vec<FileId>,
}

#[derive(Debug, Default)]
pub(super) struct Results {
    /// How often the skill was checked before.
    times: u64,
    pub(super) own: Vec<Diagnostic>,
    pub(super) allows: Vec<(String, Span)>,
    /// The problems of its prompt and its pipeline, and the skills that these depend on.
    flow: Vec<Diagnostic>,
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
        let allows = allowed::allowed_rules(&draft, sources);
        let results = Results { own: found.diagnostics, allows, ..Results::default() };
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

    /// Checks the skills against each other, and adds all problems to the report. `give` moves the problems of a
    /// skill into the report, or copies them so that the next report has them too.
    pub(crate) fn report(
        &mut self,
        others: &[String],
        options: &Options,
        sources: &mut SourceMap,
        report: &mut Report,
        give: fn(&mut Vec<Diagnostic>) -> Vec<Diagnostic>,
    ) {
        let fresh = std::mem::take(&mut self.fresh);
        self.places.drain(..).for_each(|id| drop(sources.free(id)));
        check_bundle(&self.drafts, options, sources, report);
        let budgets = report.diagnostics.iter().filter(|found| found.rule.code == lints::CATALOG_BUDGET.code);
        self.places = budgets.map(|found| sources.id_of(found.span)).collect();
        if options.profile != Profile::Standard {
            self.check_links(&fresh, others, options, sources);
            self.check_flows(sources);
        }
        for results in &mut self.results {
            report.diagnostics.append(&mut give(&mut results.own));
            report.diagnostics.append(&mut give(&mut results.flow));
        }
        for (at, results) in self.results.iter().enumerate() {
            allowed::apply(at, &results.allows, sources, report);
        }
        settle(options, sources, report);
    }

    /// Checks the links of skills. The set of files does not change while texts do, so other skills need no check.
    fn check_links(&mut self, skills: &[usize], others: &[String], options: &Options, sources: &SourceMap) {
        if skills.is_empty() {
            return;
        }
        let around = Surroundings::new(&self.drafts, others, options.read.scope);
        let names = Names::new(&self.drafts);
        for &at in skills {
            let mut found = Report::default();
            links::check(&self.drafts[at], &around, sources, &mut found);
            let check = &mut Check { sources, options, report: &mut found };
            examples::check_calls(&self.drafts[at], names.beside(&self.drafts[at]), check);
            self.results[at].own.append(&mut found.diagnostics);
        }
    }

    /// Checks prompts and pipelines if they, or a skill that they call, have changed.
    fn check_flows(&mut self, sources: &SourceMap) {
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
            template::check(draft, names, sources, &mut found);
            let results = &mut self.results[at];
            (results.flow, results.called) = (found.diagnostics, Some(called));
        }
    }
}
