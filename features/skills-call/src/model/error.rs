//! Why a model gave no answer, whether to ask again, and when.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::boxed::Failure;

/// Why a model gave no answer. `Display` is the message, and no more.
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
    /// What happened, in one line, without keys and other secrets.
    pub message: String,
    /// Whether the same request may succeed later: connection lost, 408, 429, 5xx.
    pub is_retryable: bool,
    /// How long the provider wants to be left alone before the next request, when it says so.
    pub retry_after: Option<Duration>,
    /// What lies behind it; it tells no secrets either.
    pub source: Option<Failure>,
}

impl ModelError {
    /// Makes an error that lasts.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_retryable: false, retry_after: None, source: None }
    }

    /// Marks it as one that may pass.
    #[must_use]
    pub fn retryable(self) -> Self {
        Self { is_retryable: true, ..self }
    }

    /// Says when to ask again.
    #[must_use]
    pub fn with_retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    /// Says what lies behind it.
    #[must_use]
    pub fn with_source(self, source: impl Into<Failure>) -> Self {
        Self { source: Some(source.into()), ..self }
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
