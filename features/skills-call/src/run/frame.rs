//! The data of one call for the code that runs its skill: `code`, `plan` and a model read it.

use std::sync::Arc;
use std::time::Duration;

use skills_schema::json::Node;

use super::blocking::with_function;
use super::engine::Call;
use crate::{CallError, CallId, Function, Steps};

/// Everything that is needed to run a skill.
#[derive(Clone, Copy)]
pub(crate) struct CallFrame<'a> {
    pub(crate) call: &'a Arc<Call>,
    pub(crate) id: CallId,
    pub(crate) function: Function<'a>,
    /// The input: checked JSON text with its defaults.
    pub(crate) input: &'a str,
    pub(crate) depth: u32,
    /// The time limit of one attempt.
    pub(crate) limit: Duration,
    pub(crate) is_typed: bool,
    pub(crate) place: Option<&'a str>,
}

impl CallFrame<'_> {
    pub(crate) fn name(&self) -> String {
        self.function.skill.name().to_owned()
    }

    /// Returns the [`Steps`] that make the attempts of the call's steps; `None` if this process makes them.
    pub(crate) fn steps(&self) -> Option<&dyn Steps> {
        self.place.and(self.call.steps.as_deref())
    }

    /// Runs work that needs the function. Work on a long text runs outside the threads of the runtime, within the
    /// time limit of an attempt.
    pub(crate) async fn with_function<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(Function<'_>) -> Result<T, CallError> + Send + 'static,
    ) -> Result<T, CallError> {
        with_function(self.call, self.function, self.is_typed, self.limit, bytes, work).await
    }

    /// Waits. If an engine makes the steps of the call, it also measures the time.
    pub(crate) async fn sleep(&self, duration: Duration) {
        match self.steps() {
            Some(steps) => steps.sleep(duration).await,
            None => tokio::time::sleep(duration).await,
        }
    }

    /// Parses the input into a document for templates.
    pub(crate) fn document(&self) -> Result<Node, CallError> {
        self.function.document(self.input)
    }
}
