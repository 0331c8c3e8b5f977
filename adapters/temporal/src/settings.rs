//! What the workers and clients of one set of skills agree on.

use std::time::Duration;

use temporalio_client::RetryPolicy;

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
