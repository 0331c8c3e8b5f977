//! Converts server errors to [`ModelError`]s: one line with the status and the provider's message, without
//! the key.

use std::error::Error as _;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{StatusCode, Url};
use serde_json::Value;
use skills_call::model::ModelError;
use skills_registry::cut;

/// The maximum length of a provider's message, in characters.
const SHOWN: usize = 400;

/// The provider and host for error messages, and the key to remove from them.
#[derive(Clone)]
pub(crate) struct Origin {
    place: String,
    key: Option<String>,
}

impl Origin {
    pub(crate) fn new(base_url: &Url, key: Option<String>) -> Self {
        // Only host and port, since a path or query may contain a secret.
        let host = base_url.host_str().unwrap_or_default();
        let place = base_url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Self { place, key }
    }

    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// Creates an error of this origin, on one line and without the key.
    pub(crate) fn error(&self, message: &str, is_retryable: bool) -> ModelError {
        let error = ModelError::new(self.line(message));
        if is_retryable { error.retryable() } else { error }
    }

    fn line(&self, message: &str) -> String {
        let mut message = format!("{}: {message}", self.place);
        if let Some(key) = &self.key {
            message = message.replace(key, "***");
        }
        one_line(&message)
    }

    /// Creates the error for a response that is not JSON.
    pub(crate) fn no_json(&self, content_type: &str) -> ModelError {
        let found = if content_type.is_empty() { "no content type" } else { content_type };
        self.error(&format!("the response is not JSON but `{found}`; is the base URL right?"), false)
    }

    /// Creates the error for an unsuccessful status, with the provider's message and the time to wait.
    pub(crate) fn status(&self, status: StatusCode, headers: Option<&HeaderMap>, body: &str) -> ModelError {
        let is_retryable = status == StatusCode::REQUEST_TIMEOUT
            || status == StatusCode::TOO_MANY_REQUESTS
            || status.is_server_error();
        let said = if status.is_redirection() {
            "redirects are not followed; is the base URL right?".to_owned()
        } else {
            said(body)
        };
        let reason = status.canonical_reason().unwrap_or_default();
        let colon = if said.is_empty() { "" } else { ": " };
        let error = self.error(&format!("HTTP {} {reason}{colon}{said}", status.as_u16()), is_retryable);
        match headers.and_then(retry_after).filter(|_| is_retryable) {
            Some(wait) => error.with_retry_after(wait),
            None => error,
        }
    }

    /// Creates the error for a failure that a provider reports after status 200.
    pub(crate) fn event(&self, body: &Value) -> ModelError {
        let inner = body.get("error").filter(|error| error.is_object()).unwrap_or(body);
        let kinds = ["type", "code", "status"].map(|key| inner.get(key));
        let is_retryable = kinds.into_iter().flatten().any(|kind| match kind {
            Value::String(kind) => PASSING.contains(&kind.as_str()),
            Value::Number(code) => code.as_u64().is_some_and(|code| matches!(code, 408 | 429 | 500..=599)),
            _ => false,
        });
        self.error(&format!("the provider reports: {}", said(&body.to_string())), is_retryable)
    }

    /// Creates the error for a missing or incomplete response.
    pub(crate) fn transport(&self, error: reqwest::Error) -> ModelError {
        let error = error.without_url();
        let is_retryable = !(error.is_builder() || error.is_redirect());
        let what = if error.is_connect() {
            "cannot connect"
        } else if error.is_timeout() {
            "timed out"
        } else {
            "the connection failed"
        };
        let mut cause = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            cause = inner.to_string();
            source = inner.source();
        }
        self.error(&format!("{what}: {cause}"), is_retryable).with_source(error)
    }
}

/// Reads how long to wait: `retry-after-ms` in milliseconds, or else `retry-after` in seconds. Dates are
/// ignored.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|milliseconds| milliseconds / 1000.0);
    Duration::try_from_secs_f64(seconds.or_else(|| number("retry-after"))?).ok()
}

/// Error kinds that are temporary, of OpenAI, Anthropic and Gemini.
const PASSING: [&str; 10] = [
    "server_error",
    "rate_limit_exceeded",
    "rate_limit_error",
    "overloaded_error",
    "api_error",
    "timeout_error",
    "RESOURCE_EXHAUSTED",
    "UNAVAILABLE",
    "INTERNAL",
    "DEADLINE_EXCEEDED",
];

/// Finds the message in the body of an error. Returns the body itself if its form is unknown.
fn said(body: &str) -> String {
    let parsed: Value = serde_json::from_str(body).unwrap_or(Value::Null);
    let first = parsed.get(0).unwrap_or(&parsed);
    let message = ["/error/message", "/error", "/message", "/detail"]
        .into_iter()
        .find_map(|pointer| first.pointer(pointer).and_then(Value::as_str))
        .or_else(|| parsed.as_str());
    one_line(message.unwrap_or(body))
}

/// Collapses whitespace and control characters, and shortens a long text.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split(|found: char| found.is_whitespace() || found.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    cut(&line, SHOWN)
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
