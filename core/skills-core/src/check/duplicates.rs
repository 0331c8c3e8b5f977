//! Checks that names, Rust identifiers and install directories are unique among the skills of one folder.

use skills_registry::{ident_key, same_directory, standard_name};
use skills_text::Places;

use super::draft::{Check, SkillDraft};
use crate::rule::fields as rules;
use crate::{Diagnostic, DirectoryKind, Report, SourceMap, Span};

/// Compares the names of all skills; the first in path order keeps its name.
pub(super) fn check(drafts: &[SkillDraft], check: &mut Check<'_>) {
    let Check { sources, options, .. } = *check;
    let mut first = Places::default();
    let mut directories = Places::default();
    for (at, draft) in drafts.iter().enumerate().filter(|(_, draft)| !draft.skill.is_foreign()) {
        let other = &drafts[first.first(ident_key(&draft.name).into_owned(), at)];
        let neighbour = &drafts[directories.first(directory(draft), at)];
        let (a, b) = (&draft.name, &other.name);
        let mut help = "rename one of the two skills".to_owned();
        if std::ptr::eq(draft, other) {
            // Both skills can be in a program, but they cannot be installed side by side.
            if !std::ptr::eq(draft, neighbour) {
                let (b, place) = (&neighbour.name, directory(draft));
                let title = format!("`{a}` and `{b}` would be installed in the same directory: `{place}`");
                report_duplicate(draft, neighbour, title, help, check.report);
            }
            continue;
        }
        // To clients, copies are one skill and two spellings are two. Only a program needs distinct identifiers.
        let is_repository = options.read.scope == DirectoryKind::Repository;
        if is_repository && (is_copy(draft, other, sources) || a != b && !draft.skill.dir.in_crate) {
            continue;
        }
        let title = if a == b {
            help = format!("rename this skill or the one in `{}`", other.skill.dir.path);
            format!("two skills have the name `{a}`")
        } else {
            format!("`{a}` and `{b}` are the same name: both produce the Rust module `{}`", ident_key(a))
        };
        report_duplicate(draft, other, title, help, check.report);
    }
}

/// Returns the install directory. Names that a file system may treat as equal give the same result.
fn directory(draft: &SkillDraft) -> String {
    same_directory(&standard_name(&draft.name, draft.typed.is_some()))
}

/// Reports a skill that is left out of the bundle because an earlier one has its name.
pub(super) fn left_out(draft: &SkillDraft, first: &SkillDraft) -> Diagnostic {
    rules::SKILL_LEFT_OUT
        .report_at(name_span(draft), format!("the skill `{}` is left out of the bundle", draft.name))
        .label("an earlier skill has this name")
        .help("rename one of the two skills, or exclude this one in a `.skillignore`")
        .related(name_span(first), "the skill that the bundle contains")
}

fn report_duplicate(
    draft: &SkillDraft,
    other: &SkillDraft,
    title: String,
    help: String,
    report: &mut Report,
) {
    rules::NAME_TWICE
        .report_at(name_span(draft), title)
        .label("the second skill with this name")
        .help(help)
        .related(name_span(other), "the first skill with this name")
        .add_to(report);
}

/// Returns `true` if two skills have the same contents, so that it does not matter which one a client loads.
fn is_copy(a: &SkillDraft, b: &SkillDraft, sources: &SourceMap) -> bool {
    if let (Some(a), Some(b)) = (a.fingerprint, b.fingerprint) {
        return a == b;
    }
    ["SKILL.md", "skill.json"].iter().all(|name| match (a.skill.dir.file(name), b.skill.dir.file(name)) {
        (Some(a), Some(b)) => a.bytes(sources) == b.bytes(sources),
        (None, None) => true,
        _ => false,
    })
}

fn name_span(draft: &SkillDraft) -> Span {
    let manifest = draft.typed.as_ref().and_then(|typed| typed.name.as_ref());
    manifest.or(draft.fields.name.as_ref()).map_or(draft.head, |name| name.span)
}
