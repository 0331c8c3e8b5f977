//! Checks that `SKILL.md` and `skill.json` of one skill give the same values.

use skills_registry::ident_key;

use super::draft::Draft;
use crate::parse::Frontmatter;
use crate::report::Report;
use crate::rule::manifest as rules;
use crate::span::{SourceMap, Span, Spanned};
use crate::tree::Node;

/// Compares the values that both files of one skill give.
pub(super) fn check(draft: &Draft, sources: &SourceMap, report: &mut Report) {
    let Some(typed) = &draft.typed else { return };
    let fields = &draft.fields;
    if let (Some(a), Some(b)) = (&fields.name, &typed.name)
        && ident_key(&a.value) != ident_key(&b.value)
        && !names_function(draft, &b.value)
    {
        conflict("name", a.span, b.span, &b.value, draft, report);
    }
    if let (Some(a), Some(b)) = (&fields.timeout, &typed.timeout)
        && a.value != b.value
    {
        conflict("timeout", a.span, b.span, sources.text(b.span), draft, report);
    }
    if let (Some(a), Some(b)) = (&fields.permissions, &typed.permissions)
        && a.value != b.value
    {
        conflict("permissions", a.span, b.span, &b.value.to_json(), draft, report);
    }
    let texts = [
        ("description", &fields.description, &typed.description),
        ("version", &fields.version, &typed.version),
    ];
    for (key, a, b) in texts {
        if let (Some(a), Some(b)) = (a, b)
            && differ(a, b)
        {
            conflict(key, a.span, b.span, &b.value, draft, report);
        }
    }
}

/// Returns `true` if `metadata` names the function, as in a `SKILL.md` written for other agents.
fn names_function(draft: &Draft, name: &str) -> bool {
    let metadata = draft.frontmatter().and_then(Frontmatter::metadata);
    metadata.as_ref().and_then(|metadata| metadata.get("function")).and_then(Node::as_string) == Some(name)
}

fn differ(a: &Spanned<String>, b: &Spanned<String>) -> bool {
    a.value.trim() != b.value.trim()
}

fn conflict(key: &str, document: Span, manifest: Span, value: &str, draft: &Draft, report: &mut Report) {
    let written = draft.written(value);
    rules::FIELD_CONFLICT
        .at(document, format!("`{key}` differs between `SKILL.md` and `skill.json`"))
        .label("one value")
        .help(format!("use the value of `skill.json`: {}", draft.line(key, &written)))
        .related(manifest, "the other value")
        .add_to(report);
}
