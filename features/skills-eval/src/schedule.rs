//! Runs every case of a suite several times, concurrently, and collects a report.

use futures_util::{StreamExt, stream};

use super::cassette::canonical;
use super::cassette::{JUDGE, MODEL};
use super::job::Bench;
use super::mask::Masks;
use super::report::{Arm, CaseReport, CaseRun, Report};
use super::triggers::{Choice, Confusion, QueryReport};
use super::{Ask, Case, Progress, Query, Suite, Tests, Trial, Unread};
use skills_call::BoxFuture;
use skills_call::model::LanguageModel;

impl Trial {
    /// Runs all cases of a suite. If a run cannot be made, the report contains its error. Does not save the
    /// cassette.
    ///
    /// # Errors
    /// If the cassette contains answers of another model.
    pub async fn run(&self, suite: &Suite) -> Result<Report, Unread> {
        let bench = &self.bench()?;
        let (mut cases, mut queries, jobs) = self.jobs(suite);
        let total = jobs.len();
        // These futures are boxed, because closures with lifetimes would make the whole future `!Send`.
        let runs: Vec<BoxFuture<'_, (usize, Done)>> = jobs
            .iter()
            .enumerate()
            .map(|(number, job)| -> BoxFuture<'_, (usize, Done)> {
                Box::pin(async move { (number, job.run(bench).await) })
            })
            .collect();
        let mut under_way = stream::iter(runs).buffer_unordered(self.concurrency);
        let mut results = Vec::with_capacity(total);
        while let Some((number, result)) = under_way.next().await {
            results.push((number, result));
            if let Some(report_progress) = &self.on_progress {
                report_progress(Progress { done: results.len(), total, skill: &jobs[number].tests.skill });
            }
        }
        drop(under_way);
        results.sort_by_key(|(number, _)| *number);
        for (number, result) in results {
            let Job { place, what, .. } = jobs[number];
            match (what, result) {
                (What::Case(_, true), Done::Run(run)) => cases[place].with.runs.push(run),
                (_, Done::Run(run)) => cases[place].without.get_or_insert_default().runs.push(run),
                (_, Done::Choice(choice)) => queries[place].choices.push(choice),
            }
        }
        let confusion = Confusion::from_queries(&queries);
        let (model, judge) = (bench.model_name.clone(), bench.judge_name.clone());
        let (price, notes) = (self.price, suite.notes.clone());
        Ok(Report { model, judge, runs: self.runs, cases, queries, confusion, price, notes })
    }

    fn bench(&self) -> Result<Bench<'_>, Unread> {
        let model = self.runner.server_access().language_model();
        let model_name = self.name_model(MODEL, model.as_deref())?.unwrap_or_else(|| "none".to_owned());
        let judge_name = self.name_model(JUDGE, self.judge.as_deref())?;
        let mut masks = Masks::new(self.runner.skills());
        for (name, secret) in &self.secrets {
            masks.hide(name, secret);
        }
        Ok(Bench { trial: self, model_name, judge_name, masks })
    }

    /// Returns the name of a model: the one that is asked, or else the one that the cassette recorded.
    fn name_model(
        &self,
        role: &'static str,
        model: Option<&dyn LanguageModel>,
    ) -> Result<Option<String>, Unread> {
        let model = model.filter(|_| self.cassette.asks());
        let Some(model) = model else { return Ok(self.cassette.model(role)) };
        self.cassette.name(role, model.name())?;
        Ok(Some(model.name().to_owned()))
    }

    /// Returns empty reports for the results, and the list of runs in the order of the suite.
    fn jobs<'a>(&self, suite: &'a Suite) -> (Vec<CaseReport>, Vec<QueryReport>, Vec<Job<'a>>) {
        let (mut cases, mut queries, mut jobs) = (Vec::new(), Vec::new(), Vec::new());
        for tests in &suite.skills {
            for case in &tests.cases {
                let place = cases.len();
                jobs.extend(self.repeat(tests, place, What::Case(case, true)));
                if self.has_baseline && matches!(case.ask, Ask::Prompt { .. }) {
                    jobs.extend(self.repeat(tests, place, What::Case(case, false)));
                }
                let ask = match &case.ask {
                    Ask::Prompt { text, .. } => text.clone(),
                    Ask::Input(input) => canonical(input),
                };
                let (skill, id) = (tests.skill.clone(), case.id.clone());
                cases.push(CaseReport { skill, id, ask, with: Arm::default(), without: None });
            }
            for query in &tests.queries {
                jobs.extend(self.repeat(tests, queries.len(), What::Query(query)));
                queries.push(QueryReport {
                    skill: tests.skill.clone(),
                    query: query.text.clone(),
                    should_trigger: query.should_trigger,
                    file: query.file.clone(),
                    threshold: self.threshold,
                    choices: Vec::new(),
                });
            }
        }
        (cases, queries, jobs)
    }

    fn repeat<'a>(&self, tests: &'a Tests, place: usize, what: What<'a>) -> impl Iterator<Item = Job<'a>> {
        (1..=self.runs).map(move |run| Job { tests, place, what, run })
    }
}

/// A run to be made.
#[derive(Clone, Copy)]
struct Job<'a> {
    tests: &'a Tests,
    /// The index of its case or query in the report.
    place: usize,
    what: What<'a>,
    run: u32,
}

#[derive(Clone, Copy)]
enum What<'a> {
    /// A case, with or without its skill.
    Case(&'a Case, bool),
    Query(&'a Query),
}

enum Done {
    Run(CaseRun),
    Choice(Choice),
}

impl Job<'_> {
    async fn run(&self, bench: &Bench<'_>) -> Done {
        match self.what {
            What::Case(case, with) => Done::Run(bench.run(self.tests, case, with, self.run).await),
            What::Query(query) => Done::Choice(bench.choose(self.tests, query, self.run).await),
        }
    }
}
