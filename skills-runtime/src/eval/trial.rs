//! A trial: every case of a suite, run several times, side by side (SPEC 16.10).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};

use super::cassette::{JUDGE, MODEL};
use super::job::Bench;
use super::mask::Masks;
use super::report::{Arm, CaseReport, Price, Report, Run};
use super::triggers::{Choice, Confusion, QueryReport};
use super::{Ask, Case, Cassette, Query, Suite, Tests, Unread};
use crate::call::{BoxFuture, Runner};
use crate::model::LanguageModel;

/// How far a trial has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// How many runs are done.
    pub done: usize,
    /// How many there are.
    pub total: usize,
    /// The skill of the one that was done last.
    pub skill: &'a str,
}

type OnProgress = Arc<dyn Fn(Progress<'_>) + Send + Sync>;

/// Runs a [`Suite`] against a runner and its model.
///
/// ```
/// # use skills_runtime::call::{Functions, Runner};
/// # use skills_runtime::{Registry, Tables};
/// # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use skills_runtime::eval::{Suite, Trial};
/// use skills_runtime::testing::ScriptedModel;
///
/// # let runner = Runner::new(Functions::new(&SKILLS, &[]));
/// let trial = Trial::new(runner.model(ScriptedModel::default())).runs(5).concurrency(2);
/// let report = trial.run(&Suite::default()).await.unwrap();
/// assert!(!report.passes(0.0, true), "where nothing was tried nothing passes");
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Trial {
    runner: Runner,
    judge: Option<Arc<dyn LanguageModel>>,
    cassette: Cassette,
    runs: u32,
    concurrency: usize,
    threshold: f64,
    has_baseline: bool,
    chooses: bool,
    timeout: Option<Duration>,
    price: Price,
    secrets: Vec<(String, String)>,
    on_progress: Option<OnProgress>,
}

impl fmt::Debug for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trial")
            .field("runs", &self.runs)
            .field("cassette", &self.cassette)
            .finish_non_exhaustive()
    }
}

impl Trial {
    /// Makes a trial of a runner's skills by its model.
    pub fn new<B>(runner: Runner<B>) -> Self {
        Self {
            runner: runner.untyped(),
            judge: None,
            cassette: Cassette::none(),
            runs: 3,
            concurrency: 4,
            threshold: 0.5,
            has_baseline: true,
            chooses: false,
            timeout: None,
            price: Price::default(),
            secrets: Vec::new(),
            on_progress: None,
        }
    }

    /// Sets the model that grades what code cannot; by default there is none, and that is not graded.
    pub fn judge(self, judge: impl LanguageModel) -> Self {
        Self { judge: Some(Arc::new(judge)), ..self }
    }

    /// Sets where exchanges are recorded, or replayed from; by default they are not.
    pub fn cassette(self, cassette: Cassette) -> Self {
        Self { cassette, ..self }
    }

    /// Sets how often each case is run: 3 times by default, at least once.
    pub fn runs(self, runs: u32) -> Self {
        Self { runs: runs.max(1), ..self }
    }

    /// Sets how many runs go on at once: 4 by default, at least 1.
    pub fn concurrency(self, count: usize) -> Self {
        Self { concurrency: count.max(1), ..self }
    }

    /// Sets the trigger rate above which a query counts as triggered: 0.5 by default.
    pub fn trigger_threshold(self, rate: f64) -> Self {
        Self { threshold: rate, ..self }
    }

    /// Sets whether prompts are run without their skill, too: by default they are.
    pub fn baseline(self, has_baseline: bool) -> Self {
        Self { has_baseline, ..self }
    }

    /// Sets whether the model is to load the skill of a prompt by itself. By default it is loaded for it: whether it would
    /// is what trigger queries ask.
    pub fn choosing(self, chooses: bool) -> Self {
        Self { chooses, ..self }
    }

    /// Sets how long an attempt of a call may take; by default what its skill says.
    pub fn timeout(self, limit: impl Into<Option<Duration>>) -> Self {
        Self { timeout: limit.into(), ..self }
    }

    /// Sets what tokens cost.
    pub fn price(self, price: Price) -> Self {
        Self { price, ..self }
    }

    /// Hides a text in cassettes and reports, besides those of the environment: `[name]` stands in its place.
    pub fn hide(mut self, name: &str, secret: &str) -> Self {
        self.secrets.push((name.to_owned(), secret.to_owned()));
        self
    }

