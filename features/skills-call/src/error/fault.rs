//! A failure that happened in another process: plain data, as it was recorded.

use std::time::Duration;

use super::{CallError, ErrorKind};
use skills_runtime::typed::Violation;

/// The recorded reason why a remote call failed, with all data that a pipeline or a caller needs for its
/// decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Fault {
    /// The kind of the failure.
    pub kind: ErrorKind,
    /// The full text, which clients see. Record [`CallError::for_clients`] if they must not read the messages
    /// of a model provider.
    pub text: String,
    /// Whether the same call may succeed if it is made again.
    pub is_retryable: bool,
    /// How long to wait before the next request to the model provider; zero if the provider did not say.
    pub retry_after: Duration,
    /// The broken rules of an invalid input or output.
    pub violations: Vec<Violation>,
}

impl Fault {
    /// Creates a failure that is not retryable, without further details.
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        let (retry_after, violations) = (Duration::ZERO, Vec::new());
        Self { kind, text: text.into(), is_retryable: false, retry_after, violations }
    }

    /// Sets whether the same call may succeed if it is made again.
    pub fn retryable(self, is_retryable: bool) -> Self {
        Self { is_retryable, ..self }
    }

    /// Converts an error of this process, with the text for clients.
    pub fn of(error: &CallError) -> Self {
        Self {
            retry_after: error.retry_after(),
            violations: error.violations().into_owned(),
            ..Self::new(error.kind(), error.for_clients()).retryable(error.is_retryable())
        }
    }
}
