//! The route for the files of a skill.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use skills_registry::Resource;

use crate::shared::Shared;
use skills_serve::answer::{Problem, of_kind};

/// The name of a skill and the path of a file; `None` if they are not UTF-8.
pub(crate) struct FilePath(Option<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for FilePath {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        Ok(Self(path.ok().map(|Path(place)| place)))
    }
}

/// `GET /v1/skills/{name}/files/{path}`: a file as text, or as bytes if it is not UTF-8.
///
/// A browser neither runs nor renders it: a skill may contain HTML or SVG with scripts.
pub(crate) async fn file(State(shared): State<Arc<Shared>>, place: FilePath) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let (name, path) = place.0.ok_or_else(Problem::unknown_skill)?;
    let skill = runner.skills().get(&name).filter(|skill| !skill.is_internal());
    let skill = skill.ok_or_else(Problem::unknown_skill)?;
    let file = skill
        .resource(&path)
        .ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, "file_not_found", "the skill has no such file"))?;
    check_read(file)?;
    let kind = if file.text().is_some() { "text/plain; charset=utf-8" } else { "application/octet-stream" };
    let headers = [
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    Ok((headers, of_kind(kind, file.bytes().to_vec())).into_response())
}

/// Checks that the contents of a file of an MCP server could be read.
///
/// # Errors
/// Returns the reason with the status 502.
pub(crate) fn check_read(file: Resource<'_>) -> Result<(), Problem> {
    match file.fault() {
        Some(reason) => Err(Problem::new(StatusCode::BAD_GATEWAY, "file_unreadable", reason)),
        None => Ok(()),
    }
}
