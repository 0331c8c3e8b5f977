//! Reads the body of a request, within limits for size and time.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use serde_json::{Map, Value};
use skills_call::apart;
use skills_schema::json::{self, Kind, Node};
use skills_schema::{Invalid, Violation};

use crate::answer::Problem;

/// The maximum size of a body, and the maximum time for receiving it.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
}

/// Reads a body as a JSON object whose numbers keep their digits and whose members keep their order. An empty
/// body is an empty object. A member that is not in `known` is an error, since it would have no effect.
pub(crate) async fn node(body: Body, limits: Limits, known: &[&str]) -> Result<Node, Problem> {
    let text = text(body, limits).await?;
    let node = apart(text.len(), move || {
        json::parse(&text).map_err(|error| Problem::invalid_json(&Invalid::malformed(&text, error)))
    });
    let node = node.await?;
    if !matches!(node.kind, Kind::Object(_)) {
        return Err(invalid());
    }
    match node.members().iter().find(|member| !known.contains(&member.key.as_str())) {
        Some(member) => Err(Problem::unknown_member(&member.key, known)),
        None => Ok(node),
    }
}

/// Reads a body as a JSON object. An empty body is an empty object.
pub(crate) async fn object(body: Body, limits: Limits) -> Result<Map<String, Value>, Problem> {
    let text = text(body, limits).await?;
    let object = apart(text.len(), move || {
        serde_json::from_str(&text).map_err(|_| match json::parse(&text) {
            Err(error) => Problem::invalid_json(&Invalid::malformed(&text, error)),
            Ok(_) => invalid(),
        })
    });
    object.await
}

/// Reads a body as text. An empty body is `{}`.
async fn text(body: Body, limits: Limits) -> Result<String, Problem> {
    let read = tokio::time::timeout(limits.time, to_bytes(body, limits.bytes)).await;
    let bytes = match read {
        Err(_) => return Err(Problem::bare(StatusCode::REQUEST_TIMEOUT, "timeout")),
        Ok(Err(error)) if is_too_long(&error) => {
            return Err(Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too_large",
                format!("a body has at most {} bytes", limits.bytes),
            ));
        }
        Ok(Err(_)) => return Err(invalid()),
        Ok(Ok(bytes)) => bytes,
    };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok("{}".to_owned());
    }
    String::from_utf8(bytes.into()).map_err(|_| invalid())
}

fn invalid() -> Problem {
    let violation = Violation::new("", "type", "a JSON object", "something else");
    Problem::invalid_json(&Invalid::Violations(vec![violation]))
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut source: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = source {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        source = error.source();
    }
    false
}
