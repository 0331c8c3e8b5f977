//! The places that name an input property of a skill: its schema, templates, steps of other skills, test cases.

use skills_core::report::Report;
use skills_core::span::Span;
use skills_core::tree::{MapEntry, Node, json};
use skills_registry::evals::{EVALS, INPUT};

use crate::index::IndexedSkill;
use crate::root::Root;
use crate::schema;

/// Returns the places in a directory that name a property of a skill's input. Empty if the `skill.json`
/// itself does not contain the property, or cannot be parsed.
pub(crate) fn places(root: &Root, skill: &IndexedSkill, name: &str) -> Vec<Span> {
    let manifest = skill.manifest.as_ref().filter(|_| !skill.is_drafted);
    let Some(input) = manifest.and_then(|manifest| manifest.get("input")) else {
        return Vec::new();
    };
    let Some(defined) = input.get("properties").and_then(|properties| entry(properties, name)) else {
        return Vec::new();
    };
    let required = input.get("required").and_then(Node::as_list).unwrap_or_default().iter();
    let mut found = vec![defined.key_span];
    found.extend(required.filter(|key| key.as_string() == Some(name)).map(|key| key.span));
    let paths = root.session().map(|session| session.template_paths(&skill.dir)).unwrap_or_default();
    found.extend(paths.into_iter().filter_map(|path| match path.keys.as_slice() {
        [(root, _), (key, span), ..] if root == "input" && key == name => Some(*span),
        _ => None,
    }));
    let others = root.skills().iter().filter(|other| !other.is_drafted);
    let steps = others.flat_map(schema::steps);
    let calls = steps.filter(|step| step.get("skill").and_then(Node::as_string) == Some(skill.name.as_str()));
    found.extend(calls.filter_map(|step| Some(entry(step.get("input")?, name)?.key_span)));
    found.extend(evals(root, skill).iter().flat_map(|tree| {
        let cases = tree.get(EVALS.name).and_then(Node::as_list).unwrap_or_default().iter();
        cases.filter_map(|case| Some(entry(case.get(INPUT.name)?, name)?.key_span))
    }));
    found
}

/// Returns the files in `evals` of a skill.
fn evals(root: &Root, skill: &IndexedSkill) -> Vec<Node> {
    let sources = root.sources();
    let mut skills = root.session().into_iter().flat_map(|session| session.skills());
    let own = skills.find(|(_, parsed)| parsed.dir.path == skill.dir);
    let files = own.into_iter().flat_map(|(_, parsed)| &parsed.dir.evals);
    files.filter_map(|id| json::parse(sources.file(*id), &mut Report::default())).collect()
}

fn entry<'n>(node: &'n Node, key: &str) -> Option<&'n MapEntry> {
    node.as_map()?.iter().find(|entry| entry.key == key)
}

/// Returns the skill and the name of the input property at a path of keys in a `skill.json`.
pub(crate) fn named<'r>(
    root: &'r Root,
    own: &'r IndexedSkill,
    path: &[&str],
    on_key: bool,
    value: &str,
) -> Option<(&'r IndexedSkill, String)> {
    match (path, on_key) {
        (["input", "properties", key], true) => Some((own, (*key).to_owned())),
        (["input", "required", _], false) => Some((own, value.to_owned())),
        (["pipeline", step, "input", key], true) => {
            let step = schema::steps(own).get(step.parse::<usize>().ok()?)?;
            Some((root.find(step.get("skill")?.as_string()?)?, (*key).to_owned()))
        }
        _ => None,
    }
}
