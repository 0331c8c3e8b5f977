//! The skills a client may know of, as the command line lists them (SPEC 11.1, 11.2).

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use skills_runtime::listing::Listed;

use crate::answer::{Problem, json_text};
use crate::name::Name;
use crate::shared::Shared;

/// `GET /v1/skills`: every skill but those that are gated or internal.
pub(crate) async fn all(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    Ok(json_text(shared.last.list(shared.runner()?)))
}

/// `GET /v1/skills/{name}`: one skill with its text, files and schemas, and whether it can be called with what is at hand.
pub(crate) async fn one(State(shared): State<Arc<Shared>>, Name(name): Name) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let skill = name.and_then(|name| runner.skills().skill(&name)).ok_or_else(Problem::unknown_skill)?;
    let way = runner.way(skill.name());
    Ok(json_text(Listed::new(skill).way(way).detail().indented(0)))
}
