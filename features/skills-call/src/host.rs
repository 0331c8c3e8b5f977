//! The functions of a host behind one object-safe door; generated code implements it for every `Host` (SPEC 6.2).

use std::sync::Arc;

use crate::boxed::{BoxFuture, Failure};

/// Runs the functions of a host by name: JSON text in, JSON text out.
pub trait Dispatch: Send + Sync + 'static {
    /// Starts the function that serves a skill; nothing when the host has none for it.
    ///
    /// The input was checked and has its defaults; the output is checked by the caller. Nothing happens before the
    /// future is polled.
    fn call<'a>(
        &'a self,
        skill: &str,
        input: String,
        context: &'a super::Context,
    ) -> Option<BoxFuture<'a, Result<String, Failure>>>;

    /// Returns `true` if the host has a function for the skill. Runs nothing.
    ///
    /// The default asks [`Dispatch::call`] and drops what it starts before it is polled.
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
