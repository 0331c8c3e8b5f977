//! The shared settings of workers and clients for one set of skills.

use std::time::Duration;

use temporalio_client::RetryPolicy;

/// A time limit that is never reached, because the skill's own time limit is shorter.
pub(crate) const FOREVER: Duration = Duration::from_secs(30 * 24 * 3600);

/// The shared settings of workers and clients for one set of skills.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The prefix of all task queue names; empty by default.
    pub prefix: String,
    /// If a worker sends no heartbeat for this long, it counts as dead, and its work is started elsewhere: 5
    /// s by default. Heartbeats are sent each second, which is also the delay of a cancellation.
    pub heartbeat: Duration,
    /// How long a worker may fail to respond before its pipeline is moved to another worker: 5 s by default.
    pub task_timeout: Duration,
    /// How long a pipeline waits for the worker that has it in memory before another takes over: 1 s by
    /// default.
    pub sticky: Duration,
    /// How many pipelines a worker keeps in memory for each queue: 1,000 by default. With 0, each reply
    /// replays the run.
    pub cached: usize,
    /// How many poll requests are open for each queue and kind: 5 by default, at least 2.
    pub pollers: usize,
    /// The number of events after which a run continues in a new history. With 0, the default, the server
    /// decides (4,096 events, or 4 MB).
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

    /// Returns the heartbeat interval of running functions.
    pub(crate) fn beat(&self) -> Duration {
        (self.heartbeat / 3).clamp(Duration::from_millis(100), Duration::from_secs(1))
    }

    /// Returns the retry policy. Its delays are short, so that another worker soon takes over from one that
    /// died.
    pub(crate) fn retries(&self) -> RetryPolicy {
        RetryPolicy::builder()
            .initial_interval(Duration::from_millis(100))
            .maximum_interval(Duration::from_secs(5))
            .build()
    }
}
