//! Checks `depends` of the steps: it names only earlier steps.

use skills_text::Places;

use crate::check::pipeline::Step;
use crate::report::Report;
use crate::rule::pipelines as rules;

/// Checks what a step depends on; `known` and `before` are the names before it, `is_later` tests whether a name belongs to a later step.
pub(super) fn check(
    step: &Step,
    known: &Places,
    before: &[&str],
    is_later: &dyn Fn(&str) -> bool,
    room: usize,
    report: &mut Report,
) {
    for name in &step.depends {
        let text = name.value.as_str();
        if known.get(text).is_some() {
            continue;
        }
        let mut near = None;
        let (title, help) = if step.name() == Some(text) {
            (format!("the step `{text}` cannot wait for itself"), "delete it".to_owned())
        } else if is_later(text) {
            let help = format!("steps run in file order: move `{text}` before this one");
            (format!("the step `{text}` runs after this one"), help)
        } else {
            let before = if report.has(room) { before } else { &[] };
            near = skills_text::nearest(text, before.iter().copied());
            let help = "name an earlier step".to_owned();
            (format!("no step `{text}` runs before this one"), help)
        };
        let found = rules::STEP_DEPENDS.at(name.span, title).label("this dependency");
        report.push(match near {
            Some(near) => found.near_string(near),
            None => found.help(help),
        });
    }
}
