//! Finds all places that name a step, for an editor: its own name, `depends`, and templates that read it.

use crate::check::draft::Draft;
use crate::check::template::paths::paths;
use crate::span::{SourceMap, Span};

/// Returns the places in one skill that name a step, in the order of its text.
pub(crate) fn named(draft: &Draft, name: &str, sources: &SourceMap) -> Vec<Span> {
    let Some(typed) = &draft.typed else { return Vec::new() };
    let steps = typed.steps.as_ref().map_or(&[][..], |steps| steps.list.as_slice());
    let names = steps.iter().flat_map(|step| step.name.iter().chain(&step.depends));
    let mut found: Vec<Span> = names.filter(|known| known.value == name).map(|known| known.span).collect();
    found.extend(paths(draft, sources).into_iter().filter_map(|path| match path.keys.as_slice() {
        [(root, _), (step, span), ..] if root == "steps" && step == name => Some(*span),
        _ => None,
    }));
    skills_text::sort(&mut found, &|a, b| a.cmp(b));
    found
}
