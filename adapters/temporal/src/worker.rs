//! A process that polls the queues of skills.

use skills_call::Runner;
use skills_durable::SharedProgress;
use temporalio_client::Client;
use temporalio_sdk::runtime::PollerBehavior;
use temporalio_sdk::{Runtime, WorkerOptions};

use crate::Failure;
use crate::settings::Settings;
use crate::workflow::{Leaf, Pipeline};

/// Serves the skills of a runner to Temporal.
///
/// Any number of workers may serve the same skill. A worker that joins gets work from then on.
pub struct Worker {
    runner: Runner,
    settings: Settings,
    only: Option<Vec<String>>,
}

impl Worker {
    /// Creates a worker that serves every pipeline of the runner, and every other skill that it can run.
    pub fn new(runner: Runner) -> Self {
        Self { runner, settings: Settings::default(), only: None }
    }

    /// Serves only these skills, such as those whose programs are on this machine.
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

    /// Returns the names of the skills to serve.
    ///
    /// # Errors
    /// If a skill of [`Worker::only`] cannot be run here, if there are no skills, or if the workspace does
    /// not exist.
    pub fn serves(&self) -> Result<Vec<String>, Failure> {
        self.runner.server_access().servable(self.only.as_deref())
    }

    /// Serves until the future is dropped, or the server refuses permanently.
    ///
    /// # Errors
    /// See [`Worker::serves`]. Also fails if the server cannot be reached.
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
