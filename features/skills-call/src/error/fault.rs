//! A failure that happened in another process, as plain data.

use std::time::Duration;

use super::{CallError, ErrorKind};
use skills_runtime::typed::Violation;

/// Why a call failed that was made elsewhere, as it was recorded: all that a pipeline or a caller decides by.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Fault {
    /// The kind of the failure.
    pub kind: ErrorKind,
    /// The whole text, which clients are told: record [`CallError::for_clients`] where they may not read what a provider of
    /// models said.
    pub text: String,
    /// Whether the same call may succeed when it is made again.
    pub is_retryable: bool,
    /// How long the provider of a model wants to be left alone; zero when it did not say.
    pub retry_after: Duration,
    /// The broken rules of an invalid input or output.
    pub violations: Vec<Violation>,
}

impl Fault {
    /// Makes one that another attempt does not help, and of which nothing else is known.
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        let (retry_after, violations) = (Duration::ZERO, Vec::new());
        Self { kind, text: text.into(), is_retryable: false, retry_after, violations }
    }

    /// Sets whether the same call may succeed when it is made again.
    pub fn retryable(self, is_retryable: bool) -> Self {
        Self { is_retryable, ..self }
    }

    /// Takes what is to be known elsewhere of a failure here, with the text for clients (SPEC 6.8).
    pub fn of(error: &CallError) -> Self {
        Self {
            retry_after: error.retry_after(),
            violations: error.violations().into_owned(),
            ..Self::new(error.kind(), error.for_clients()).retryable(error.is_retryable())
        }
    }
}
