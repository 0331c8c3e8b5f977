//! The steps of a pipeline, with what decides whether and how often they run.

use serde_json::Value;
use skills_registry::Skill;
use skills_template::pipeline::Pipeline;

use super::calls::{absent, node};
use super::{Edge, Graph, Kind, Node};
use crate::call::Library;

/// Characters of a condition that are shown.
const SHOWN: usize = 44;

pub(super) fn graph(library: &dyn Library, skill: Skill<'_>, pipeline: &Pipeline) -> Graph {
    // The texts of conditions, as the author wrote them: the trees do not keep them.
    let written: Value =
        skill.pipeline().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let mut nodes = vec![end("input")];
    let mut edges = Vec::new();
    let mut is_last = vec![true; pipeline.steps.len()];
    for (at, step) in pipeline.steps.iter().enumerate() {
        let mut node = match library.skill(&step.skill) {
            Some(skill) => node(&step.name, &step.name, skill),
            None => absent(&step.name, &step.name),
        };
        let text = |key: &str| written.get(at).and_then(|step| step.get(key)).and_then(Value::as_str);
        node.lines.extend(text("condition").map(|condition| format!("if {}", cut(condition))));
        node.lines.extend(text("foreach").map(|list| format!("for each of {}", cut(list))));
        node.lines.extend(attempts(step.retry, step.timeout_ms, step.continue_on_error));
        nodes.push(node);
        let direct = direct(pipeline, at);
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

/// The steps that a step waits for and that no other of them waits for.
fn direct(pipeline: &Pipeline, at: usize) -> Vec<usize> {
    let after = |at: usize| {
        let steps = pipeline.steps.get(at).map_or(&[][..], |step| &step.after);
        steps.iter().filter_map(|step| usize::try_from(*step).ok())
    };
    let is_before = |first: usize, second: usize| {
        let mut open = vec![second];
        let mut seen = vec![false; pipeline.steps.len()];
        while let Some(step) = open.pop() {
            for before in after(step) {
                if before == first {
                    return true;
                }
                if !std::mem::replace(&mut seen[before], true) {
                    open.push(before);
                }
            }
        }
        false
    };
    after(at).filter(|first| !after(at).any(|second| second != *first && is_before(*first, second))).collect()
}

fn attempts(retry: u32, timeout_ms: Option<u64>, forgiven: bool) -> Option<String> {
    let mut parts = Vec::new();
    if retry > 0 {
        parts.push(format!("{} attempts", u64::from(retry) + 1));
    }
    parts.extend(timeout_ms.map(|limit| format!("{} each", skills_registry::write_timeout(limit))));
    if forgiven {
        parts.push("may fail".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn cut(text: &str) -> String {
    let text = text.trim().trim_start_matches("{{").trim_end_matches("}}").trim();
    skills_registry::cut(text, SHOWN)
}

fn end(title: &str) -> Node {
    Node { id: format!("({title})"), title: title.to_owned(), lines: Vec::new(), kind: Kind::End }
}
