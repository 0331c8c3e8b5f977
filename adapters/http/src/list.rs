//! The skills a client may know of, as the command line lists them (SPEC 11.1, 11.2).

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use skills_registry::Skill;
use skills_runtime::call::Runner;
use skills_runtime::listing::{Listed, listing};

use crate::answer::{Problem, json_text};
use crate::api::Shared;

/// The list as it was made last, and whose skills it tells.
#[derive(Default)]
pub(crate) struct Last(Mutex<Option<(Runner, Bytes)>>);

impl Last {
    /// Returns the list of a runner's skills, made again when they are others than before.
    fn list(&self, runner: Runner) -> Bytes {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((before, list)) = &*last
            && is_same(&before.skills().skills(), &runner.skills().skills())
        {
            return list.clone();
        }
        let skills = runner.skills().skills();
        let listed = skills.into_iter().filter(|skill| !skill.tags().any(|tag| tag == "internal"));
        let list = Bytes::from(listing(listed.map(Listed::new)));
        *last = Some((runner, list.clone()));
        list
    }
}

/// Tells whether these are the very same skills. Both are alive, so no two of them lie at one address.
fn is_same(before: &[Skill<'_>], now: &[Skill<'_>]) -> bool {
    let is_one = |(a, b): (&Skill<'_>, &Skill<'_>)| std::ptr::eq(a.location(), b.location());
    before.len() == now.len() && before.iter().zip(now).all(is_one)
}

/// `GET /v1/skills`: every skill but those that are gated or internal.
pub(crate) async fn all(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    Ok(json_text(shared.last.list(shared.runner()?)))
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
