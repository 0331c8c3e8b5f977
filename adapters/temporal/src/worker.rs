//! A process that polls the queues of skills.

use std::time::Duration;

use skills_runtime::call::Runner;
use skills_runtime::call::durable::SharedProgress;
use temporalio_client::{Client, RetryPolicy};
use temporalio_sdk::runtime::PollerBehavior;
use temporalio_sdk::{Runtime, WorkerOptions};

use crate::Failure;
use crate::workflow::{Leaf, Pipeline};

/// A limit that nothing reaches: the skill has one of its own.
pub(crate) const FOREVER: Duration = Duration::from_secs(30 * 24 * 3600);

/// What the workers and clients of one set of skills agree on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// What the names of all task queues begin with; nothing by default.
    pub prefix: String,
    /// After how long without a sign of life a worker counts as dead, and what it ran is begun elsewhere: 5 s by default.
    /// Signs are sent each second, which is also how soon a cancellation is heard.
    pub heartbeat: Duration,
    /// After how long a worker that does not answer about a pipeline loses it to another: 5 s by default.
    pub task_timeout: Duration,
    /// How long a pipeline waits for the worker that has it in memory before another takes it over: 1 s by default.
    pub sticky: Duration,
    /// How many pipelines a worker keeps in memory, for each queue: 1,000 by default. With 0 each answer replays a run.
    pub cached: usize,
    /// How many requests for work are open for each queue, and each kind: 5 by default, at least 2.
    pub pollers: usize,
    /// After how many events a run goes on in a new history; 0, the default, leaves it to the server (4,096, or 4 MB).
    pub history: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            prefix: String::new(),
            heartbeat: Duration::from_secs(5),
            task_timeout: Duration::from_secs(5),
            sticky: Duration::from_secs(1),
            cached: 1000,
            pollers: 5,
            history: 0,
        }
    }
}

impl Settings {
    pub(crate) fn queue(&self, skill: &str) -> String {
        format!("{}{skill}", self.prefix)
    }

    /// How often a function that runs gives a sign of life.
    pub(crate) fn beat(&self) -> Duration {
        (self.heartbeat / 3).clamp(Duration::from_millis(100), Duration::from_secs(1))
    }

    /// A worker that died is followed by another soon.
    pub(crate) fn retries(&self) -> RetryPolicy {
        RetryPolicy::builder()
            .initial_interval(Duration::from_millis(100))
            .maximum_interval(Duration::from_secs(5))
            .build()
    }
}

/// Serves the skills of a runner to Temporal.
///
/// Any number of workers may serve the same skill; a worker that joins takes work from then on.
pub struct Worker {
    runner: Runner,
    settings: Settings,
    only: Option<Vec<String>>,
}

impl Worker {
    /// Makes a worker that serves every pipeline of the runner, and every other skill that it can run.
    pub fn new(runner: Runner) -> Self {
        Self { runner, settings: Settings::default(), only: None }
    }

    /// Serves these skills only, such as those whose programs are on this machine.
    #[must_use]
    pub fn only<S: Into<String>>(mut self, skills: impl IntoIterator<Item = S>) -> Self {
        self.only = Some(skills.into_iter().map(Into::into).collect());
        self
    }

    /// Changes the settings.
    #[must_use]
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Names what is served.
    ///
    /// # Errors
    /// A skill of [`Worker::only`] cannot be run here, there is none at all, or the workspace is not there.
    pub fn serves(&self) -> Result<Vec<String>, Failure> {
        self.runner.servable(self.only.as_deref())
    }

    /// Serves until the future is dropped, or the server refuses for good.
    ///
    /// # Errors
    /// As [`Worker::serves`], and when the server cannot be talked to.
    pub async fn serve(&self, client: Client) -> Result<(), Failure> {
        let names = self.serves()?;
        let runtime = Runtime::from_current_tokio(Default::default())?;
        let mut workers = Vec::new();
        for name in names {
            let served = (self.runner.clone(), self.settings.clone());
            let leaf = Leaf { runner: self.runner.clone(), settings: self.settings.clone() };
            let pollers = PollerBehavior::SimpleMaximum(self.settings.pollers.max(2));
            let options = WorkerOptions::new(self.settings.queue(&name))
                .sticky_queue_schedule_to_start_timeout(self.settings.sticky)
                .max_cached_workflows(self.settings.cached)
                .max_heartbeat_throttle_interval(self.settings.beat())
                .activity_task_poller_behavior(pollers)
                .workflow_task_poller_behavior(pollers)
                .register_workflow_with_factory::<Pipeline, _>(move || Pipeline {
                    served: Some(served.clone()),
                    progress: SharedProgress::default(),
                })?
                .register_activities(leaf)
                .build();
            workers.push(temporalio_sdk::Worker::new(&runtime, client.clone(), options)?);
        }
        let runs = workers.iter_mut().map(temporalio_sdk::Worker::run);
        futures_util::future::try_join_all(runs).await?;
        Ok(())
    }
}
