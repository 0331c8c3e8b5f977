//! Checks `{{program.version}}` in a `SKILL.md`: the only value that a program puts into the texts that it bundles.
//!
//! The build replaces it with [`fill_program_version`](crate::catalog::Catalog::fill_program_version).

use skills_registry::Mode;
use skills_text::nearest;

use super::draft::{Check, SkillDraft};
use crate::catalog::PROGRAM_VERSION;
use crate::rule::lints;
use crate::{Change, Profile};

/// The name between the braces.
const NAME: &str = "program.version";

/// Reports values that do not exist. For a skill on disk, reports also the value that exists, because nothing replaces
/// it there.
pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    let Check { sources, options, .. } = *check;
    let Some(document) = &draft.skill.document else { return };
    let file = sources.file(document.file);
    // A prompt is a template, whose names the check of templates reports.
    let is_prompt = draft.mode() == Some(Mode::Llm) && draft.skill.prompt.is_none();
    let end = if is_prompt { sources.range(document.body).start } else { file.text.len() };
    let text = file.text.get(..end).unwrap_or_default();
    for (start, _) in text.match_indices("{{") {
        let Some((name, len)) = text.get(start..).and_then(value) else { continue };
        let span = file.span(start..start + len);
        let is_exact = text.get(start..start + len) == Some(PROGRAM_VERSION);
        if is_exact && options.profile == Profile::Disk {
            lints::PROGRAM_VALUE
                .report_at(
                    span,
                    format!("`{PROGRAM_VERSION}` has no value, because no program bundles this skill"),
                )
                .label("stays in the text as it is")
                .help("write the version, or bundle the skill in a program")
                .add_to(check.report);
        }
        if is_exact || options.profile != Profile::Bundle {
            continue;
        }
        let title = match name == NAME {
            true => "a value of the program is written without spaces".to_owned(),
            false => format!("the program has no value `{name}`"),
        };
        let is_meant = name == NAME || nearest(name, [NAME]).is_some();
        lints::PROGRAM_VALUE
            .report_at(span, title)
            .label("stays in the text as it is")
            .help(format!("write `{PROGRAM_VERSION}` for the version of the program"))
            .fix(is_meant.then(|| Change::replace(span, PROGRAM_VERSION.to_owned()).unsafe_fix()))
            .add_to(check.report);
    }
}

/// Reads a value of the program at the start of a text. Returns its name and its length with the braces.
fn value(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix("{{")?.trim_start_matches(' ');
    let len = inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte)).count();
    let (name, rest) = inner.split_at_checked(len)?;
    name.strip_prefix("program.")?;
    let rest = rest.trim_start_matches(' ').strip_prefix("}}")?;
    Some((name, text.len() - rest.len()))
}
