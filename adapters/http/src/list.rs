//! The routes for listing skills, in the format of the command line.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use skills_runtime::listing::{Listed, listing};
use skills_serve::answer::{Problem, json_text};
use skills_serve::held;

use crate::shared::Shared;
use crate::url::{Name, parameter};

/// The default number of search results, and the maximum.
pub(crate) const DEFAULT_RESULTS: usize = 10;
pub(crate) const MAX_RESULTS: usize = 32;

/// `GET /v1/skills`: every skill except gated and internal ones; with `?search=WORDS&limit=N` the matching
/// ones, best first.
pub(crate) async fn all(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let query = query.unwrap_or_default();
    let Some(wanted) = parameter(&query, "search") else {
        return Ok(held::cached(json_text(shared.last.list(runner))));
    };
    let limit = match parameter(&query, "limit") {
        None => DEFAULT_RESULTS,
        Some(text) => {
            text.parse().ok().filter(|limit| (1..=MAX_RESULTS).contains(limit)).ok_or_else(|| {
                Problem::new(
                    StatusCode::BAD_REQUEST,
                    "invalid_limit",
                    format!("a limit is a number from 1 to {MAX_RESULTS}"),
                )
            })?
        }
    };
    let hits = runner.skills().search(&wanted, &|skill| !skill.is_internal()).into_iter().take(limit);
    let listed =
        hits.map(|hit| Listed::new(hit.skill).backend(runner.backend(hit.skill.name())).score(hit.score));
    Ok(json_text(listing(listed)))
}

/// `GET /v1/skills/{name}`: a skill with its text, files and schemas, and whether it can be called in this
/// environment.
pub(crate) async fn show_skill(State(shared): State<Arc<Shared>>, name: Name) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let skill = runner.skills().get(name.known(&runner)?).ok_or_else(Problem::unknown_skill)?;
    let backend = runner.backend(skill.name());
    Ok(json_text(Listed::new(skill).backend(backend).detail().indented(0)))
}
