//! The call graph of a set of skills.

use std::collections::{BTreeSet, HashMap};

use skills_registry::{Net, Permissions, Skill};

use super::{Edge, Graph, GraphNode, NodeKind};
use skills_call::Layers;

/// Draws all functions. With `all`, also draws skills that are only read, and internal skills that no drawn
/// skill calls.
pub(super) fn graph(layers: &Layers, all: bool) -> Graph {
    let skills: Vec<Skill<'_>> = layers.iter().collect();
    let called: BTreeSet<&str> =
        skills.iter().filter(|skill| all || !skill.is_internal()).flat_map(|skill| skill.calls()).collect();
    draw(
        "skills".to_owned(),
        layers,
        skills
            .iter()
            .copied()
            .filter(|skill| {
                all || !skill.is_internal()
                    && (all || skill.backend().is_some() || called.contains(skill.name()))
            })
            .collect(),
    )
}

/// Draws one skill with all that it calls, directly or indirectly.
pub(super) fn around(layers: &Layers, skill: Skill<'_>) -> Graph {
    let mut names = BTreeSet::from([skill.name()]);
    let mut open = vec![skill];
    while let Some(skill) = open.pop() {
        for name in skill.calls() {
            if names.insert(name) {
                open.extend(layers.get(name));
            }
        }
    }
    let skills = names.iter().filter_map(|name| layers.get(name)).collect();
    draw(skill.name().to_owned(), layers, skills)
}

fn draw(title: String, layers: &Layers, skills: Vec<Skill<'_>>) -> Graph {
    let mut nodes: Vec<GraphNode> = skills.iter().map(|skill| node(layers, skill.name(), *skill)).collect();
    let mut places: HashMap<String, usize> =
        nodes.iter().enumerate().map(|(at, node)| (node.id.clone(), at)).collect();
    let mut edges = Vec::new();
    for (from, skill) in skills.iter().enumerate() {
        let certain: BTreeSet<&str> = skill.certain_calls().collect();
        for name in skill.calls() {
            let to = *places.entry(name.to_owned()).or_insert_with(|| {
                nodes.push(match layers.get(name) {
                    Some(skill) => node(layers, name, skill),
                    None => absent(name, name),
                });
                nodes.len() - 1
            });
            edges.push(Edge { from, to, certain: certain.contains(name) });
        }
    }
    Graph { title, nodes, edges }
}

/// Returns the box of a skill, with the backend that runs it and the programs that it requires. `id` is its name, or the
/// name of its step.
pub(super) fn node(layers: &Layers, id: &str, skill: Skill<'_>) -> GraphNode {
    let mut lines = Vec::new();
    if id != skill.name() {
        lines.push(skill.name().to_owned());
    }
    let kind = skill.backend().map_or(NodeKind::Text, NodeKind::Run);
    lines.push(match skill.program() {
        Some(program) => format!("{}: {program}", kind.as_str()),
        None => kind.as_str().to_owned(),
    });
    let needs: Vec<&str> = skill.requires().collect();
    if !needs.is_empty() {
        lines.push(format!("needs {}", needs.join(", ")));
    }
    lines.extend(skill.permissions().as_ref().and_then(allowed));
    if !layers.trust(skill).may_run() {
        lines.push("not trusted".to_owned());
    }
    GraphNode { id: id.to_owned(), skill: Some(skill.name().to_owned()), title: id.to_owned(), lines, kind }
}

/// Summarizes the requested permissions on one line, or returns `None` if the list is empty.
fn allowed(asked: &Permissions) -> Option<String> {
    let mut parts = Vec::new();
    for (verb, paths) in [("read", &asked.read), ("write", &asked.write)] {
        if !paths.is_empty() {
            parts.push(format!("{verb} {}", paths.join(" ")));
        }
    }
    match &asked.net {
        Net::None => {}
        Net::Hosts(hosts) => parts.push(format!("reach {}", hosts.join(" "))),
        Net::All => parts.push("reach all".to_owned()),
    }
    (!parts.is_empty()).then(|| format!("may {}", parts.join(", ")))
}

/// Returns the box of a skill that does not exist.
pub(super) fn absent(id: &str, title: &str) -> GraphNode {
    GraphNode {
        id: id.to_owned(),
        skill: None,
        title: title.to_owned(),
        lines: vec!["not there".to_owned()],
        kind: NodeKind::Text,
    }
}