    /// Sets who is told how far it has come; it must not block.
    pub fn on_progress(self, observer: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Self {
        Self { on_progress: Some(Arc::new(observer)), ..self }
    }

    /// Runs all of a suite. What could not be tried is an error of its run; the cassette is not saved.
    ///
    /// # Errors
    /// The cassette has answers of another model.
    pub async fn run(&self, suite: &Suite) -> Result<Report, Unread> {
        let bench = self.bench()?;
        let jobs = self.jobs(suite);
        let total = jobs.len();
        // On the heap, since closures over lifetimes make a future that no thread may take over.
        let runs: Vec<BoxFuture<'_, (usize, Done)>> = jobs
            .iter()
            .enumerate()
            .map(|(place, job)| -> BoxFuture<'_, (usize, Done)> {
                let bench = &bench;
                Box::pin(async move { (place, job.run(bench).await) })
            })
            .collect();
        let mut under_way = stream::iter(runs).buffer_unordered(self.concurrency);
        let mut results: Vec<Option<Done>> = jobs.iter().map(|_| None).collect();
        let mut done = 0;
        while let Some((place, result)) = under_way.next().await {
            done += 1;
            results[place] = Some(result);
            if let Some(tell) = &self.on_progress {
                tell(Progress { done, total, skill: &jobs[place].tests.skill });
            }
        }
        drop(under_way);
        let (cases, queries) = gather(suite, &jobs, results, self);
        let confusion = Confusion::of(&queries);
        let (model, judge) = (bench.model_name, bench.judge_name);
        let (price, notes) = (self.price, suite.notes.clone());
        Ok(Report { model, judge, runs: self.runs, cases, queries, confusion, price, notes })
    }

    fn bench(&self) -> Result<Bench, Unread> {
        let model = self.runner.language_model();
        let name = |role, model: &Option<Arc<dyn LanguageModel>>| {
            let asked = model.as_ref().filter(|_| self.cassette.asks()).map(|model| model.name().to_owned());
            if let Some(name) = &asked {
                self.cassette.name(role, name)?;
            }
            Ok(asked.or_else(|| self.cassette.model(role)))
        };
        let model_name = name(MODEL, &model)?.unwrap_or_else(|| "none".to_owned());
        let judge_name = name(JUDGE, &self.judge)?;
        let mut masks = Masks::of(self.runner.skills());
        for (name, secret) in &self.secrets {
            masks.hide(name, secret);
        }
        Ok(Bench {
            runner: self.runner.clone(),
            model,
            judge: self.judge.clone(),
            model_name,
            judge_name,
            cassette: self.cassette.clone(),
            masks,
            chooses: self.chooses,
            timeout: self.timeout,
        })
    }

    fn jobs<'a>(&self, suite: &'a Suite) -> Vec<Job<'a>> {
        let mut jobs = Vec::new();
        for tests in &suite.skills {
            let mut add = |what: What<'a>| jobs.extend((1..=self.runs).map(|run| Job { tests, what, run }));
            for case in &tests.cases {
                add(What::Case(case, true));
                if self.has_baseline && matches!(case.ask, Ask::Prompt { .. }) {
                    add(What::Case(case, false));
                }
            }
            tests.queries.iter().for_each(|query| add(What::Query(query)));
        }
        jobs
    }
}

/// One run to be done.
struct Job<'a> {
    tests: &'a Tests,
    what: What<'a>,
    run: u32,
}

#[derive(Clone, Copy)]
enum What<'a> {
    /// A case, with its skill or without.
    Case(&'a Case, bool),
    Query(&'a Query),
}

enum Done {
    Run(Run),
    Choice(Choice),
}

impl Job<'_> {
    async fn run(&self, bench: &Bench) -> Done {
        match self.what {
            What::Case(case, with) => Done::Run(bench.run(self.tests, case, with, self.run).await),
            What::Query(query) => Done::Choice(bench.choose(self.tests, query, self.run).await),
        }
    }
}

/// Puts the results where they belong: jobs are in the order of the suite.
fn gather(
    suite: &Suite,
    jobs: &[Job<'_>],
    results: Vec<Option<Done>>,
    trial: &Trial,
) -> (Vec<CaseReport>, Vec<QueryReport>) {
    let mut cases = Vec::new();
    let mut queries = Vec::new();
    for tests in &suite.skills {
        for case in &tests.cases {
            let ask = match &case.ask {
                Ask::Prompt { text, .. } => text.clone(),
                Ask::Input(input) => input.to_string(),
            };
            let (skill, id) = (tests.skill.clone(), case.id.clone());
            cases.push(CaseReport { skill, id, ask, with: Arm::default(), without: None });
        }
        for query in &tests.queries {
            queries.push(QueryReport {
                skill: tests.skill.clone(),
                query: query.text.clone(),
                should_trigger: query.should_trigger,
                file: query.file.clone(),
                threshold: trial.threshold,
                choices: Vec::new(),
            });
        }
    }
    let (mut case, mut query) = (0, 0);
    for (place, (job, result)) in jobs.iter().zip(results).enumerate() {
        match (job.what, result) {
            (What::Case(_, true), Some(Done::Run(run))) => cases[case].with.runs.push(run),
            (What::Case(_, false), Some(Done::Run(run))) => {
                cases[case].without.get_or_insert_with(Arm::default).runs.push(run);
            }
            (What::Query(_), Some(Done::Choice(choice))) => queries[query].choices.push(choice),
            _ => {}
        }
        // The next job may begin the next case, or the next query.
        match (job.what, jobs.get(place + 1).map(|next| next.what)) {
            (What::Case(a, _), Some(What::Case(b, _))) if std::ptr::eq(a, b) => {}
            (What::Case(..), _) => case += 1,
            (What::Query(a), Some(What::Query(b))) if std::ptr::eq(a, b) => {}
            (What::Query(_), _) => query += 1,
        }
    }
    (cases, queries)
}
