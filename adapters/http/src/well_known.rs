//! The skills that everybody may find: the index of Agent Skills Discovery 0.2, and what it names: the text of a skill that
//! has no other file, an archive of one that has (SPEC 11.11, 11.21).

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use skills_registry::{Skill, hex};
use skills_call::Published;
use skills_call::{Library, Runner};
use skills_schema::json::make::{array, object, string};

use crate::answer::{Problem, json_text, of_kind};
use crate::digests::{FILE, packed};
use crate::name::Name;
use crate::shared::Shared;

/// Where the index is.
pub(crate) const INDEX: &str = "/.well-known/agent-skills/index.json";
/// Where the text of a skill is.
pub(crate) const DOCUMENT: &str = "/.well-known/agent-skills/{name}/SKILL.md";
/// Where the archive of a skill is: its name and [`ZIP`].
pub(crate) const ARCHIVE: &str = "/.well-known/agent-skills/{name}";

const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const ZIP: &str = ".zip";

/// `GET /.well-known/agent-skills/index.json`: name, description, address and digest of each skill.
pub(crate) async fn index(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let library = runner.skills();
    let entries = library.skills().into_iter().filter_map(|skill| {
        let published = published(library, skill)?;
        let name = published.name();
        let (kind, url, digest) = if is_alone(skill) {
            // Relative to the index, wherever the routes are mounted.
            ("skill-md", format!("{name}/{FILE}"), published.sha256())
        } else {
            ("archive", format!("{name}{ZIP}"), shared.digests.of(skill, &published)?)
        };
        Some(object([
            ("name", string(name)),
            ("type", string(kind)),
            ("description", string(skill.description())),
            ("url", string(url)),
            ("digest", string(format!("sha256:{}", hex(&digest)))),
        ]))
    });
    let index = object([("$schema", string(SCHEMA)), ("skills", array(entries))]);
    Ok(json_text(index.indented(0)))
}

/// `GET /.well-known/agent-skills/{name}/SKILL.md`: the text of a skill.
pub(crate) async fn document(
    State(shared): State<Arc<Shared>>,
    Name(name): Name,
) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let (_, published) = find(&runner, name.as_deref()).ok_or_else(Problem::unknown_skill)?;
    Ok(answer(published.bytes().to_vec(), "text/markdown; charset=utf-8"))
}

/// `GET /.well-known/agent-skills/{name}.zip`: all files of a skill.
pub(crate) async fn archive(
    State(shared): State<Arc<Shared>>,
    Name(name): Name,
) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let name = name.as_deref().and_then(|name| name.strip_suffix(ZIP));
    let found = find(&runner, name).filter(|(skill, _)| !is_alone(*skill));
    let bytes = found.and_then(|(skill, published)| packed(skill, &published));
    Ok(answer(bytes.ok_or_else(Problem::unknown_skill)?, "application/zip"))
}

fn answer(bytes: Vec<u8>, kind: &'static str) -> Response {
    ([(header::CACHE_CONTROL, "no-cache")], of_kind(kind, bytes)).into_response()
}

fn find<'a>(runner: &'a Runner, name: Option<&str>) -> Option<(Skill<'a>, Published<'a>)> {
    let library = runner.skills();
    let skill = Published::named(library, name?)?;
    let published = published(library, skill)?;
    // Each skill has one address.
    (Some(published.name()) == name).then_some((skill, published))
}

/// Shows a skill that is published: a model may see it, and its name and description are those of the standard.
fn published<'a>(library: &'a dyn Library, skill: Skill<'a>) -> Option<Published<'a>> {
    let is_short = skill.description().trim().chars().count() <= 1024;
    Published::of(library, skill).filter(|_| skill.is_model_invocable() && is_short)
}

/// Tells whether a skill is its text and nothing else.
fn is_alone(skill: Skill<'_>) -> bool {
    skill.files().all(|file| file.path() == FILE)
}
