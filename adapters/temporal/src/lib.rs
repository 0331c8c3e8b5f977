//! Runs skills on [Temporal](https://temporal.io): pipelines survive any crash, and their steps run on any
//! machine.
//!
//! Each skill has a task queue of its name. A run is a workflow of the type `skill`: the workflow of a
//! pipeline schedules its steps, and the workflow of any other skill runs one activity, which is also of the
//! type `skill`. A step runs wherever a [`Worker`] polls the queue of its skill; a nested pipeline is a child
//! workflow. [`Remote`] starts runs, and a runner can use it for its calls
//! ([`Runner::remote`](skills_call::Runner::remote)).

mod flow;
mod json;
mod remote;
mod settings;
mod steps;
mod worker;
mod workflow;

pub use remote::{Remote, Run, Summary};
pub use settings::Settings;
pub use skills_durable::Progress;
pub use steps::StepAttempt;
pub use worker::Worker;

/// The error of operations on the server.
pub type Failure = skills_call::Failure;

/// The maximum size of a payload. By default servers refuse more than 2 MiB, including the data around it.
pub const MAX_PAYLOAD: usize = 2_000_000;

/// Returns the error text, with advice, for a text that is too large for the server.
fn too_large(what: &str, bytes: usize) -> String {
    format!(
        "{what} has {bytes} bytes, and Temporal takes {MAX_PAYLOAD} at most: put large values into a file or a \
         store that the workers share, and pass the name"
    )
}
