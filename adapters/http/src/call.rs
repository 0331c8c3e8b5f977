//! A skill called as a function, whatever its mode (SPEC 11.2).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use skills_runtime::call::{CallError, CallOptions, ErrorKind};
use skills_schema::json::{self, Node};

use crate::answer::{Problem, json_text};
use crate::body;
use crate::name::Name;
use crate::shared::Shared;

/// `POST /v1/skills/{name}/call` with `{"input": {…}}`: answers `{"output": …}`.
pub(crate) async fn call(
    State(shared): State<Arc<Shared>>,
    Name(name): Name,
    body: Body,
) -> Result<Response, Problem> {
    shared.may_run()?;
    let members = body::node(body, shared.body).await?;
    let runner = shared.runner()?;
    let name = name.ok_or_else(Problem::unknown_skill)?;
    let input = members.get("input").map_or_else(|| "{}".to_owned(), Node::to_string);
    // The semaphore is never closed.
    let _permit = shared.runs.acquire().await.ok();
    let options = CallOptions::default().workspace(shared.workspace.clone());
    let outcome = runner.call_text(&name, input, options).await.map_err(|error| problem(&error))?;
    // What a program printed may be spread over lines.
    let output = json::parse(&outcome.output).map_or(outcome.output, |node| node.to_string());
    Ok(json_text(format!("{{\"output\":{output}}}")))
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
