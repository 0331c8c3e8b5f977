//! Names in one root are unique, and so are the Rust identifiers made of them (SPEC 1.5).

use skills_registry::Places;

use super::draft::Draft;
use crate::diagnostic::Report;
use crate::rule::fields as rules;
use crate::span::Span;

/// Compares the names of all skills; the first in path order keeps its name.
pub(super) fn check(drafts: &[Draft], report: &mut Report) {
    let mut first = Places::default();
    for (at, draft) in drafts.iter().enumerate() {
        let other = &drafts[first.first(draft.name.replace('-', "_"), at)];
        if std::ptr::eq(draft, other) {
            continue;
        }
        let (title, help) = match draft.name == other.name {
            true => (
                format!("two skills are called `{}`", draft.name),
                format!("rename one of them, here or in `{}`", other.skill.dir.path),
            ),
            false => (
                format!(
                    "`{}` and `{}` are one name: both become the module `{}`",
                    draft.name,
                    other.name,
                    draft.name.replace('-', "_")
                ),
                "rename one of the two skills".to_owned(),
            ),
        };
        rules::NAME_TWICE
            .at(place(draft), title)
            .label("the second skill of this name")
            .help(help)
            .related(place(other), "the first")
            .add_to(report);
    }
}

fn place(draft: &Draft) -> Span {
    let manifest = draft.typed.as_ref().and_then(|typed| typed.name.as_ref());
    manifest.or(draft.fields.name.as_ref()).map_or(draft.head, |name| name.span)
}
