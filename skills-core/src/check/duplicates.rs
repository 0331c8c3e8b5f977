//! Names in one folder of skills are unique, and so are the Rust identifiers made of them (SPEC 1.5).

use skills_registry::Places;

use super::draft::Draft;
use crate::read::Scope;
use crate::report::Report;
use crate::rule::fields as rules;
use crate::span::{SourceMap, Span};

/// Compares the names of all skills; the first in path order keeps its name.
pub(super) fn check(drafts: &[Draft], scope: Scope, sources: &SourceMap, report: &mut Report) {
    let mut first = Places::default();
    for (at, draft) in drafts.iter().enumerate() {
        let other = &drafts[first.first(draft.name.replace('-', "_"), at)];
        if std::ptr::eq(draft, other) || (scope == Scope::Repository && is_copy(draft, other, sources)) {
            continue;
        }
        // To clients they are two; only in a program would both be one identifier.
        if scope == Scope::Repository && draft.name != other.name && !draft.skill.dir.in_crate {
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

/// Tells whether two skills say the same: then it does not matter which one a client takes.
fn is_copy(a: &Draft, b: &Draft, sources: &SourceMap) -> bool {
    ["SKILL.md", "skill.json"].into_iter().all(|name| {
        match (a.skill.dir.file(name), b.skill.dir.file(name)) {
            (Some(a), Some(b)) => a.bytes(sources) == b.bytes(sources),
            (None, None) => true,
            _ => false,
        }
    })
}

fn place(draft: &Draft) -> Span {
    let manifest = draft.typed.as_ref().and_then(|typed| typed.name.as_ref());
    manifest.or(draft.fields.name.as_ref()).map_or(draft.head, |name| name.span)
}
