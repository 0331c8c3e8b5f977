//! The route for running a skill's program.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use skills_call::run_blocking;
use skills_exec::{ExecOptions, NotRun, Refusal};
use skills_schema::json::{Kind, Node};
use skills_serve::answer::{Problem, json_text};
use skills_serve::body;
use skills_text::parse_timeout;
use tracing::Instrument;

use crate::shared::Shared;
use crate::trace;
use crate::url::Name;

/// The maximum time limit that a client may set, in milliseconds: 24 hours.
const LONGEST: u64 = 24 * 60 * 60 * 1000;

/// `POST /v1/skills/{name}/exec` with `{"input": …, "timeout": "30s"}`: responds with the outcome of the
/// program.
///
/// The program is killed when the client disconnects.
pub(crate) async fn exec(
    State(shared): State<Arc<Shared>>,
    name: Name,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    shared.may_run()?;
    let read = |members: &Node| (given(members, "input"), given(members, "timeout"));
    // A number is in milliseconds. The runner rejects a text that is not a valid time limit, with the reason.
    let ((input, timeout), _share) = body::node(body, &shared.body, &["input", "timeout"], read).await?;
    let runner = shared.runner()?;
    let name = name.known(&runner)?;
    if runner.skills().get(name).is_none() {
        return Err(Problem::absent_skill(runner.skills(), name));
    }
    let input = input.unwrap_or_default();
    let length = input.len();
    match timeout.as_deref().map(|text| (text, parse_timeout(text))) {
        Some((text, None)) => {
            let refusal = Refusal::InvalidTimeout { text: text.to_owned() };
            return Err(problem(&NotRun::Refused(refusal)));
        }
        Some((_, Some(limit))) if limit > LONGEST => {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "invalid_timeout",
                "a time limit is 24h at most",
            ));
        }
        _ => {}
    }
    let client = trace::client(&headers);
    let span = trace::open(&runner, "/v1/skills/{name}/exec", client.as_ref());
    let options = ExecOptions::default().timeout(timeout).workspace(shared.workspace.clone()).trace(client);
    let _place = shared.place().await?;
    // The checks and the start of the program happen before the first await, and belong to the span, too.
    let (name, entered) = (name.to_owned(), span.clone());
    let begin = move || entered.in_scope(|| runner.exec(&name, input, options));
    let running = run_blocking(length, begin).await;
    let ran = running.instrument(span.clone()).await.map_err(|reason| problem(&reason));
    trace::end(&span, ran.as_ref().map_or_else(Problem::status, |_| StatusCode::OK));
    Ok(json_text(ran?.to_json()))
}

/// Returns the content of a member that is a string, or compact JSON for any other value. A `null` counts as missing.
fn given(members: &Node, member: &str) -> Option<String> {
    let value = members.get(member).filter(|value| value.kind != Kind::Null)?;
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

fn problem(reason: &NotRun) -> Problem {
    let status = match reason {
        NotRun::Refused(Refusal::NotExecutable { .. } | Refusal::NoCanonicalEntryPoint { .. }) => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        NotRun::Refused(Refusal::ExecNotFound { .. } | Refusal::InvalidTimeout { .. }) => {
            StatusCode::BAD_REQUEST
        }
        NotRun::InvalidInput { .. } | NotRun::NoInput { .. } => {
            return Problem::invalid_input(&reason.violations());
        }
        NotRun::NotFound(_) => return Problem::unknown_skill(),
        NotRun::NotTrusted(untrusted) => return Problem::untrusted(untrusted),
        other => {
            return Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "exec_failed", other.to_string());
        }
    };
    Problem::new(status, reason.code(), reason.to_string())
}
