//! The object-safe trait for host functions, which generated code implements for every `Host`.

use std::sync::Arc;

use crate::boxed::{BoxFuture, Failure};

/// Runs host functions by name: JSON text in, JSON text out.
pub trait Dispatch: Send + Sync + 'static {
    /// Starts the function for a skill. Returns `None` if the host has no function for it.
    ///
    /// The input is already checked and has its defaults; the caller checks the output. The function must not
    /// start before the future is polled.
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a super::Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>>;

    /// Returns `true` if there is a function for a skill, without running it.
    ///
    /// The default calls [`Dispatch::call`] and drops the future before it is polled.
    fn serves(&self, skill: &str) -> bool {
        self.call(skill, String::new(), &super::Context::default()).is_some()
    }
}

impl<D: Dispatch + ?Sized> Dispatch for Arc<D> {
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a super::Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
        D::call(self, skill, input, context)
    }

    fn serves(&self, skill: &str) -> bool {
        D::serves(self, skill)
    }
}
