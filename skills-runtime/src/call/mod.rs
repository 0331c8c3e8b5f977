//! Skills as functions: an input is checked, the skill runs as its mode says, the output is checked (SPEC 6.4).
//!
//! ```text
//! Library (bundle, layers) -> Function -> host | program | model | pipeline -> output
//! ```

mod attempt;
mod cancellation;
mod code;
mod context;
mod engine;
mod error;
mod event;
mod extract;
mod function;
mod host;
mod input;
mod journal;
#[cfg(feature = "load")]
mod layered;
mod options;
mod pipeline;
mod plan;
mod program;
mod prompt;
mod run;
mod runner;
#[cfg(feature = "tracing")]
mod trace;

pub use cancellation::Cancellation;
pub use context::Context;
pub use error::{CallError, ErrorKind};
pub use event::Event;
pub use function::{Function, Functions, Library};
pub use host::{BoxFuture, Dispatch, Failure};
pub use input::{Input, Output};
pub use journal::{FileStore, StepStore};
pub use options::{CallOptions, Observer, Outcome, StepRecord, StepState};
pub use plan::{Plan, PlannedStep, Server};
pub use runner::Runner;
