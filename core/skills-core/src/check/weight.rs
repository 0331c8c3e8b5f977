//! Checks sizes: the catalog at the start of every conversation, and the files of one skill.

use skills_registry::{MAX_BYTES, MAX_FILES, estimated_tokens};
use skills_text::write_size;

use super::draft::{Check, SkillDraft};
use crate::rule::{files as rules, lints};
use crate::{DirectoryKind, FileId, Options, Report, SourceMap};

/// The fixed text around one entry of the catalog, in bytes.
const FRAME: usize = "  <skill>\n    <name></name>\n    <description></description>\n    <location>skill:///SKILL.md</location>\n  </skill>\n".len();

/// Warns if a skill exceeds the size that clients must support.
pub(super) fn files(draft: &SkillDraft, check: &mut Check<'_>) {
    let sources = check.sources;
    let Some(document) = &draft.skill.document else { return };
    let files = &draft.skill.dir.files;
    let bytes = files.iter().map(|file| file.bytes(sources).len() as u64).sum();
    if draft.fields.internal || (files.len() <= MAX_FILES && bytes <= MAX_BYTES) {
        return;
    }
    let size = if bytes > MAX_BYTES { write_size(bytes) } else { format!("{} files", files.len()) };
    let largest = files.iter().max_by_key(|file| file.bytes(sources).len());
    let help = match largest.filter(|_| bytes > MAX_BYTES) {
        Some(largest) => format!("add `{}`, the largest file, to `.skillignore`", largest.path),
        None => "add the directories that readers do not need to `.skillignore`".to_owned(),
    };
    let place = sources.file(document.file).span(0..0);
    rules::HOST_LIMITS
        .report_at(place, format!("the skill has {size}, more than MCP clients must load"))
        .label(format!("at most {MAX_FILES} files and {}", write_size(MAX_BYTES)))
        .help(help)
        .add_to(check.report);
}

/// Warns if the catalog of a folder exceeds its budget. In a repository, clients and programs load all skills of a hidden
/// folder and of a crate; people choose from other folders, which are checked only if the user sets a budget.
///
/// Returns the file that was added to the sources as the place of the warning.
pub(super) fn check(
    drafts: &[SkillDraft],
    options: &Options,
    sources: &mut SourceMap,
    report: &mut Report,
) -> Option<FileId> {
    let budget = options.budget();
    let is_loaded = drafts.first().is_some_and(|first| {
        let mut names = first.skill.dir.folder.split('/');
        first.skill.dir.in_crate || names.any(|name| name.starts_with('.'))
    });
    let is_set = options.catalog_budget.is_some();
    if options.read.scope == DirectoryKind::Repository && !is_loaded && !is_set {
        return None;
    }
    let mut total = 0;
    let mut largest: Option<(usize, &SkillDraft)> = None;
    for draft in drafts {
        let offered =
            draft.skill.document.is_some() && !draft.fields.hidden_from_model && !draft.fields.internal;
        let Some(description) = draft.description().filter(|_| offered) else { continue };
        let when = draft.fields.declared.when_to_use.as_deref().unwrap_or_default();
        let parts = [description.value.len(), when.len(), FRAME + 2 * draft.name.len()];
        total += parts.into_iter().map(estimated_tokens).sum::<usize>();
        if largest.is_none_or(|(size, _)| size < description.value.len()) {
            largest = Some((description.value.len(), draft));
        }
    }
    let (_, longest) = largest.filter(|_| total > budget)?;
    let folder = longest.skill.dir.folder.as_str();
    let count = match drafts.len() {
        1 => "1 skill".to_owned(),
        count => format!("{count} skills"),
    };
    let place = sources.add_path(if folder.is_empty() { "." } else { folder }, None);
    lints::CATALOG_BUDGET
        .report_at(place, format!("the catalog of {count} has about {total} tokens, more than {budget}"))
        .label("every conversation begins with these names and descriptions")
        .help(format!(
            "shorten the descriptions (`{}` has the longest), or raise the budget with `check --budget {total}`: \
             over the budget, descriptions are shortened when the catalog is shown",
            longest.name
        ))
        .add_to(report);
    Some(sources.id_of(place))
}
