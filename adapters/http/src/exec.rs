//! A skill's program, run by a client (SPEC 11.2).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use skills_runtime::call::Runner;
use skills_runtime::exec::{NotRun, Refusal, RunOptions, Running, start_skill};
use skills_schema::json::{Kind, Node};

use crate::answer::{Problem, json_text};
use crate::body;
use crate::name::Name;
use crate::shared::Shared;

/// `POST /v1/skills/{name}/exec` with `{"input": …, "timeout": "30s"}`: answers what the program did.
///
/// The program is gone when the client is.
pub(crate) async fn exec(
    State(shared): State<Arc<Shared>>,
    Name(name): Name,
    body: Body,
) -> Result<Response, Problem> {
    shared.may_run()?;
    let members = body::node(body, shared.body).await?;
    let runner = shared.runner()?;
    let name = name.ok_or_else(Problem::unknown_skill)?;
    if runner.skills().skill(&name).is_none() {
        return Err(Problem::unknown_skill());
    }
    // A member that is `null` counts as missing.
    let given = |member: &str| members.get(member).filter(|value| value.kind != Kind::Null).map(content);
    let input = given("input").unwrap_or_default();
    let options = RunOptions {
        // A number counts milliseconds. A text that is no time limit is refused by `start_skill`, which says why.
        timeout: given("timeout"),
        workspace: shared.workspace.clone(),
        ..RunOptions::of_process()
    };
    // The semaphore is never closed.
    let _permit = shared.runs.acquire().await.ok();
    // Comparing and writing files may take a while.
    let started = tokio::task::spawn_blocking(move || start(&runner, &name, input, &options)).await;
    let running = started.map_err(|error| failed(&error.to_string()))??;
    Ok(json_text(running.await.to_json()))
}

fn start(runner: &Runner, name: &str, input: String, options: &RunOptions) -> Result<Running, Problem> {
    let skill = runner.skills().skill(name).ok_or_else(Problem::unknown_skill)?;
    let directory = runner.skills().directory(skill);
    start_skill(skill, input, &RunOptions { directory, ..options.clone() }).map_err(|reason| problem(&reason))
}

/// A text is its content, any other value is compact JSON.
fn content(value: &Node) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn problem(reason: &NotRun) -> Problem {
    let status = match reason {
        NotRun::Refused(Refusal::NotExecutable { .. } | Refusal::NoCanonicalEntryPoint { .. }) => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        NotRun::Refused(Refusal::ExecNotFound { .. } | Refusal::InvalidTimeout { .. }) => {
            StatusCode::BAD_REQUEST
        }
        NotRun::InvalidInput { invalid, .. } => return Problem::invalid_input(invalid.violations()),
        NotRun::NoInput { .. } => return Problem::invalid_input(&[]),
        other => return failed(&other.to_string()),
    };
    Problem::new(status, reason.code(), reason.to_string())
}

fn failed(detail: &str) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "exec_failed", detail)
}
