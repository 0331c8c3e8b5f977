//! Determines which steps of a pipeline wait for which: for data, for `depends`, and for effects.

use std::collections::BTreeSet;

use skills_registry::Backend;
use skills_template::pipeline::{Pipeline, Step};

use crate::Layers;

/// Returns for each step of a pipeline the indices of the steps that must end before it starts, ascending.
///
/// A step waits for the steps whose results it reads and for those in its `depends`. A step whose skill has effects
/// also waits for the last such step before it, so that at most one of them runs at a time and they run in file
/// order. `has_effects` returns `true` for the name of a skill that has effects; see [`has_effects`].
pub fn predecessors(pipeline: &Pipeline, has_effects: &dyn Fn(&str) -> bool) -> Vec<Vec<usize>> {
    let mut last_effect = None;
    let waits = pipeline.steps.iter().enumerate().map(|(place, step)| {
        let mut waits: Vec<usize> = named(step, place).collect();
        if has_effects(&step.skill)
            && let Some(before) = last_effect.replace(place)
            && let Err(at) = waits.binary_search(&before)
        {
            waits.insert(at, before);
        }
        waits
    });
    waits.collect()
}

/// Returns the steps that the one at `place` refers to, in templates or in `depends`. In a checked pipeline, steps
/// refer only to earlier steps, so no step names itself.
pub(super) fn named(step: &Step, place: usize) -> impl Iterator<Item = usize> {
    let places = step.after.iter().filter_map(|before| usize::try_from(*before).ok());
    places.filter(move |before| *before < place)
}

/// Returns `true` if a call of a skill can change something besides returning its output.
///
/// A skill that asks a model has no effects. A program and a method of the host have effects unless their manifest
/// says `"pure": true`. A pipeline has effects if one of its steps has. A skill that the layers do not have counts
/// as having effects.
pub fn has_effects(layers: &Layers, skill: &str) -> bool {
    // Most steps do not call a pipeline. Only the names of skills below a nested pipeline are allocated.
    let mut seen = BTreeSet::new();
    let mut open = vec![skill];
    while let Some(name) = open.pop() {
        let Some(function) = layers.function(name) else { return true };
        match function.pipeline.filter(|_| function.is_pipeline()) {
            Some(pipeline) => {
                seen.insert(name);
                let skills = pipeline.steps.iter().map(|step| &*step.skill);
                open.extend(skills.filter(|skill| seen.insert(skill)));
            }
            None if function.skill.is_pure() || function.skill.backend() == Some(Backend::Model) => {}
            None => return true,
        }
    }
    false
}
