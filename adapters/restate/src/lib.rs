//! Skills on [Restate](https://restate.dev): pipelines survive any crash, and their steps run on any machine. Experimental:
//! services whose names are known at run time need what the SDK hides.
//!
//! Each skill becomes a service of its name, with its schemas: a pipeline a workflow (`/report/KEY/run`,
//! `/report/KEY/progress`), every other skill a service (`/summarize/call`). A pipeline calls the services of its steps, so a
//! step runs wherever the service of its skill is registered. A [`Worker`] serves skills; [`Remote`] starts runs, and is where
//! a runner makes its calls ([`Runner::remote`](skills_call::Runner::remote)).
//!
//! ```no_run
//! # async fn example(runner: skills_call::Runner) -> Result<(), skills_restate::Failure> {
//! // `restate-server` runs; this serves, and tells it where.
//! let remote = skills_restate::Remote::new("127.0.0.1:8080", "127.0.0.1:9070");
//! let worker = skills_restate::Worker::new(runner);
//! let (served, told) = tokio::join!(worker.serve(([127, 0, 0, 1], 9080).into()), remote.register("http://127.0.0.1:9080"));
//! served.and(told)
//! # }
//! ```

mod flow;
mod handler;
mod http;
mod line;
mod remote;
mod worker;

pub use remote::{Remote, Run, Summary};
pub use skills_call::durable::Progress;
pub use worker::Worker;

/// What talks to the server fails with.
pub type Failure = skills_call::Failure;
