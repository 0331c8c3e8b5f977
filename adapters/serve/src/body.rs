//! Reads the body of a request, within limits for size, time and the memory of all requests.

use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use http_body_util::BodyExt;
use serde_json::{Map, Value};
use skills_call::run_blocking;
use skills_schema::json::{self, Kind, Node};
use skills_schema::{Invalid, Violation};

use crate::answer::Problem;
use crate::budget::{Budget, Share, parsed, unparsed};

/// The maximum size of a body, the maximum time for receiving it, and the memory for all bodies.
#[derive(Clone, Debug)]
pub struct BodyLimits {
    /// The maximum size of a body in bytes.
    pub bytes: usize,
    /// The maximum time for receiving it.
    pub time: Duration,
    /// The memory for all bodies.
    pub budget: Budget,
}

/// Reads a body as a JSON object whose numbers keep their digits and whose members keep their order, and returns
/// the result of `make` with the share of the budget that it uses. An empty body counts as an empty object. A
/// member that is not in `known` is an error, since it would have no effect.
///
/// The tree exists only while `make` runs: it takes many times the memory of its text.
pub async fn node<T: Send + 'static>(
    body: Body,
    limits: &BodyLimits,
    known: &'static [&str],
    make: impl FnOnce(&Node) -> T + Send + 'static,
) -> Result<(T, Share), Problem> {
    parse(body, limits, move |text| {
        let node =
            json::parse(text).map_err(|error| Problem::invalid_json(&Invalid::malformed(text, error)))?;
        if !matches!(node.kind, Kind::Object(_)) {
            return Err(invalid());
        }
        match node.members().iter().find(|member| !known.contains(&member.key.as_str())) {
            Some(member) => Err(Problem::unknown_member(&member.key, known)),
            None => Ok(make(&node)),
        }
    })
    .await
}

/// Reads a body as a JSON object, and returns the result of `make` with the memory that it uses. An empty body is an
/// empty object.
pub async fn object<T: Send + 'static>(
    body: Body,
    limits: &BodyLimits,
    make: impl FnOnce(&Map<String, Value>) -> Result<T, Problem> + Send + 'static,
) -> Result<(T, Share), Problem> {
    parse(body, limits, |text| match serde_json::from_str(text) {
        Ok(object) => make(&object),
        Err(_) => Err(match json::parse(text) {
            Err(error) => Problem::invalid_json(&Invalid::malformed(text, error)),
            Ok(_) => invalid(),
        }),
    })
    .await
}

/// Reads a body as text and parses it. The budget is charged for the parsed values while `parse` runs, and for
/// the text afterwards.
async fn parse<T: Send + 'static>(
    body: Body,
    limits: &BodyLimits,
    parse: impl FnOnce(&str) -> Result<T, Problem> + Send + 'static,
) -> Result<(T, Share), Problem> {
    let share = limits.budget.share();
    let bytes = bytes(body, limits, &share).await?;
    let text = match bytes.trim_ascii() {
        [] => "{}".to_owned(),
        _ => String::from_utf8(bytes).map_err(|_| invalid())?,
    };
    charge(&share, limits, parsed(text.as_bytes()))?;
    let length = text.len();
    // The share moves into the work, which is finished even if the client disconnects.
    run_blocking(length, move || {
        let parsed = parse(&text)?;
        drop(text);
        share.shrink_to(unparsed(length));
        Ok((parsed, share))
    })
    .await
}

/// Reads a body as bytes. The budget is charged for them as they arrive.
pub async fn bytes(mut body: Body, limits: &BodyLimits, share: &Share) -> Result<Vec<u8>, Problem> {
    let read = async {
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            // The client is gone, or its framing is malformed.
            let Ok(data) = frame.map_err(|_| invalid())?.into_data() else { continue };
            if data.len() > limits.bytes.saturating_sub(bytes.len()) {
                return Err(Problem::too_large(limits.bytes));
            }
            charge(share, limits, unparsed(bytes.len() + data.len()))?;
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    };
    let read = tokio::time::timeout(limits.time, read).await;
    read.unwrap_or_else(|_| Err(Problem::bare(StatusCode::REQUEST_TIMEOUT, "timeout")))
}

/// Charges the budget until the share has this many bytes.
pub fn charge(share: &Share, limits: &BodyLimits, bytes: usize) -> Result<(), Problem> {
    if !limits.budget.can_ever_hold(bytes) {
        return Err(Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            "the body needs more memory than all requests together may use",
        ));
    }
    if share.grow_to(bytes) { Ok(()) } else { Err(Problem::busy()) }
}

fn invalid() -> Problem {
    let violation = Violation::new("", "type", "a JSON object", "something else");
    Problem::invalid_json(&Invalid::Violations(vec![violation]))
}
