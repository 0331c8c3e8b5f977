//! Skills as functions: an input is checked, the skill runs as its mode says, the output is checked (SPEC 6.4).
//!
//! ```text
//! Library (bundle, layers) -> Function -> host | program | model | pipeline -> output
//! ```

mod context;
mod function;
mod host;

pub use context::Context;
pub use function::{Function, Functions, Library};
pub use host::{BoxFuture, Dispatch, Failure};
