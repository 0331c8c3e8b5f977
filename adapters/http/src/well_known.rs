//! The skills that everybody may find: the index of Agent Skills Discovery 0.2, and the texts it names (SPEC 11.11).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use skills_registry::Skill;
use skills_schema::json::make::{array, object, string};

use crate::answer::{Problem, json_text};
use crate::name::Name;
use crate::shared::Shared;

/// Where the index is.
pub(crate) const INDEX: &str = "/.well-known/agent-skills/index.json";
/// Where the text of a skill is.
pub(crate) const DOCUMENT: &str = "/.well-known/agent-skills/{name}/SKILL.md";

const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const FILE: &str = "SKILL.md";

/// `GET /.well-known/agent-skills/index.json`: name, description, address and digest of each skill.
pub(crate) async fn index(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let skills = runner.skills().skills().into_iter().filter(|skill| is_published(*skill));
    let entries = skills.filter_map(|skill| {
        let file = skill.file(FILE)?;
        Some(object([
            ("name", string(skill.name())),
            ("type", string("skill-md")),
            ("description", string(skill.description())),
            // Relative to the index, wherever the routes are mounted.
            ("url", string(format!("{}/{FILE}", skill.name()))),
            ("digest", string(format!("sha256:{}", file.sha256_hex()))),
        ]))
    });
    let index = object([("$schema", string(SCHEMA)), ("skills", array(entries))]);
    Ok(json_text(index.indented(0)))
}

/// `GET /.well-known/agent-skills/{name}/SKILL.md`: the bytes that the digest is of.
pub(crate) async fn document(
    State(shared): State<Arc<Shared>>,
    Name(name): Name,
) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let skill = name.and_then(|name| runner.skills().skill(&name)).filter(|skill| is_published(*skill));
    let file = skill.and_then(|skill| skill.file(FILE)).ok_or_else(Problem::unknown_skill)?;
    let mut response = Response::new(Body::from(file.bytes().to_vec()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/markdown; charset=utf-8"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// Tells whether a skill is published: a model may see it, and its name and description are those of the standard.
fn is_published(skill: Skill<'_>) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let (name, description) = (skill.name(), skill.description().trim());
    skill.has_document()
        && skill.is_model_invocable()
        && name.len() <= 64
        && name.split('-').all(is_word)
        && (1..=1024).contains(&description.chars().count())
}
