//! Which skill wants a function of the host: itself, or one that its pipeline always calls (SPEC 6.2). `tools` asks.

use std::collections::HashSet;

use skills_registry::{Mode, Skill};
use skills_schema::json::{self, Kind, Node};

use crate::shelf::Shelf;

/// How far pipelines are followed; a deeper call fails (SPEC 6.4).
const DEPTH: usize = 10;

/// Finds what only a function of the host can run and each call of the skill would run: the skill, or another.
pub(crate) fn by_host_alone<'a>(shelf: &Shelf<'a>, skill: Skill<'a>) -> Option<Skill<'a>> {
    find(shelf, skill, &mut HashSet::new())
}

fn find<'a>(shelf: &Shelf<'a>, skill: Skill<'a>, above: &mut HashSet<&'a str>) -> Option<Skill<'a>> {
    match (skill.mode()?, skill.pipeline()) {
        (Mode::Llm, _) => None,
        (Mode::Code, _) | (Mode::Composite, None) => skill.program().is_none().then_some(skill),
        (Mode::Composite, Some(steps)) => {
            if above.len() >= DEPTH || !above.insert(skill.name()) {
                return None;
            }
            always(steps).iter().find_map(|name| find(shelf, shelf.find(name).ok()?.skill, above))
        }
    }
}

/// Names the skills of the steps that run whatever the input is. Steps behind a conditional one may wait for its result,
/// so they do not count.
fn always(steps: &str) -> Vec<String> {
    let Ok(steps) = json::parse(steps) else { return Vec::new() };
    let steps = steps.items().iter().take_while(|step| step.get("condition").is_none());
    let is_certain = |step: &&Node| {
        let forgives = step.get("continueOnError").is_some_and(|node| matches!(node.kind, Kind::Bool(true)));
        step.get("foreach").is_none() && !forgives
    };
    let name = |step: &Node| step.get("skill").and_then(Node::as_str).map(str::to_owned);
    steps.filter(is_certain).filter_map(name).collect()
}
