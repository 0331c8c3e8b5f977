//! The shape of a pipeline: a list of steps with known keys (SPEC 3.1, 5.7).

use super::draft::Spanned;
use super::manifest::{whole, wrong, wrong_node};
use crate::diagnostic::{Diagnostic, Report};
use crate::rule::{manifest as rules, modes};
use crate::tree::{Entry, Kind, Node};

const KEYS: [&str; 11] = [
    "step",
    "skill",
    "input",
    "condition",
    "foreach",
    "maxConcurrency",
    "depends",
    "timeout",
    "retry",
    "retryDelay",
    "continueOnError",
];

/// Checks every step and returns the skills they use.
pub(super) fn steps(node: &Node, report: &mut Report) -> Vec<Spanned<String>> {
    let Some(items) = node.as_list() else {
        wrong_node(node, "pipeline", "an array of steps", report);
        return Vec::new();
    };
    if items.is_empty() {
        report.push(
            Diagnostic::new(
                &modes::PIPELINE_EMPTY,
                node.span,
                "the pipeline has no steps",
                "add a step: { \"step\": \"first\", \"skill\": \"NAME\", \"input\": {} }\nor delete the key: the host then runs the skill",
            )
            .label("expected at least one step"),
        );
    }
    items.iter().filter_map(|item| step(item, report)).collect()
}

fn step(node: &Node, report: &mut Report) -> Option<Spanned<String>> {
    let Some(entries) = node.as_map() else {
        wrong_node(node, "pipeline", "an array of steps", report);
        return None;
    };
    let mut skill = None;
    for entry in entries {
        let text = entry.value.as_string();
        match (entry.key.as_str(), text) {
            ("skill", Some(text)) => skill = Some(Spanned { value: text.to_owned(), span: entry.value.span }),
            ("step" | "condition" | "foreach", Some(_)) => {}
            ("step" | "skill" | "condition" | "foreach", None) => wrong(entry, "a string", report),
            ("input", _) if entry.value.as_map().is_none() => wrong(entry, "an object", report),
            ("input", _) => {}
            ("depends", _) => depends(entry, report),
            ("timeout", _) => drop(whole(entry, 1, report)),
            ("maxConcurrency" | "retry" | "retryDelay", _) => drop(whole(entry, 0, report)),
            ("continueOnError", _) if !is_bool(&entry.value) => wrong(entry, "true or false", report),
            ("continueOnError", _) => {}
            (other, _) => unknown(entry, other, report),
        }
    }
    for key in ["step", "skill", "input"] {
        if node.get(key).is_none() {
            let example = if key == "input" { "{}" } else { "\"NAME\"" };
            report.push(
                Diagnostic::new(
                    &rules::MANIFEST_MISSING_KEY,
                    node.span.head(),
                    format!("the step has no `{key}`"),
                    format!("add it: \"{key}\": {example}"),
                )
                .label("in this object"),
            );
        }
    }
    skill
}

fn unknown(entry: &Entry, key: &str, report: &mut Report) {
    let help = match skills_registry::nearest(key, KEYS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("a step takes {}", KEYS.map(|key| format!("`{key}`")).join(", ")),
    };
    report.push(
        Diagnostic::new(
            &rules::MANIFEST_UNKNOWN_KEY,
            entry.key_span,
            format!("unknown key `{key}` in a step"),
            help,
        )
        .label("no such key"),
    );
}

fn depends(entry: &Entry, report: &mut Report) {
    let is_list =
        entry.value.as_list().is_some_and(|items| items.iter().all(|item| item.as_string().is_some()));
    if !is_list {
        wrong(entry, "an array of strings", report);
    }
}

fn is_bool(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| scalar.kind == Kind::Bool)
}
