//! Converts genai's errors to [`ModelError`]s: one line with the status and the provider's message, without
//! the key.

use std::error::Error as _;
use std::string::FromUtf8Error;
use std::time::Duration;

use genai::resolver::AuthData;
use genai::webc::StreamTimeout;
use genai::{BoxError, ServiceTarget, webc};
use reqwest::header::HeaderMap;
use reqwest::{StatusCode, Url};
use serde_json::Value;
use skills_call::model::{ModelError, ModelErrorKind};
use skills_text::cut;

use crate::answer::Fault;

/// The maximum length of a provider's message, in characters.
const SHOWN: usize = 400;

/// The host for error messages, and the secrets to remove from them.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    place: String,
    secrets: Vec<String>,
}

impl Origin {
    pub(crate) fn new(target: &ServiceTarget) -> Self {
        let url = match &target.auth {
            AuthData::RequestOverride { url, .. } => url,
            _ => target.endpoint.base_url(),
        };
        // Only the host and the port are shown, since a path or query may contain a secret.
        let url = Url::parse(url).ok();
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        let port = url.as_ref().and_then(Url::port);
        let place = port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let mut secrets: Vec<String> = match &target.auth {
            AuthData::RequestOverride { headers, .. } => {
                headers.iter().map(|(_, value)| value.clone()).collect()
            }
            AuthData::MultiKeys(keys) => keys.values().cloned().collect(),
            other => other.single_key_value().into_iter().collect(),
        };
        let tokens = secrets.iter().filter_map(|secret| secret.strip_prefix("Bearer "));
        let tokens: Vec<String> = tokens.map(str::to_owned).collect();
        secrets.extend(tokens);
        secrets.retain(|secret| !secret.trim().is_empty());
        // A secret that contains another is removed first.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { place, secrets }
    }

    /// Creates an error of this origin, on one line and without secrets.
    fn error(&self, message: &str, is_retryable: bool) -> ModelError {
        let error = ModelError::new(self.line(message));
        if is_retryable { error.retryable() } else { error }
    }

    fn line(&self, message: &str) -> String {
        let colon = if self.place.is_empty() { "" } else { ": " };
        let mut message = format!("{}{colon}{message}", self.place);
        for secret in &self.secrets {
            message = message.replace(secret, "***");
        }
        one_line(&message)
    }

    pub(crate) fn timed_out(&self) -> ModelError {
        self.error("timed out", true).with_kind(ModelErrorKind::Unavailable)
    }

    /// Creates the error for a stream without an end.
    pub(crate) fn broken_off(&self) -> ModelError {
        self.error("the stream ended before the answer was complete; is the base URL right?", true)
    }

    /// Creates the error for events that are not an answer.
    pub(crate) fn fault(&self, fault: Fault) -> ModelError {
        match fault {
            Fault::BrokenToolCall => {
                self.error("the pieces of a tool's arguments do not fit together", false)
            }
            Fault::Unfinished => self.broken_off(),
            Fault::TooMuch(fault) => self.error(&fault.to_string(), false),
        }
    }

    /// Creates the error for a failure that genai reports.
    pub(crate) fn failure(&self, error: genai::Error) -> ModelError {
        use genai::Error::{
            ChatResponse, HttpError, JsonValueExt, NoAuthData, NoAuthResolver, RequiresApiKey, Resolver,
            StreamParse, WebModelCall, WebStream,
        };
        match error {
            WebStream { error, .. } => self.stream(error),
            HttpError { status, body, headers, .. } => self.status(status, &headers, &body),
            WebModelCall { webc_error: webc::Error::Reqwest(error), .. } => self.transport(error),
            ChatResponse { body, .. } => self.event(&body),
            // genai reports a failed response of OpenAI's Responses API with the provider's message in this error.
            StreamParse { serde_error, .. } if serde_error.is_data() => {
                self.error(&format!("the provider reports: {serde_error}"), true)
            }
            StreamParse { serde_error, .. } if serde_error.is_eof() => self.broken_off(),
            StreamParse { serde_error, .. } => {
                self.error(&format!("an event of the stream is not JSON: {serde_error}"), false)
            }
            JsonValueExt(error) => {
                self.error(&format!("an event of the stream has an unknown form: {error}"), false)
            }
            RequiresApiKey { .. } | NoAuthResolver { .. } | NoAuthData { .. } | Resolver { .. } => {
                self.error(&error.to_string(), false).with_kind(ModelErrorKind::NoKey)
            }
            other => self.error(&other.to_string(), false),
        }
    }

