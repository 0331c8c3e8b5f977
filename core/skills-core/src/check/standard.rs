//! Checks fields by rules for published skills: the forms of `metadata` and `allowed-tools` that the open standard
//! requires, and the license of a skill of another project.

use super::draft::{Check, SkillDraft};
use super::read_fields::{outside, split_tools};
use crate::Report;
use crate::read::is_license;
use crate::rule::{fields as rules, lints};
use crate::tree::{ScalarType, Value};

pub(super) fn check(draft: &SkillDraft, report: &mut Report) {
    let Some(frontmatter) = draft.frontmatter() else { return };
    for entry in frontmatter.tree.get("metadata").and_then(|metadata| metadata.as_map()).unwrap_or_default() {
        let is_string = entry.value.as_scalar().is_some_and(|scalar| scalar.kind == ScalarType::String);
        if !is_string {
            let value = match &entry.value.value {
                Value::Scalar(scalar) => scalar.text.clone(),
                _ => "…".to_owned(),
            };
            let found = entry.value.describe();
            rules::METADATA_VALUE
                .report_at(entry.value.span, format!("`metadata` has {found} for `{}`", entry.key))
                .label("the standard requires strings")
                .help(format!("write it as: {}: \"{value}\"", entry.key))
                .add_to(report);
        }
    }
    let Some(allowed) = frontmatter.tree.get("allowed-tools").filter(|allowed| !allowed.is_absent()) else {
        return;
    };
    let text = allowed.as_scalar().map(|scalar| scalar.text.as_str());
    let joined = match (&allowed.value, text) {
        (Value::List(items), _) => {
            let items = items.iter().filter_map(|item| item.as_scalar()).map(|scalar| scalar.text.trim());
            items.collect::<Vec<_>>().join(" ")
        }
        (_, Some(text)) if text.contains(outside(|c| c == ',')) => split_tools(text).join(" "),
        _ => return,
    };
    rules::ALLOWED_TOOLS_FORM
        .report_at(allowed.span, "`allowed-tools` is not a text separated by spaces")
        .label("the standard requires one text with spaces between the tools")
        .help(format!("write it as: allowed-tools: {joined}"))
        .add_to(report);
}

/// Checks that a skill of another project has a license.
pub(super) fn check_license(draft: &SkillDraft, check: &mut Check<'_>) {
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
