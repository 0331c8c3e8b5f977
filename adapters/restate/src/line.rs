//! The wire format of calls: JSON text stays unchanged, and failures become HTTP status codes with their text.

use std::convert::Infallible;

use bytes::Bytes;
use restate_sdk::errors::TerminalError;
use restate_sdk::serde::{Deserialize, Serialize};
use skills_call::durable::Request;
use skills_call::{CallError, ErrorKind};

/// The place of a step. If present, the result is returned as a reply.
pub(crate) const PLACE: &str = "x-skills-step";
/// The key of a call of a skill that is not a pipeline, since its handler does not get the idempotency key.
pub(crate) const KEY: &str = "x-skills-key";
/// The nesting depth of the step's call.
pub(crate) const DEPTH: &str = "x-skills-depth";
/// The time limit of one attempt, in milliseconds.
pub(crate) const TIMEOUT: &str = "x-skills-timeout";

/// The trace context of the caller. The W3C headers are sent too, for the server itself.
pub(crate) const TRACE: &str = "x-skills-traceparent";
/// The `tracestate` of the caller.
pub(crate) const STATE: &str = "x-skills-tracestate";

/// The name of the state, and of the handler, for the progress of a run.
pub(crate) const PROGRESS: &str = "progress";
/// The name of the state, and of the handler, for the full result or error of a run.
pub(crate) const REPLY: &str = "reply";

/// Returns the headers of a call.
pub(crate) fn headers(request: &Request) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    let mut add = |name: &str, value: String| headers.push((name.to_owned(), value));
    if let Some(place) = &request.place {
        add(PLACE, place.clone());
        add(DEPTH, request.depth.to_string());
    }
    if let Some(limit) = request.timeout {
        add(TIMEOUT, limit.as_millis().to_string());
    }
    if let Some(trace) = &request.trace {
        add(TRACE, trace.parent().to_owned());
        add(STATE, trace.state().to_owned());
    }
    headers
}

/// JSON text.
pub(crate) struct JsonText(pub(crate) Bytes);

impl JsonText {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl From<String> for JsonText {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl Serialize for JsonText {
    type Error = Infallible;

    fn serialize(&self) -> Result<Bytes, Infallible> {
        Ok(self.0.clone())
    }
}

impl Deserialize for JsonText {
    type Error = Infallible;

    fn deserialize(bytes: &mut Bytes) -> Result<Self, Infallible> {
        Ok(Self(std::mem::take(bytes)))
    }
}

/// The status code of each kind of failure.
const CODES: [(ErrorKind, u16); 8] = [
    (ErrorKind::NotFound, 404),
    (ErrorKind::NotTrusted, 403),
    (ErrorKind::InvalidInput, 400),
    (ErrorKind::Timeout, 504),
    (ErrorKind::NoModel, 503),
    (ErrorKind::NoHost, 501),
    (ErrorKind::Cancelled, 409),
    (ErrorKind::Failed, 500),
];

/// Finds the kind of a failure by its code.
pub(crate) fn kind(code: u16) -> ErrorKind {
    CODES.iter().find(|(_, known)| *known == code).map_or(ErrorKind::Failed, |(kind, _)| *kind)
}

/// Converts the error of a skill for a client that called it directly.
pub(crate) fn terminal(error: &CallError) -> TerminalError {
    let kind = error.kind();
    let code = CODES.iter().find(|(known, _)| *known == kind).map_or(500, |(_, code)| *code);
    TerminalError::new_with_code(code, error.to_string())
}
