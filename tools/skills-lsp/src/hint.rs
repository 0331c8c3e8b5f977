//! Inlay hints: the types of the values that templates read, and the defaults that a step leaves out.

use std::ops::Range;
use std::path::Path;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range as LineRange};
use skills_core::tree::Node;

use crate::convert::Lines;
use crate::index::Skill;
use crate::root::{Root, dir_of};
use crate::schema;

/// Returns the hints in a range of a file.
pub(crate) fn hints(root: &Root, path: &Path, wanted: LineRange) -> Vec<InlayHint> {
    let Some((file, session)) = root.file(path).zip(root.session()) else { return Vec::new() };
    let Some(own) = root.of_dir(dir_of(&file.path)).filter(|own| !own.is_drafted) else { return Vec::new() };
    let (sources, lines) = (root.sources(), Lines::new(&file.text, root.encoding));
    let part = lines.offset(wanted.start)..lines.offset(wanted.end);
    let hint = |at: usize, kind: InlayHintKind, label: String| InlayHint {
        position: lines.position(at),
        label: InlayHintLabel::String(label),
        kind: Some(kind),
        text_edits: None,
        tooltip: None,
        padding_left: Some(kind == InlayHintKind::PARAMETER),
        padding_right: None,
        data: None,
    };
    let is_wanted = |range: &Range<usize>| part.start <= range.end && range.end <= part.end;
    let mut hints = Vec::new();
    for path in session.template_paths(&own.dir) {
        let Some((_, last)) = path.keys.last() else { continue };
        let range = sources.range(*last);
        if sources.file_of(*last).path != file.path || !is_wanted(&range) || path.keys.len() < 2 {
            continue;
        }
        let keys: Vec<String> = path.keys.iter().map(|(key, _)| key.clone()).collect();
        if let Some(part) = schema::read(root, own, &keys) {
            hints.push(hint(range.end, InlayHintKind::TYPE, format!(": {}", schema::kind(part.schema))));
        }
    }
    if file.path.ends_with("skill.json") {
        for step in schema::steps(own) {
            let Some(name) = step.get("skill") else { continue };
            let range = sources.range(name.span);
            let defaults = defaults(root, step);
            if is_wanted(&range) && !defaults.is_empty() {
                let label = format!("defaults: {}", defaults.join(", "));
                hints.push(hint(range.end, InlayHintKind::PARAMETER, label));
            }
        }
    }
    hints.sort_by_key(|hint| hint.position);
    hints
}

/// Returns the properties that a step does not give and whose schema has a default.
fn defaults(root: &Root, step: &Node) -> Vec<String> {
    let called: Option<&Skill> = step.get("skill").and_then(Node::as_string).and_then(|name| root.find(name));
    let Some(input) = called.and_then(|skill| skill.schema(root.session(), "input")) else {
        return Vec::new();
    };
    let is_given = |key: &str| step.get("input").is_some_and(|input| input.get(key).is_some());
    let members = schema::members(schema::resolved(input)).into_iter().filter(|(key, _)| !is_given(key));
    members.filter_map(|(key, part)| Some(format!("{key}: {}", part.get("default")?.text()))).collect()
}
