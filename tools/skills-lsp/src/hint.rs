//! Inlay hints: the types of the values that templates read, and the defaults that a step leaves out.

use std::ops::Range;
use std::path::Path;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Position, Range as LineRange};
use skills_core::tree::Node;

use crate::convert::TextLines;
use crate::index::IndexedSkill;
use crate::root::{Root, dir_of};
use crate::schema;

/// Returns the hints in a range of a file.
pub(crate) fn hints(root: &Root, path: &Path, wanted: LineRange) -> Vec<InlayHint> {
    let Some((file, session)) = root.file(path).zip(root.session()) else { return Vec::new() };
    let Some(own) = root.of_dir(dir_of(&file.path)).filter(|own| !own.is_drafted) else { return Vec::new() };
    let (sources, lines) = (root.sources(), TextLines::new(&file.text, root.encoding));
    let part = lines.offset(wanted.start)..lines.offset(wanted.end);

    let mut hints = Vec::new();
    for path in session.template_paths(&own.dir) {
        let Some((_, last)) = path.keys.last() else { continue };
        let range = sources.range(*last);
        if sources.file_of(*last).path != file.path || !ends_in(&range, &part) || path.keys.len() < 2 {
            continue;
        }
        let keys: Vec<String> = path.keys.iter().map(|(key, _)| key.clone()).collect();
        if let Some(part) = schema::read(root, own, &keys) {
            let label = format!(": {}", schema::kind(part.schema));
            hints.push(hint(lines.position(range.end), InlayHintKind::TYPE, label));
        }
    }
    if file.path.ends_with("skill.json") {
        for step in schema::steps(own) {
            let Some(name) = step.get("skill") else { continue };
            let range = sources.range(name.span);
            let defaults = defaults(root, step);
            if ends_in(&range, &part) && !defaults.is_empty() {
                let label = format!("defaults: {}", defaults.join(", "));
                hints.push(hint(lines.position(range.end), InlayHintKind::PARAMETER, label));
            }
        }
    }
    hints.sort_by_key(|hint| hint.position);
    hints
}

/// Returns `true` if the end of a range lies in a part of the text.
fn ends_in(range: &Range<usize>, part: &Range<usize>) -> bool {
    part.start <= range.end && range.end <= part.end
}

fn hint(position: Position, kind: InlayHintKind, label: String) -> InlayHint {
    InlayHint {
        position,
        label: InlayHintLabel::String(label),
        kind: Some(kind),
        text_edits: None,
        tooltip: None,
        padding_left: Some(kind == InlayHintKind::PARAMETER),
        padding_right: None,
        data: None,
    }
}

/// Returns the properties that a step does not give and whose schema has a default.
fn defaults(root: &Root, step: &Node) -> Vec<String> {
    let called: Option<&IndexedSkill> =
        step.get("skill").and_then(Node::as_string).and_then(|name| root.find(name));
    let Some(input) = called.and_then(|skill| skill.schema(root.session(), "input")) else {
        return Vec::new();
    };
    let given = step.get("input");
    let members = schema::members(schema::resolved(input)).into_iter();
    let left = members.filter(|(key, _)| given.is_none_or(|given| given.get(key).is_none()));
    left.filter_map(|(key, part)| Some(format!("{key}: {}", part.get("default")?.text()))).collect()
}
