//! Checks that `SKILL.md` and `skill.json` of one skill give the same values.

use skills_registry::ident_key;

use super::draft::{Check, SkillDraft};
use crate::rule::manifest as rules;
use crate::{Frontmatter, Report, Span};

pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    let sources = check.sources;
    let Some(typed) = &draft.typed else { return };
    let fields = &draft.fields;
    // `metadata` names the function in a `SKILL.md` that was written for other agents.
    let metadata = draft.frontmatter().and_then(Frontmatter::metadata);
    let function = metadata.as_ref().and_then(|metadata| metadata.get("function")?.as_string());
    if let (Some(a), Some(b)) = (&fields.name, &typed.name)
        && ident_key(&a.value) != ident_key(&b.value)
        && function != Some(&*b.value)
    {
        conflict("name", a.span, b.span, &b.value, draft, check.report);
    }
    if let (Some(a), Some(b)) = (&fields.timeout, &typed.timeout)
        && a.value != b.value
    {
        conflict("timeout", a.span, b.span, sources.text(b.span), draft, check.report);
    }
    if let (Some(a), Some(b)) = (&fields.permissions, &typed.permissions)
        && a.value != b.value
    {
        conflict("permissions", a.span, b.span, &b.value.to_json(), draft, check.report);
    }
    let texts = [
        ("description", &fields.description, &typed.description),
        ("version", &fields.version, &typed.version),
    ];
    for (key, a, b) in texts {
        if let (Some(a), Some(b)) = (a, b)
            && a.value.trim() != b.value.trim()
        {
            conflict(key, a.span, b.span, &b.value, draft, check.report);
        }
    }
}

fn conflict(key: &str, document: Span, manifest: Span, value: &str, draft: &SkillDraft, report: &mut Report) {
    let written = draft.written(value);
    rules::FIELD_CONFLICT
        .report_at(document, format!("`{key}` differs between `SKILL.md` and `skill.json`"))
        .label("one value")
        .help(format!("use the value of `skill.json`: {}", draft.line(key, &written)))
        .related(manifest, "the other value")
        .add_to(report);
}
