//! The skills a client may know of, as the command line lists them (SPEC 11.1, 11.2).

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use skills_registry::Skill;
use skills_runtime::call::Runner;
use skills_runtime::listing::{Listed, listing};

use crate::answer::{Problem, json_text};
use crate::api::Shared;
use crate::name::Name;

/// The list as it was made last, and whose skills it tells.
#[derive(Default)]
pub(crate) struct Last(Mutex<Option<Made>>);

/// A list, and where the skills lie that it tells. The runner keeps them there: none that is another has their place.
struct Made {
    places: Vec<usize>,
    list: Bytes,
    _runner: Runner,
}

impl Last {
    /// Returns the list of a runner's skills, made again when they are others than before.
    fn list(&self, runner: Runner) -> Bytes {
        let skills = runner.skills().skills();
        let place = |skill: &Skill<'_>| skill.location().as_ptr().addr();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*last
            && made.places.iter().copied().eq(skills.iter().map(place))
        {
            return made.list.clone();
        }
        let places = skills.iter().map(place).collect();
        let listed = skills.into_iter().filter(|skill| !skill.tags().any(|tag| tag == "internal"));
        let list = Bytes::from(listing(listed.map(Listed::new)));
        *last = Some(Made { places, list: list.clone(), _runner: runner });
        list
    }
}

/// `GET /v1/skills`: every skill but those that are gated or internal.
pub(crate) async fn all(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    Ok(json_text(shared.last.list(shared.runner()?)))
}

/// `GET /v1/skills/{name}`: one skill with its text, files and schemas.
pub(crate) async fn one(State(shared): State<Arc<Shared>>, Name(name): Name) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let skill = name.and_then(|name| runner.skills().skill(&name)).ok_or_else(Problem::unknown_skill)?;
    Ok(json_text(Listed::new(skill).detail().indented(0)))
}
