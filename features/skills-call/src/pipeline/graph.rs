//! Finds the next step to run: the first step in file order whose predecessors are done.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use skills_template::pipeline::Step;

/// The remaining steps and their dependencies.
pub(super) struct Graph {
    /// How many steps each step still waits for.
    waiting: Vec<usize>,
    /// The steps that wait for each step.
    followers: Vec<Vec<usize>>,
    ready: BinaryHeap<Reverse<usize>>,
}

impl Graph {
    pub(super) fn new(steps: &[Step]) -> Self {
        let mut followers = vec![Vec::new(); steps.len()];
        let mut waiting = Vec::with_capacity(steps.len());
        let mut ready = BinaryHeap::new();
        for (place, step) in steps.iter().enumerate() {
            let mut count = 0;
            for before in predecessors(step, place) {
                followers[before].push(place);
                count += 1;
            }
            waiting.push(count);
            if count == 0 {
                ready.push(Reverse(place));
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

/// Returns the steps that must be done before the one at `place`. Checked pipelines only refer back, so no step waits
/// for itself.
pub(super) fn predecessors(step: &Step, place: usize) -> impl Iterator<Item = usize> {
    let places = step.after.iter().filter_map(|before| usize::try_from(*before).ok());
    places.filter(move |before| *before < place)
}
