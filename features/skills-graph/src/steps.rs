//! Draws the steps of a pipeline, with their conditions and lists.

use skills_registry::Skill;
use skills_template::Tree;
use skills_template::pipeline::Pipeline;
use skills_template::render::print_expression;

use super::calls::{absent, node};
use super::{Edge, Graph, GraphNode, NodeKind};
use skills_call::Layers;
use skills_call::pipeline::{has_effects, predecessors};

/// The maximum number of characters of a condition to show.
const SHOWN: usize = 44;

pub(super) fn graph(layers: &Layers, skill: Skill<'_>, pipeline: &Pipeline) -> Graph {
    let mut nodes = vec![end("input")];
    let mut edges = Vec::new();
    let waits = predecessors(pipeline, &|name| has_effects(layers, name));
    let mut is_last = vec![true; pipeline.steps.len()];
    for (at, step) in pipeline.steps.iter().enumerate() {
        let mut node = match layers.get(&step.skill) {
            Some(skill) => node(layers, &step.name, skill),
            None => absent(&step.name, &step.name),
        };
        node.lines.extend(step.condition.as_ref().map(|condition| format!("if {}", shown(condition))));
        node.lines.extend(step.foreach.as_ref().map(|list| format!("for each of {}", shown(list))));
        node.lines.extend(attempts(step.retry, step.timeout_ms, step.continue_on_error));
        nodes.push(node);
        let direct = direct(&waits, at);
        if direct.is_empty() {
            edges.push(Edge { from: 0, to: at + 1, certain: step.condition.is_none() });
        }
        for before in direct {
            is_last[before] = false;
            edges.push(Edge { from: before + 1, to: at + 1, certain: step.condition.is_none() });
        }
    }
    nodes.push(end("output"));
    for (at, _) in is_last.iter().enumerate().filter(|(_, is_last)| **is_last) {
        edges.push(Edge { from: at + 1, to: nodes.len() - 1, certain: true });
    }
    Graph { title: skill.name().to_owned(), nodes, edges }
}

/// Returns the direct predecessors of a step. A predecessor is left out if another predecessor already waits
/// for it.
fn direct(waits: &[Vec<usize>], at: usize) -> Vec<usize> {
    steps_after(at, waits)
        .filter(|first| {
            !steps_after(at, waits).any(|second| second != *first && is_before(*first, second, waits))
        })
        .collect()
}

fn is_before(first: usize, second: usize, waits: &[Vec<usize>]) -> bool {
    let mut open = vec![second];
    let mut seen = vec![false; waits.len()];
    while let Some(step) = open.pop() {
        for before in steps_after(step, waits) {
            if before == first {
                return true;
            }
            if !std::mem::replace(&mut seen[before], true) {
                open.push(before);
            }
        }
    }
    false
}

fn steps_after(at: usize, waits: &[Vec<usize>]) -> impl Iterator<Item = usize> {
    waits.get(at).into_iter().flatten().copied()
}

fn attempts(retry: u32, timeout_ms: Option<u64>, forgiven: bool) -> Option<String> {
    let mut parts = Vec::new();
    if retry > 0 {
        parts.push(format!("{} attempts", u64::from(retry) + 1));
    }
    parts.extend(timeout_ms.map(|limit| format!("{} each", skills_text::write_timeout(limit))));
    if forgiven {
        parts.push("may fail".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn shown(expression: &Tree) -> String {
    skills_text::cut(&print_expression(expression.root()), SHOWN)
}

fn end(title: &str) -> GraphNode {
    let (id, title) = (format!("({title})"), title.to_owned());
    GraphNode { id, skill: None, title, lines: Vec::new(), kind: NodeKind::End }
}
