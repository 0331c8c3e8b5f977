//! A skill called as a function, whatever its mode (SPEC 11.2).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};
use skills_runtime::call::{CallError, CallOptions, ErrorKind};

use crate::answer::{Problem, json_text};
use crate::api::Shared;
use crate::body;

/// `POST /v1/skills/{name}/call` with `{"input": {…}}`: answers `{"output": …}`.
pub(crate) async fn call(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    body: Body,
) -> Result<Response, Problem> {
    shared.may_run()?;
    let mut members = body::object(body, shared.body).await?;
    let runner = shared.runner()?;
    let input = members.remove("input").unwrap_or_else(|| Value::Object(Map::new()));
    // The semaphore is never closed.
    let _permit = shared.runs.acquire().await.ok();
    let options = CallOptions { workspace: shared.workspace.clone(), ..CallOptions::default() };
    let outcome = runner.call_json_with(&name, input, options).await.map_err(|error| problem(&error))?;
    Ok(json_text(json!({ "output": outcome.output }).to_string()))
}

/// What a failed call is in HTTP.
fn problem(error: &CallError) -> Problem {
    match error.kind() {
        ErrorKind::NotFound => Problem::unknown_skill(),
        ErrorKind::InvalidInput => Problem::invalid_input(error.violations()),
        ErrorKind::NoModel => Problem::bare(StatusCode::SERVICE_UNAVAILABLE, "no_model"),
        ErrorKind::Timeout => Problem::new(StatusCode::GATEWAY_TIMEOUT, "timeout", error.to_string()),
        _ => Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "call_failed", error.to_string()),
    }
}
