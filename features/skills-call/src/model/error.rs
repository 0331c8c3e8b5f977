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
    /// The kind of failure, as far as the model can tell.
    pub kind: ModelErrorKind,
    /// The cause, which must not contain secrets either.
    pub source: Option<Failure>,
}

/// The kind of failure of a model call. Unlike the message of the error, it is for every reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// No API key is set.
    NoKey,
    /// The provider refused the API key: 401 or 403.
    KeyRefused,
    /// The provider has no model of this name, or nothing is at the address: 404.
    UnknownModel,
    /// The server of the model could not be connected to.
    Unreachable,
    /// The requests exceed a limit of the account: 429.
    RateLimit,
    /// The request has more tokens than the model accepts.
    TooLong,
    /// The server of the model failed or did not answer in time: 408 or 5xx.
    Unavailable,
    /// Any other error.
    #[default]
    Other,
}

impl ModelErrorKind {
    /// Returns the kind that the status of an HTTP response stands for.
    pub fn from_status(status: u16) -> Self {
        match status {
            401 | 403 => Self::KeyRefused,
            404 => Self::UnknownModel,
            429 => Self::RateLimit,
            408 | 500..=599 => Self::Unavailable,
            _ => Self::Other,
        }
    }
}

impl ModelError {
    /// Creates a permanent error.
    pub fn new(message: impl Into<String>) -> Self {
        let kind = ModelErrorKind::Other;
        Self { message: message.into(), is_retryable: false, retry_after: None, kind, source: None }
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
        /// Sets what went wrong.
        #[must_use]
        with_kind(kind: ModelErrorKind) => kind = kind;
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
