//! Checks that a skill of another project has a license.

use super::draft::{Check, SkillDraft};
use crate::read::is_license;
use crate::rule::lints;

pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    let options = check.options;
    let Some(origin) = options.origin.as_ref().or(draft.skill.dir.origin.as_ref()) else { return };
    let named = draft.frontmatter().and_then(|frontmatter| frontmatter.tree.get("license")?.as_string());
    let is_named = named.is_some_and(|text| !text.trim().is_empty());
    let files = &draft.skill.dir.files;
    if origin.license.is_some() || is_named || files.iter().any(|file| is_license(&file.path)) {
        return;
    }
    lints::NO_LICENSE
        .report_at(draft.head, format!("neither the skill nor `{}` names a license", origin.source))
        .label("nobody may copy a skill without a license")
        .help("ask the author of the skill to name the license in `license` of the frontmatter")
        .add_to(check.report);
}
