//! The route that checks an input without running anything, so that forms can show mistakes while the
//! user types.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use serde_json::json;
use skills_call::ErrorKind;

use crate::call::read_input;
use crate::name::Name;
use crate::shared::Shared;
use skills_serve::answer::{Problem, json_text, violations};
use skills_serve::body;

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
