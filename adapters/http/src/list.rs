//! The skills a client may know of, as the command line lists them (SPEC 11.1, 11.2).

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use skills_runtime::listing::{Listed, listing};

use crate::answer::{Problem, json_text};
use crate::api::Shared;

/// `GET /v1/skills`: every skill but those that are gated or internal.
pub(crate) async fn all(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let skills = runner.skills().skills();
    let listed = skills.into_iter().filter(|skill| !skill.tags().any(|tag| tag == "internal"));
    Ok(json_text(listing(listed.map(Listed::new))))
}

/// `GET /v1/skills/{name}`: one skill with its text, files and schemas.
pub(crate) async fn one(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let skill = runner.skills().skill(&name).ok_or_else(Problem::unknown_skill)?;
    Ok(json_text(Listed::new(skill).detail().indented(0)))
}
