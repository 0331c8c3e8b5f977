//! The context of one call, which `code`, `plan` and models read.

use std::sync::Arc;
use std::time::Duration;

use super::apart::with_function;
use super::document::Document;
use super::engine::Call;
use crate::{CallError, CallId, Function, Steps};

/// Everything that the ways to run a skill need to know.
#[derive(Clone, Copy)]
pub(crate) struct CallFrame<'a> {
    pub(crate) call: &'a Arc<Call>,
    pub(crate) id: CallId,
    pub(crate) function: Function<'a>,
    /// Checked JSON text with its defaults.
    pub(crate) input: &'a str,
    pub(crate) depth: u32,
    /// The limit of one attempt.
    pub(crate) limit: Duration,
    pub(crate) is_typed: bool,
    pub(crate) place: Option<&'a str>,
}

impl CallFrame<'_> {
    pub(crate) fn name(&self) -> String {
        self.function.skill.name().to_owned()
    }

    /// Returns who makes the attempts of its steps; nothing when this process just does.
    pub(crate) fn steps(&self) -> Option<&dyn Steps> {
        self.place.and(self.call.steps.as_deref())
    }

    /// Does work with the function, apart from the threads of the runtime where it grows with a long text.
    pub(crate) async fn with_function<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(Function<'_>) -> Result<T, CallError> + Send + 'static,
    ) -> Result<T, CallError> {
        with_function(self.call, self.function, self.is_typed, bytes, work).await
    }

    /// Waits by the clock of its steps.
    pub(crate) async fn sleep(&self, duration: Duration) {
        match self.steps() {
            Some(steps) => steps.sleep(duration).await,
            None => tokio::time::sleep(duration).await,
        }
    }

    /// Reads the input, for templates to look into.
    pub(crate) fn document(&self) -> Result<Document, CallError> {
        self.function.document(self.input)
    }
}
