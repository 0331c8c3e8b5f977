//! Runs skills on [Restate](https://restate.dev): pipelines survive any crash, and their steps run on any
//! machine. This crate is experimental: the names of its services are known only at run time, and the SDK
//! supports this only through hidden items.
//!
//! Each skill is a service of its name, with its schemas: a pipeline is a workflow (`/report/KEY/run`,
//! `/report/KEY/progress`), and every other skill a service (`/summarize/call`). A pipeline calls the
//! services of its steps, so a step runs wherever the service of its skill is registered. A [`Worker`] serves
//! skills. [`Remote`] starts runs, and a runner can use it for its calls
//! ([`Runner::remote`](skills_call::Runner::remote)).
//!
//! ```no_run
//! # async fn example(runner: skills_call::Runner) -> Result<(), skills_restate::Failure> {
//! // `restate-server` runs; this worker serves skills, and registers with it.
//! let remote = skills_restate::Remote::new("127.0.0.1:8080", "127.0.0.1:9070");
//! let worker = skills_restate::Worker::new(runner);
//! let (served, registered) = tokio::join!(worker.serve(([127, 0, 0, 1], 9080).into()), remote.register("http://127.0.0.1:9080"));
//! served.and(registered)
//! # }
//! ```

mod flow;
mod handler;
mod http;
mod line;
mod remote;
mod worker;

pub use remote::{Remote, Run, Summary};
pub use skills_durable::Progress;
pub use worker::Worker;

/// The error of operations on the server.
pub type Failure = skills_call::Failure;
