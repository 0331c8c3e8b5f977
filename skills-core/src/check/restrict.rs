//! What keeps a skill from models and users: flags of the frontmatter, `metadata`, `agents/openai.yaml` (SPEC 8.12).
//!
//! All of it fails closed: what cannot be read restricts, and the report says so.

use super::draft::Draft;
use super::read_fields::unwrapped;
use crate::known::{self, Known, Shape};
use crate::report::Report;
use crate::rule::fields as rules;
use crate::span::{SourceMap, Span};
use crate::tree::{MapEntry, Node};

/// Reads a flag as clients do: `yes`, `on` and `1` are `true`, in any case and in quotes too.
fn truth(value: &Node) -> Option<bool> {
    match value.as_scalar()?.text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Reads a flag of the frontmatter; what is neither `true` nor `false` counts as the one that restricts.
pub(super) fn flag(draft: &mut Draft, known: &Known, restricts: bool, entry: &MapEntry, report: &mut Report) {
    let truth = truth(&entry.value);
    if truth.is_none() {
        let line = draft.line(known.key, "true").replace('"', "");
        rules::VALUE_TYPE
            .at(
                entry.value.span,
                format!("`{}` must be `true` or `false`, found {}", known.key, entry.value.describe()),
            )
            .label(format!("cannot be read, so it counts as `{restricts}`"))
            .help(format!("write it as:\n{line}"))
            .add_to(report);
    }
    if truth.unwrap_or(restricts) == restricts {
        hide(draft, known.key);
    }
}

/// Looks at the second of two spellings, which was reported: of both, the one that restricts counts.
pub(super) fn again(draft: &mut Draft, known: &Known, entry: &MapEntry) {
    let Shape::Flag(restricts) = known.shape else { return };
    if !entry.value.is_absent() && truth(&entry.value).unwrap_or(restricts) == restricts {
        hide(draft, known.key);
    }
}

/// Looks for flags that a syntax fault, which was reported, took out of the tree.
pub(super) fn lost(
    draft: &mut Draft,
    sources: &SourceMap,
    is_there: &dyn Fn(&str) -> bool,
    report: &mut Report,
) {
    let Some(frontmatter) = draft.frontmatter().filter(|frontmatter| !frontmatter.sound) else { return };
    let block = frontmatter.block;
    let text = plain(sources.text(block));
    for known in known::KEYS {
        if matches!(known.shape, Shape::Flag(_)) && !is_there(known.key) && text.contains(&plain(known.key)) {
            unclear(block, format!("`{}` cannot be read in this frontmatter", known.key), report);
            hide(draft, known.key);
        }
    }
}

/// Takes out what tells spellings of a key apart.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

fn hide(draft: &mut Draft, key: &str) {
    match key {
        "user-invocable" => draft.fields.hidden_from_users = true,
        _ => draft.fields.hidden_from_model = true,
    }
}

/// Reads `internal` below `metadata`.
pub(super) fn internal(draft: &mut Draft, tree: &Node, report: &mut Report) {
    let Some(metadata) = tree.as_map().unwrap_or_default().iter().find(|entry| entry.key == "metadata")
    else {
        return;
    };
    let metadata = unwrapped(&metadata.value);
    let Some(value) = metadata.get("internal").filter(|value| !value.is_absent()) else { return };
    let truth = truth(value);
    if truth.is_none() {
        unclear(
            value.span,
            format!("`metadata.internal` is {}, not `true` or `false`", value.describe()),
            report,
        );
    }
    draft.fields.internal |= truth.unwrap_or(true);
}

/// Reads `policy.allow_implicit_invocation` of `agents/openai.yaml`.
pub(super) fn openai(draft: &mut Draft, report: &mut Report) {
    let Some(file) = &draft.skill.openai else { return };
    let policy = file.tree.get("policy").filter(|policy| !policy.is_absent());
    let allow = policy.and_then(|policy| policy.get("allow_implicit_invocation"));
    let is_hidden = match (policy, allow.filter(|allow| !allow.is_absent())) {
        _ if !file.sound => {
            unclear(file.fault, "`agents/openai.yaml` cannot be read".to_owned(), report);
            true
        }
        (Some(policy), _) if policy.as_map().is_none() => {
            unclear(policy.span, format!("`policy` is {}, not a map", policy.describe()), report);
            true
        }
        (_, Some(allow)) => {
            let truth = truth(allow);
            if truth.is_none() {
                let found = allow.describe();
                let title = format!("`allow_implicit_invocation` is {found}, not `true` or `false`");
                unclear(allow.span, title, report);
            }
            truth != Some(true)
        }
        _ => false,
    };
    draft.fields.hidden_from_model |= is_hidden;
}

fn unclear(span: Span, title: String, report: &mut Report) {
    rules::RESTRICTION_UNCLEAR
        .at(span, title)
        .label("so the skill is hidden")
        .help("write `true` or `false`, and mend what is reported before it")
        .add_to(report);
}
