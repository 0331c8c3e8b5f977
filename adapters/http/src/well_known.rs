//! Publishes skills in the index of Agent Skills Discovery 0.2. A skill is listed with its text, or with an
//! archive if it has other files.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use skills_call::{Layers, Published, Runner};
use skills_registry::Skill;
use skills_schema::json::make::{array, object, string};
use skills_serve::answer::{Problem, json_text, of_kind};
use skills_text::hex;

use crate::digests::{FILE, packed};
use crate::files::check_read;
use crate::shared::Shared;
use crate::url::Name;

/// The path of the index.
pub(crate) const INDEX: &str = "/.well-known/agent-skills/index.json";
/// The path of a skill's text.
pub(crate) const DOCUMENT: &str = "/.well-known/agent-skills/{name}/SKILL.md";
/// The path of a skill's archive: its name and [`ZIP`].
pub(crate) const ARCHIVE: &str = "/.well-known/agent-skills/{name}";

const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const ZIP: &str = ".zip";

/// `GET /.well-known/agent-skills/index.json`: name, description, URL and digest of each skill.
pub(crate) async fn index(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let layers = runner.skills();
    let entries = layers.iter().filter_map(|skill| {
        let published = published(layers, skill)?;
        let name = published.name();
        let (kind, url, digest) = if is_alone(skill) {
            // The URL is relative to the index, so that the routes can be mounted anywhere.
            ("skill-md", format!("{name}/{FILE}"), published.sha256())
        } else {
            ("archive", format!("{name}{ZIP}"), shared.digests.compute(skill, &published)?)
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
    let (skill, published) = find(&runner, name.as_deref()).ok_or_else(Problem::unknown_skill)?;
    skill.file(FILE).map_or(Ok(()), check_read)?;
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
    for file in found.iter().flat_map(|(skill, _)| skill.files()) {
        check_read(file)?;
    }
    let bytes = found.and_then(|(skill, published)| packed(skill, &published));
    Ok(answer(bytes.ok_or_else(Problem::unknown_skill)?, "application/zip"))
}

fn answer(bytes: Vec<u8>, kind: &'static str) -> Response {
    ([(header::CACHE_CONTROL, "no-cache")], of_kind(kind, bytes)).into_response()
}

fn find<'a>(runner: &'a Runner, name: Option<&str>) -> Option<(Skill<'a>, Published<'a>)> {
    let layers = runner.skills();
    let skill = Published::named(layers, name?)?;
    let published = published(layers, skill)?;
    // Each skill has only one URL.
    (Some(published.name()) == name).then_some((skill, published))
}

/// Returns a published skill: models may see it, and its name and description are valid in the standard.
fn published<'a>(layers: &'a Layers, skill: Skill<'a>) -> Option<Published<'a>> {
    let is_short = skill.description().trim().chars().count() <= 1024;
    Published::new(layers, skill).filter(|_| skill.is_model_invocable() && is_short)
}

/// Returns `true` if a skill has no file except its text.
fn is_alone(skill: Skill<'_>) -> bool {
    skill.files().all(|file| file.path() == FILE)
}
