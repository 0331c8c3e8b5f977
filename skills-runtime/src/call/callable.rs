//! Which functions can be called with what is at hand: a runner asks, for itself and for the servers on it (SPEC 6.2).

use std::collections::HashSet;

use skills_registry::Mode;
use skills_template::pipeline::Pipeline;

use super::engine::Engine;
use super::run::MAX_DEPTH;

/// Tells whether there is a function of this name and something that runs it.
///
/// A pipeline needs that for every step that runs whatever the input is, all the way down: without it each call would
/// fail. A step with a `condition` or a `foreach`, and one that waits for the result of a conditional one, may not run at
/// all; one with `continueOnError` fails no call.
pub(super) fn is_callable(engine: &Engine, name: &str) -> bool {
    Search { engine, seen: HashSet::new() }.finds(name, 0)
}

struct Search<'e> {
    engine: &'e Engine,
    /// The names that were asked for: one that cannot be called ends the search, so these can, or are being looked at.
    seen: HashSet<String>,
}

impl Search<'_> {
    fn finds(&mut self, name: &str, depth: u32) -> bool {
        let Some(function) = self.engine.library.function(name).filter(|_| depth < MAX_DEPTH) else {
            return false;
        };
        match (function.skill.mode(), function.pipeline) {
            (None, _) => false,
            (Some(Mode::Llm), _) => self.engine.model.is_some(),
            (Some(_), None) => self.engine.is_served(function.skill),
            (Some(_), Some(pipeline)) => !self.seen.insert(name.to_owned()) || self.can_run(pipeline, depth),
        }
    }

    fn can_run(&mut self, pipeline: &Pipeline, depth: u32) -> bool {
        let mut always: Vec<bool> = Vec::with_capacity(pipeline.steps.len());
        for step in &*pipeline.steps {
            let needs = step
                .needs
                .iter()
                .map(|place| usize::try_from(*place).ok().and_then(|place| always.get(place)));
            let runs = step.condition.is_none() && needs.into_iter().all(|need| need == Some(&true));
            always.push(runs);
            if runs
                && step.foreach.is_none()
                && !step.continue_on_error
                && !self.finds(&step.skill, depth + 1)
            {
                return false;
            }
        }
        true
    }
}
