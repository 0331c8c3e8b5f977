//! JSON answers: what every route returns, whether it went well or not (SPEC 11.2).

use std::convert::Infallible;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt};
use serde_json::{Value, json};
use skills_registry::{cut, nearest};
use skills_schema::{Invalid, Violation};

/// A refusal or a failure: a status, a code that programs read, and a text that people read.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    body: Value,
    header: Option<(&'static str, &'static str)>,
}

/// Tells whether a client asks for answers of a kind.
pub(crate) fn accepts(headers: &HeaderMap, wanted: &str) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = accepted.flat_map(|value| value.split(',')).filter_map(|kind| kind.split(';').next());
    kinds.any(|kind| kind.trim().eq_ignore_ascii_case(wanted))
}

impl Problem {
    /// Returns its status.
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// Makes a problem that its code says all of.
    pub(crate) fn bare(status: StatusCode, code: &str) -> Self {
        Self { status, body: json!({ "error": code }), header: None }
    }

    /// Makes a problem with a detail.
    pub(crate) fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        Self { body: json!({ "error": code, "detail": detail.into() }), ..Self::bare(status, code) }
    }

    /// Makes the problem of an input that breaks rules of its schema.
    pub(crate) fn invalid_input(violations: &[Violation]) -> Self {
        Self::broken("invalid_input", violations)
    }

    /// Makes the problem of a body that is no JSON object.
    pub(crate) fn invalid_json(invalid: &Invalid) -> Self {
        Self::broken("invalid_json", &invalid.violations())
    }

    /// Makes the problem of a body with a member that a route does not know.
    pub(crate) fn unknown_member(member: &str, known: &[&str]) -> Self {
        let hint = match nearest(member, known.iter().copied()) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("it may have {}", known.join(", ")),
        };
        let member = cut(member, 60);
        Self::new(
            StatusCode::BAD_REQUEST,
            "unknown_member",
            format!("the body has no member {member:?}; {hint}"),
        )
    }

    fn broken(code: &str, violations: &[Violation]) -> Self {
        let told = |violation: &Violation| {
            let Violation { pointer, rule, expected, found, property } = violation;
            let mut told = json!({ "pointer": pointer, "rule": rule, "expected": expected, "actual": found });
            if let Some(property) = property {
                told["property"] = json!(property);
            }
            told
        };
        let violations: Vec<Value> = violations.iter().map(told).collect();
        let body = json!({ "error": code, "violations": violations });
        Self { status: StatusCode::BAD_REQUEST, body, header: None }
    }

    /// Returns the problem as a stream tells it, whose own status is sent already.
    pub(crate) fn told(self) -> Value {
        let mut body = self.body;
        body["status"] = self.status.as_u16().into();
        body
    }

    /// Makes the one answer to a skill that is unknown and to one that is gated.
    pub(crate) fn unknown_skill() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "skill not found or not available")
    }

    /// Makes the answer to a run of a skill that is in no list, by its name: where nobody answers for it that is said.
    pub(crate) fn absent_skill(skills: &dyn skills_runtime::call::Library, name: &str) -> Self {
        match skills.untrusted(name) {
            Some(untrusted) => Self::untrusted(&untrusted),
            None => Self::unknown_skill(),
        }
    }

    /// Makes the answer to a run of a skill that nobody answers for.
    pub(crate) fn untrusted(untrusted: &impl std::fmt::Display) -> Self {
        Self::new(StatusCode::FORBIDDEN, "not_trusted", untrusted.to_string())
    }

    /// Makes the answer to a request without the token.
    pub(crate) fn unauthorized() -> Self {
        let told = Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "a bearer token is needed");
        Self { header: Some(("www-authenticate", "Bearer")), ..told }
    }

    /// Makes the answer to a run that finds no place to wait in.
    pub(crate) fn busy() -> Self {
        let told = Self::bare(StatusCode::SERVICE_UNAVAILABLE, "busy");
        Self { header: Some(("retry-after", "1")), ..told }
    }

    /// Makes the answer to a path that is no route.
    fn wrong_path() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is no such route")
    }

    /// Makes the answer to a method that a route does not have.
    pub(crate) fn wrong_method() -> Self {
        Self::bare(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = json_text(self.body.to_string());
        *response.status_mut() = self.status;
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        response
    }
}

/// Gives words to an answer that has none: a router says nothing of paths and methods that none of its routes has.
pub(crate) fn worded(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let problem = match head.status {
        StatusCode::NOT_FOUND => Problem::wrong_path(),
        StatusCode::METHOD_NOT_ALLOWED => Problem::wrong_method(),
        _ => return Response::from_parts(head, body),
    };
    if head.headers.contains_key(header::CONTENT_TYPE) || !body.is_end_stream() {
        return Response::from_parts(head, body);
    }
    let (told, body) = problem.into_response().into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.extend(told.headers);
    Response::from_parts(head, body)
}

/// Answers with server-sent events, which no proxy should hold back.
pub(crate) fn event_stream(frames: impl Stream<Item = String> + Send + 'static) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(frames.map(Ok::<String, Infallible>))).into_response()
}

/// Answers with JSON text.
pub(crate) fn json_text(text: impl Into<Body>) -> Response {
    of_kind("application/json", text)
}

/// Answers with what is of the kind that is said, whatever a browser makes of it.
pub(crate) fn of_kind(kind: &'static str, body: impl Into<Body>) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, body.into()).into_response()
}
