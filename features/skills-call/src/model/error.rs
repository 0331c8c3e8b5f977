//! The error of a model call, with whether and when to retry.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::host::Failure;
use skills_runtime::__setters as setters;

/// The error of a model call. `Display` is only the message.
///
/// ```
/// use std::time::Duration;
/// use skills_call::model::ModelError;
///
/// let busy = ModelError::new("HTTP 429").retryable().with_retry_after(Duration::from_secs(2));
/// assert!(busy.is_retryable && busy.retry_after.is_some());
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct ModelError {
    /// The message: one line, without keys and other secrets.
    pub message: String,
    /// Whether the same request may succeed later: connection lost, 408, 429, 5xx.
    pub is_retryable: bool,
    /// How long the provider asks to wait before the next request.
    pub retry_after: Option<Duration>,
    /// The cause, which must not contain secrets either.
    pub source: Option<Failure>,
}

impl ModelError {
    /// Creates a permanent error.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_retryable: false, retry_after: None, source: None }
    }

    /// Marks the error as temporary.
    #[must_use]
    pub fn retryable(self) -> Self {
        Self { is_retryable: true, ..self }
    }

    setters! {
        /// Sets the time to wait before a retry.
        #[must_use]
        with_retry_after(wait: Duration) => retry_after = Some(wait);
        /// Sets the cause.
        #[must_use]
        with_source(source: impl Into<Failure>) => source = Some(source.into());
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}
