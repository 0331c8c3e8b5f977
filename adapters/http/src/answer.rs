//! JSON answers: what every route returns, whether it went well or not (SPEC 11.2).

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use skills_runtime::Violation;

/// A refusal or a failure: a status, a code that programs read, and a text that people read.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    body: Value,
}

impl Problem {
    /// Makes a problem that its code says all of.
    pub(crate) fn bare(status: StatusCode, code: &str) -> Self {
        Self { status, body: json!({ "error": code }) }
    }

    /// Makes a problem with a detail.
    pub(crate) fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        Self { status, body: json!({ "error": code, "detail": detail.into() }) }
    }

    /// Makes the problem of an input that breaks rules of its schema.
    pub(crate) fn invalid_input(violations: &[Violation]) -> Self {
        let told = |violation: &Violation| {
            let Violation { pointer, rule, expected, found } = violation;
            json!({ "pointer": pointer, "rule": rule, "expected": expected, "actual": found })
        };
        let violations: Vec<Value> = violations.iter().map(told).collect();
        let body = json!({ "error": "invalid_input", "violations": violations });
        Self { status: StatusCode::BAD_REQUEST, body }
    }

    /// Makes the one answer to a skill that is unknown and to one that is gated.
    pub(crate) fn unknown_skill() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "skill not found or not available")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = json_text(self.body.to_string());
        *response.status_mut() = self.status;
        response
    }
}

/// Answers with JSON text.
pub(crate) fn json_text(text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
