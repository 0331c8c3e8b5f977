//! The route for calling a skill as a function, whatever its mode, and the route that checks an input without running
//! anything, so that forms can show mistakes while the user types.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};
use skills_call::model::ModelErrorKind;
use skills_call::{CallError, CallOptions, ErrorKind, run_blocking};
use skills_schema::json::{self, Node};
use skills_serve::answer::{Problem, accepts, json_text, violations};
use skills_serve::body;
use tokio::sync::watch::Sender;
use tracing::Instrument;

use crate::events::events;
use crate::progress::PipelineProgress;
use crate::shared::Shared;
use crate::trace;
use crate::url::{Name, parameter};

/// `POST /v1/skills/{name}/call` with `{"input": {…}}`: responds with `{"output": …}`, or with events while
/// it runs.
pub(crate) async fn call(
    State(shared): State<Arc<Shared>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    shared.may_run()?;
    let (input, share) = body::node(body, &shared.body, &["input"], read_input).await?;
    let runner = shared.runner()?;
    let name = name.known(&runner)?.to_owned();
    let place = shared.place().await?;
    let mut options = CallOptions::default().workspace(shared.workspace.clone());
    let client = trace::client(&headers);
    let span = trace::open(&runner, "/v1/skills/{name}/call", client.as_ref());
    options = options.trace(client);
    // The client accepts events instead of a single response.
    let steps = accepts(&headers, "text/event-stream").then(|| Arc::new(Sender::new(Value::Null)));
    if let Some(steps) = steps.clone() {
        let progress = PipelineProgress::new(runner.clone());
        let is_timed = parameter(&query.unwrap_or_default(), "times").is_some();
        let progress = if is_timed { progress.timed() } else { progress };
        options = options.on_event(move |event| {
            if let Some(state) = progress.update(event) {
                steps.send_replace(state);
            }
        });
    }
    let work = async move {
        let _taken = (place, share);
        let called = runner.call_text(&name, input, options).instrument(span.clone()).await;
        let outcome = called.map_err(|error| problem(&error));
        trace::end(&span, outcome.as_ref().map_or_else(Problem::status, |_| StatusCode::OK));
        let outcome = outcome?;
        // The output of a program may be JSON of several lines; parsing it makes it one line.
        let written = run_blocking(outcome.output.len(), move || {
            let output = json::parse(&outcome.output).map_or(outcome.output, |node| node.to_string());
            format!("{{\"output\":{output}}}")
        });
        Ok(written.await)
    };
    match steps {
        Some(steps) => events(Box::pin(work), steps).await,
        None => work.await.map(json_text),
    }
}

/// Returns the HTTP problem for a failed call.
fn problem(error: &CallError) -> Problem {
    match error.kind() {
        ErrorKind::NotFound => Problem::unknown_skill(),
        ErrorKind::NotTrusted => Problem::untrusted(error),
        ErrorKind::InvalidInput => Problem::invalid_input(&error.violations()),
        ErrorKind::NoModel => Problem::bare(StatusCode::SERVICE_UNAVAILABLE, "no_model"),
        ErrorKind::Timeout => Problem::new(StatusCode::GATEWAY_TIMEOUT, "timeout", error.to_string()),
        _ => {
            let (reason, public) = (error.to_string(), error.for_clients());
            // A provider's message may contain keys, so it is only logged.
            if reason != public {
                tracing::error!(target: "skills", "{reason}");
            }
            let problem = Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "call_failed", public);
            match error.model_error_kind().and_then(advice) {
                Some(advice) => problem.with_advice(advice),
                None => problem,
            }
        }
    }
}

/// Returns what went wrong at a model, and what to do about it. The texts contain nothing of the provider's message.
pub(crate) fn advice(kind: ModelErrorKind) -> Option<&'static str> {
    Some(match kind {
        ModelErrorKind::NoKey => {
            "The model's provider needs an API key. Set its variable, such as OPENAI_API_KEY, where the server starts, \
             and start the server again."
        }
        ModelErrorKind::KeyRefused => {
            "The model's provider refused the API key. Correct the key where the server starts, and start the server \
             again."
        }
        ModelErrorKind::UnknownModel => {
            "The provider has no such model. Start the server with another name of a model, or with another base URL."
        }
        ModelErrorKind::Unreachable => {
            "The server of the model cannot be reached. Start it, or correct its base URL or the network, and try again."
        }
        ModelErrorKind::RateLimit => {
            "The model's provider accepts no more requests for now. Wait a minute and try again. If that does not help, \
             look at the limits and the balance of your account."
        }
        ModelErrorKind::TooLong => {
            "The request is too long for the model. Send less text, start a new chat, or choose a model with a larger \
             context."
        }
        ModelErrorKind::Unavailable => {
            "The server of the model failed or was too slow. Try again in a moment."
        }
        _ => return None,
    })
}

/// Returns the input of a request as JSON; an empty object if it has none.
pub(crate) fn read_input(members: &Node) -> String {
    members.get("input").map_or_else(|| "{}".to_owned(), Node::to_string)
}

/// `POST /v1/skills/{name}/check` with `{"input": {…}}`: responds with `{"violations": […]}`, which is empty
/// for an input that `/call` would accept.
pub(crate) async fn check(
    State(shared): State<Arc<Shared>>,
    name: Name,
    body: Body,
) -> Result<Response, Problem> {
    let (input, _share) = body::node(body, &shared.body, &["input"], read_input).await?;
    let runner = shared.runner()?;
    let name = name.known(&runner)?;
    if runner.skills().get(name).is_none() {
        return Err(Problem::absent_skill(runner.skills(), name));
    }
    let refused = runner.plan(name, &input).err().filter(|error| error.kind() == ErrorKind::InvalidInput);
    let broken = refused.as_ref().map(|error| violations(&error.violations())).unwrap_or_default();
    Ok(json_text(json!({ "violations": broken }).to_string()))
}