    /// Creates the error for a stream that failed.
    fn stream(&self, error: BoxError) -> ModelError {
        let error = match error.downcast::<genai::Error>() {
            Ok(error) => return self.failure(*error),
            Err(other) => other,
        };
        let error = match error.downcast::<reqwest::Error>() {
            Ok(error) => return self.transport(*error),
            Err(other) => other,
        };
        if error.is::<StreamTimeout>() {
            return self.timed_out();
        }
        let is_text = !error.is::<FromUtf8Error>() && !error.is::<std::str::Utf8Error>();
        self.error(&format!("the connection failed: {error}"), is_text)
    }

    /// Creates the error for an unsuccessful status, with the provider's message and the time to wait.
    fn status(&self, status: StatusCode, headers: &HeaderMap, body: &str) -> ModelError {
        let is_retryable = status == StatusCode::REQUEST_TIMEOUT
            || status == StatusCode::TOO_MANY_REQUESTS
            || status.is_server_error();
        let detail = if status.is_redirection() {
            "redirects are not followed; is the base URL right?".to_owned()
        } else {
            provider_message(body)
        };
        let reason = status.canonical_reason().unwrap_or_default();
        let colon = if detail.is_empty() { "" } else { ": " };
        let error = self
            .error(&format!("HTTP {} {reason}{colon}{detail}", status.as_u16()), is_retryable)
            .with_kind(match ModelErrorKind::from_status(status.as_u16()) {
                ModelErrorKind::Other => kind_of_body(body).unwrap_or_default(),
                kind => kind,
            });
        match retry_after(headers).filter(|_| is_retryable) {
            Some(wait) => error.with_retry_after(wait),
            None => error,
        }
    }

    /// Creates the error for a failure that a provider reports after status 200.
    fn event(&self, body: &Value) -> ModelError {
        let inner = body.get("error").filter(|error| error.is_object()).unwrap_or(body);
        let kinds = ["type", "code", "status"].map(|key| inner.get(key));
        let is_retryable = kinds.into_iter().flatten().any(|kind| match kind {
            Value::String(kind) => PASSING.contains(&kind.as_str()),
            Value::Number(code) => code.as_u64().is_some_and(|code| matches!(code, 408 | 429 | 500..=599)),
            _ => false,
        });
        let body = body.to_string();
        self.error(&format!("the provider reports: {}", provider_message(&body)), is_retryable)
            .with_kind(kind_of_body(&body).unwrap_or_default())
    }

    /// Creates the error for a missing or incomplete response.
    fn transport(&self, error: reqwest::Error) -> ModelError {
        let error = error.without_url();
        let is_retryable = !(error.is_builder() || error.is_redirect());
        let (what, kind) = if error.is_connect() {
            ("cannot connect", ModelErrorKind::Unreachable)
        } else if error.is_timeout() {
            ("timed out", ModelErrorKind::Unavailable)
        } else {
            ("the connection failed", ModelErrorKind::Unavailable)
        };
        let mut cause = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            cause = inner.to_string();
            source = inner.source();
        }
        self.error(&format!("{what}: {cause}"), is_retryable).with_kind(kind).with_source(error)
    }
}

/// Reads how long to wait: `retry-after-ms` in milliseconds, or else `retry-after` in seconds. Dates are
/// ignored.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = number_in(headers, "retry-after-ms").map(|milliseconds| milliseconds / 1000.0);
    Duration::try_from_secs_f64(seconds.or_else(|| number_in(headers, "retry-after"))?).ok()
}

fn number_in(headers: &HeaderMap, name: &str) -> Option<f64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// Kinds of temporary errors of OpenAI, Anthropic and Gemini.
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

/// Words in the body of a provider's error, for errors whose status does not say enough. Anthropic and Gemini report a
/// request that is too long as an invalid request, so only the message tells.
const TELLING: [(&str, ModelErrorKind); 9] = [
    ("context_length_exceeded", ModelErrorKind::TooLong),
    ("exceed_context_size", ModelErrorKind::TooLong),
    ("maximum context length", ModelErrorKind::TooLong),
    ("prompt is too long", ModelErrorKind::TooLong),
    ("input token count", ModelErrorKind::TooLong),
    ("API_KEY_INVALID", ModelErrorKind::KeyRefused),
    ("model_not_found", ModelErrorKind::UnknownModel),
    ("RESOURCE_EXHAUSTED", ModelErrorKind::RateLimit),
    ("rate_limit", ModelErrorKind::RateLimit),
];

fn kind_of_body(body: &str) -> Option<ModelErrorKind> {
    TELLING.into_iter().find(|(text, _)| body.contains(text)).map(|(_, kind)| kind)
}

/// Finds the message in the body of an error. Returns the body itself if its form is unknown.
fn provider_message(body: &str) -> String {
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
