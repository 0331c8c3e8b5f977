//! The data of one call for the code that runs its skill: `code`, `plan` and a model read it.

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use super::attempt::within;
use super::blocking::{SHORT, run_blocking};
use super::engine::Call;
use crate::{CallError, CallId, Function, Steps};
use skills_runtime::typed::Violation;

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
    /// The bundle whose skill is called, in a typed call.
    pub(crate) bundle: Option<TypeId>,
    pub(crate) place: Option<&'a str>,
    /// The rules that an earlier output of the same call broke.
    pub(crate) rejected: &'a [Violation],
}

impl CallFrame<'_> {
    pub(crate) fn name(&self) -> String {
        self.function.skill.name().to_owned()
    }

    /// Returns the [`Steps`] that make the attempts of the call's steps; `None` if this process makes them.
    pub(crate) fn steps(&self) -> Option<&dyn Steps> {
        self.place.and(self.call.steps.as_deref())
    }

    /// Runs work that needs the function. For a long text, uses [`run_blocking`] within the time limit of an
    /// attempt.
    ///
    /// If an engine replays the call, the work runs immediately: such an engine polls a call until it waits, and
    /// could not distinguish waiting for a thread from waiting for a step.
    pub(crate) async fn with_function<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(Function<'_>) -> Result<T, CallError> + Send + 'static,
    ) -> Result<T, CallError> {
        if bytes <= SHORT || self.call.steps.is_some() {
            return work(self.function);
        }
        let (call, name, bundle) = (Arc::clone(self.call), self.name(), self.bundle);
        let checked = run_blocking(bytes, move || work(call.engine.find(&name, bundle)?));
        // The future is boxed, so that calls with short texts reserve no space for it.
        Box::pin(within(self.function.skill, self.limit, checked)).await
    }

    /// Waits. If an engine makes the steps of the call, it also measures the time.
    pub(crate) async fn sleep(&self, duration: Duration) {
        match self.steps() {
            Some(steps) => steps.sleep(duration).await,
            None => tokio::time::sleep(duration).await,
        }
    }
}
