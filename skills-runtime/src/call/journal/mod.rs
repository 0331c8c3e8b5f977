//! Finished steps are written down, so that an interrupted run goes on where it ended.

use super::{BoxFuture, Failure};

/// Keeps the results of finished steps.
///
/// A run is named by the caller ([`CallOptions::journal`](super::CallOptions::journal)); a step of it by a key that
/// the engine makes of its place in the run, its skill and the skill's version, and a digest of its input. What is
/// found under a key is checked by the schema of the skill's output before it is used.
pub trait StepStore: Send + Sync + 'static {
    /// Looks a finished step up.
    ///
    /// A store that finds something broken answers with nothing, which runs the step again, or with an error, which
    /// fails the call; never with something that was not saved.
    fn load<'a>(&'a self, run: &'a str, step: &'a str) -> BoxFuture<'a, Result<Option<String>, Failure>>;

    /// Writes a finished step down: all of it, or nothing when it is interrupted.
    fn save<'a>(&'a self, run: &'a str, step: &'a str, output: &'a str)
    -> BoxFuture<'a, Result<(), Failure>>;
}
