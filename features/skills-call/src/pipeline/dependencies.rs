//! Determines which steps of a pipeline wait for which: for data, for `depends`, and for effects.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

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
    let waits = pipeline.steps.iter().enumerate().map(|(at, step)| {
        let mut waits: Vec<usize> = named(step, at).collect();
        if has_effects(&step.skill)
            && let Some(before) = last_effect.replace(at)
            && let Err(at) = waits.binary_search(&before)
        {
            waits.insert(at, before);
        }
        waits
    });
    waits.collect()
}

/// Returns the indices of the steps that the step at `at` refers to, in templates or in `depends`. In a checked pipeline, steps
/// refer only to earlier steps, so no step names itself.
pub(super) fn named(step: &Step, at: usize) -> impl Iterator<Item = usize> {
    let indices = step.after.iter().filter_map(|before| usize::try_from(*before).ok());
    indices.filter(move |before| *before < at)
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
        match function.pipeline {
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

/// The remaining steps and their dependencies. Finds the next step to run: the first in file order whose predecessors are
/// done.
pub(super) struct StepGraph {
    /// How many steps each step still waits for.
    waiting: Vec<usize>,
    /// The steps that wait for each step.
    followers: Vec<Vec<usize>>,
    ready: BinaryHeap<Reverse<usize>>,
}

impl StepGraph {
    pub(super) fn new(pipeline: &Pipeline, has_effects: &dyn Fn(&str) -> bool) -> Self {
        let mut followers = vec![Vec::new(); pipeline.steps.len()];
        let mut waiting = Vec::with_capacity(pipeline.steps.len());
        let mut ready = BinaryHeap::new();
        for (at, waits) in predecessors(pipeline, has_effects).into_iter().enumerate() {
            waiting.push(waits.len());
            if waits.is_empty() {
                ready.push(Reverse(at));
            }
            for before in waits {
                followers[before].push(at);
            }
        }
        Self { waiting, followers, ready }
    }

    /// Removes and returns the first step in file order that waits for nothing.
    pub(super) fn next(&mut self) -> Option<usize> {
        self.ready.pop().map(|Reverse(at)| at)
    }

    /// Marks a step as done or skipped.
    pub(super) fn finish(&mut self, at: usize) {
        for follower in std::mem::take(&mut self.followers[at]) {
            self.waiting[follower] -= 1;
            if self.waiting[follower] == 0 {
                self.ready.push(Reverse(follower));
            }
        }
    }
}
