//! The list of skills as it was made last: it is the same for every client until the skills are others (SPEC 11.2).

use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use skills_registry::Skill;
use skills_call::Runner;
use skills_runtime::listing::{Listed, listing};

/// The list as it was made last, and whose skills it tells.
#[derive(Default)]
pub(crate) struct Last(Mutex<Option<Made>>);

/// A list, and where the skills lie that it tells, each with whether it can be called. The runner keeps them there: none that is another has their place.
struct Made {
    places: Vec<(usize, bool)>,
    list: Bytes,
    _runner: Runner,
}

impl Last {
    /// Returns the list of a runner's skills, made again when they are others than before.
    pub(crate) fn list(&self, runner: Runner) -> Bytes {
        let skills = runner.skills().skills();
        let place = |skill: &Skill<'_>| {
            (skill.location().as_ptr().addr(), skill.way().is_some() && runner.is_callable(skill.name()))
        };
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*last
            && made.places.iter().copied().eq(skills.iter().map(place))
        {
            return made.list.clone();
        }
        let places = skills.iter().map(place).collect();
        let listed = skills.into_iter().filter(|skill| !skill.is_internal());
        let list = Bytes::from(listing(listed.map(|skill| Listed::new(skill).way(runner.way(skill.name())))));
        *last = Some(Made { places, list: list.clone(), _runner: runner });
        list
    }
}
