//! The JSON responses of every route, for success and for errors.

use std::convert::Infallible;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt};
use serde_json::{Value, json};
use skills_schema::{Invalid, Violation};
use skills_text::{cut, nearest};

/// An error response: a status, a code for programs, and a text for people.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    body: Value,
    header: Option<(&'static str, &'static str)>,
}

/// Converts violations to JSON.
pub fn violations(violations: &[Violation]) -> Vec<Value> {
    let converted = |violation: &Violation| {
        let Violation { pointer, rule, expected, found, property } = violation;
        let mut object = json!({ "pointer": pointer, "rule": rule, "expected": expected, "actual": found });
        if let Some(property) = property {
            object["property"] = json!(property);
        }
        object
    };
    violations.iter().map(converted).collect()
}

/// Returns `true` if a client accepts a media type.
pub fn accepts(headers: &HeaderMap, wanted: &str) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = accepted.flat_map(|value| value.split(',')).filter_map(|kind| kind.split(';').next());
    kinds.any(|kind| kind.trim().eq_ignore_ascii_case(wanted))
}

impl Problem {
    /// Returns the status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Creates a problem that is fully described by its code.
    pub fn bare(status: StatusCode, code: &str) -> Self {
        Self { status, body: json!({ "error": code }), header: None }
    }

    /// Creates a problem with a detail.
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        Self { body: json!({ "error": code, "detail": detail.into() }), ..Self::bare(status, code) }
    }

    /// Adds a sentence that says what to do, for people.
    pub fn with_advice(mut self, advice: &str) -> Self {
        self.body["advice"] = advice.into();
        self
    }

    /// Creates the problem for an input that breaks rules of its schema.
    pub fn invalid_input(violations: &[Violation]) -> Self {
        Self::broken("invalid_input", violations)
    }

    /// Creates the problem for a body that is not a JSON object.
    pub fn invalid_json(invalid: &Invalid) -> Self {
        Self::broken("invalid_json", &invalid.violations())
    }

    /// Creates the problem for a body with a member that the route does not know.
    pub fn unknown_member(member: &str, known: &[&str]) -> Self {
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
        let body = json!({ "error": code, "violations": self::violations(violations) });
        Self { status: StatusCode::BAD_REQUEST, body, header: None }
    }

    /// Returns the problem for a stream, whose status was already sent.
    pub fn into_json(self) -> Value {
        let mut body = self.body;
        body["status"] = self.status.as_u16().into();
        body
    }

    /// Creates the response for an unknown skill. A gated skill gets the same response.
    pub fn unknown_skill() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "skill not found or not available")
    }

    /// Creates the response to a run of a skill that is not listed. If it is untrusted, the response says so.
    pub fn absent_skill(skills: &skills_call::Layers, name: &str) -> Self {
        match skills.untrusted(name) {
            Some(untrusted) => Self::untrusted(&untrusted),
            None => Self::unknown_skill(),
        }
    }

    /// Creates the response to a run of an untrusted skill.
    pub fn untrusted(untrusted: &impl std::fmt::Display) -> Self {
        Self::new(StatusCode::FORBIDDEN, "not_trusted", untrusted.to_string())
    }

    /// Creates the response to a request without the token.
    pub fn unauthorized() -> Self {
        let problem = Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "a bearer token is needed");
        Self { header: Some(("www-authenticate", "Bearer")), ..problem }
    }

    /// Creates the response to a request for a run when the queue is full.
    pub fn busy() -> Self {
        let problem = Self::bare(StatusCode::SERVICE_UNAVAILABLE, "busy");
        Self { header: Some(("retry-after", "1")), ..problem }
    }

    /// Creates the response to a body of more than this many bytes.
    pub fn too_large(bytes: usize) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", format!("a body has at most {bytes} bytes"))
    }

    /// Creates the response to an unknown path.
    fn wrong_path() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is no such route")
    }

    /// Creates the response to a method that the route does not support.
    pub fn wrong_method() -> Self {
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

/// Adds a JSON body to responses without one: a router sends none for unknown paths and methods.
pub fn worded(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let problem = match head.status {
        StatusCode::NOT_FOUND => Problem::wrong_path(),
        StatusCode::METHOD_NOT_ALLOWED => Problem::wrong_method(),
        _ => return Response::from_parts(head, body),
    };
    if head.headers.contains_key(header::CONTENT_TYPE) || !body.is_end_stream() {
        return Response::from_parts(head, body);
    }
    let (parts, body) = problem.into_response().into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.extend(parts.headers);
    Response::from_parts(head, body)
}

/// Returns a response with server-sent events, and headers that keep proxies from buffering them.
pub fn event_stream(frames: impl Stream<Item = String> + Send + 'static) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(frames.map(Ok::<String, Infallible>))).into_response()
}

/// Returns a response with JSON text.
pub fn json_text(text: impl Into<Body>) -> Response {
    of_kind("application/json", text)
}

/// Returns a response with a content type, which browsers must not override by sniffing.
pub fn of_kind(kind: &'static str, body: impl Into<Body>) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, body.into()).into_response()
}
