//! What all skills together cost a model: the catalog that every conversation begins with (SPEC 2.11, 8.1).

use skills_registry::estimated_tokens;

use super::draft::Draft;
use crate::report::Report;
use crate::rule::lints;
use crate::span::SourceMap;

/// The fixed text around one entry of the catalog, in bytes, estimated as SPEC 8.1 writes it.
const FRAME: usize = "  <skill>\n    <name></name>\n    <description></description>\n    <location>skill:///SKILL.md</location>\n  </skill>\n".len();

/// Warns when the catalog is larger than a model should be given.
pub(super) fn check(drafts: &[Draft], budget: usize, sources: &mut SourceMap, report: &mut Report) {
    let mut total = 0;
    let mut largest: Option<(usize, &Draft)> = None;
    for draft in drafts {
        let offered =
            draft.skill.document.is_some() && !draft.fields.hidden_from_model && !draft.fields.internal;
        let manifest = draft.typed.as_ref().and_then(|typed| typed.description.as_ref());
        let Some(description) = manifest.or(draft.fields.description.as_ref()).filter(|_| offered) else {
            continue;
        };
        let when = draft.fields.declared.when_to_use.as_deref().unwrap_or_default();
        let parts = [description.value.len(), when.len(), FRAME + 2 * draft.name.len()];
        total += parts.into_iter().map(estimated_tokens).sum::<usize>();
        if largest.is_none_or(|(size, _)| size < description.value.len()) {
            largest = Some((description.value.len(), draft));
        }
    }
    let Some((_, longest)) = largest.filter(|_| total > budget) else { return };
    let count = match drafts.len() {
        1 => "1 skill".to_owned(),
        count => format!("{count} skills"),
    };
    let folder = longest.skill.dir.folder.as_str();
    let place = sources.add_path(if folder.is_empty() { "." } else { folder }, None);
    lints::CATALOG_BUDGET
        .at(place, format!("the catalog of {count} takes about {total} tokens, more than {budget}"))
        .label("names and descriptions, which every conversation begins with")
        .help(format!(
            "shorten descriptions (the longest is that of `{}`), or raise the budget, as by `check --catalog-budget {total}`: \
             over it, descriptions are cut when the catalog is shown",
            longest.name
        ))
        .add_to(report);
}
