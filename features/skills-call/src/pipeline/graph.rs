//! Finds the next step to run: the first step in file order whose predecessors are done.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use skills_template::pipeline::Pipeline;

use super::order::predecessors;

/// The remaining steps and their dependencies.
pub(super) struct Graph {
    /// How many steps each step still waits for.
    waiting: Vec<usize>,
    /// The steps that wait for each step.
    followers: Vec<Vec<usize>>,
    ready: BinaryHeap<Reverse<usize>>,
}

impl Graph {
    pub(super) fn new(pipeline: &Pipeline, has_effects: &dyn Fn(&str) -> bool) -> Self {
        let mut followers = vec![Vec::new(); pipeline.steps.len()];
        let mut waiting = Vec::with_capacity(pipeline.steps.len());
        let mut ready = BinaryHeap::new();
        for (place, waits) in predecessors(pipeline, has_effects).into_iter().enumerate() {
            waiting.push(waits.len());
            if waits.is_empty() {
                ready.push(Reverse(place));
            }
            for before in waits {
                followers[before].push(place);
            }
        }
        Self { waiting, followers, ready }
    }

    /// Removes and returns the first step in file order that waits for nothing.
    pub(super) fn next(&mut self) -> Option<usize> {
        self.ready.pop().map(|Reverse(place)| place)
    }

    /// Marks a step as done or skipped.
    pub(super) fn finish(&mut self, place: usize) {
        for follower in std::mem::take(&mut self.followers[place]) {
            self.waiting[follower] -= 1;
            if self.waiting[follower] == 0 {
                self.ready.push(Reverse(follower));
            }
        }
    }
}
