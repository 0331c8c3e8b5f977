//! A trial: which runs to make, how many, and with which models.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::Cassette;
use super::report::Price;
use skills_call::Runner;
use skills_call::model::LanguageModel;
use skills_runtime::__setters as setters;

/// The progress of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The number of finished runs.
    pub done: usize,
    /// The total number of runs.
    pub total: usize,
    /// The skill of the last finished run.
    pub skill: &'a str,
}

type OnProgress = Arc<dyn Fn(Progress<'_>) + Send + Sync>;

/// Runs a [`Suite`](super::Suite) with a runner and its model.
///
/// ```
/// # use skills_call::Runner;
/// # use skills_runtime::{Registry, Tables};
/// # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use skills_eval::{Suite, Trial};
/// use skills_call::testing::ScriptedModel;
///
/// # let runner = Runner::new(&SKILLS);
/// let trial = Trial::new(runner.model(ScriptedModel::default())).runs(5).concurrency(2);
/// let report = trial.run(&Suite::default()).await.unwrap();
/// assert!(!report.passes(0.0, true), "where nothing was tried nothing passes");
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Trial {
    pub(super) runner: Runner,
    pub(super) judge: Option<Arc<dyn LanguageModel>>,
    pub(super) cassette: Cassette,
    pub(super) runs: u32,
    pub(super) concurrency: usize,
    pub(super) threshold: f64,
    pub(super) has_baseline: bool,
    pub(super) chooses: bool,
    pub(super) timeout: Option<Duration>,
    pub(super) price: Price,
    pub(super) secrets: Vec<(String, String)>,
    pub(super) on_progress: Option<OnProgress>,
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
    /// Creates a trial of a runner's skills with its model.
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

    setters! {
        /// Sets the model that grades checks that code cannot. By default it is unset, and these checks are
        /// not graded.
        judge(judge: impl LanguageModel) => judge = Some(Arc::new(judge));
        /// Sets the cassette for recording or replaying exchanges. By default it is unset.
        cassette(cassette: Cassette) => cassette = cassette;
        /// Sets how many times each case is run: 3 by default, at least 1.
        runs(runs: u32) => runs = runs.max(1);
        /// Sets the maximum number of concurrent runs: 4 by default, at least 1.
        concurrency(count: usize) => concurrency = count.max(1);
        /// Sets the trigger rate above which a query counts as triggered: 0.5 by default.
        trigger_threshold(rate: f64) => threshold = rate;
        /// Sets whether prompts are also run without their skill. The default is `true`.
        baseline(has_baseline: bool) => has_baseline = has_baseline;
        /// Sets whether the model has to load the skill of a prompt by itself. By default it is loaded
        /// beforehand, and trigger queries test whether the model would load it.
        choosing(chooses: bool) => chooses = chooses;
        /// Sets the time limit of one attempt of a call. The default is the limit of its skill.
        timeout(limit: impl Into<Option<Duration>>) => timeout = limit.into();
        /// Sets the price of tokens.
        price(price: Price) => price = price;
        /// Sets a callback for progress. It must not block.
        on_progress(observer: impl Fn(Progress<'_>) + Send + Sync + 'static) => on_progress = Some(Arc::new(observer));
    }

    /// Hides a text in cassettes and reports by replacing it with `[name]`, in addition to the secrets of the
    /// environment.
    pub fn hide(mut self, name: &str, secret: &str) -> Self {
        self.secrets.push((name.to_owned(), secret.to_owned()));
        self
    }
}
