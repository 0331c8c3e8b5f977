//! Caches the list of skills, which is the same for every client until the skills change.

use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use skills_call::Runner;
use skills_registry::Skill;
use skills_runtime::listing::{Listed, listing};

/// The cached list, with the skills that it describes.
#[derive(Default)]
pub(crate) struct Last(Mutex<Option<CachedList>>);

/// A list, with the memory address of each of its skills and whether the skill can be called. The runner is
/// kept alive, so that no other skill can get the same address.
struct CachedList {
    places: Vec<(usize, bool)>,
    list: Bytes,
    _runner: Runner,
}

impl Last {
    /// Returns the list of a runner's skills, and updates the cache if they have changed.
    pub(crate) fn list(&self, runner: Runner) -> Bytes {
        let skills = runner.skills();
        let place = |skill: Skill<'_>| {
            (skill.location().as_ptr().addr(), skill.backend().is_some() && runner.is_callable(skill.name()))
        };
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*last
            && made.places.iter().copied().eq(skills.iter().map(place))
        {
            return made.list.clone();
        }
        let places = skills.iter().map(place).collect();
        let listed = skills.iter().filter(|skill| !skill.is_internal());
        let list = Bytes::from(listing(
            listed.map(|skill| Listed::new(skill).backend(runner.backend(skill.name()))),
        ));
        *last = Some(CachedList { places, list: list.clone(), _runner: runner });
        list
    }
}
