//! Checks the files in `evals`: their keys, and the skill that they name. `skills eval` checks the values.

use skills_registry::evals::{
    CASE_KEYS, EVALS, EvalKey, QUERY, QUERY_KEYS, SHOULD_TRIGGER, SKILL_NAME, SUITE_KEYS, ask_fault,
};

use super::draft::Draft;
use super::keys;
use crate::diagnostic::Diagnostic;
use crate::report::Report;
use crate::rule::evals as rules;
use crate::span::SourceMap;
use crate::tree::text::listed;
use crate::tree::{Node, json};

/// The name of the file that must contain cases.
const CASES: &str = "evals.json";

/// Checks the files of one skill.
pub(super) fn check(draft: &Draft, sources: &SourceMap, report: &mut Report) {
    for id in &draft.skill.dir.evals {
        let file = sources.file(*id);
        if let Some(tree) = json::parse(file, report) {
            check_file(&tree, file.path.ends_with(CASES), &draft.name, report);
        }
    }
}

fn check_file(tree: &Node, is_cases: bool, skill: &str, report: &mut Report) {
    match (tree.as_list(), tree.get(EVALS.name)) {
        (Some(items), _) if items.iter().all(|item| item.get(QUERY.name).is_some()) => {
            items.iter().for_each(|item| unknown_keys(item, &QUERY_KEYS, report));
        }
        (None, Some(evals)) => {
            unknown_keys(tree, &SUITE_KEYS, report);
            skill_name(tree, skill, report);
            match evals.as_list() {
                Some(items) => items.iter().for_each(|item| case(item, report)),
                None => report.push(invalid(
                    evals,
                    "`evals` is not a list",
                    "write a list of cases: `\"evals\": []`",
                )),
            }
        }
        _ if is_cases => {
            let help = "write an object with a list of cases: `{ \"evals\": [] }`";
            report.push(invalid(tree, "there is no list `evals`", help));
        }
        // Other JSON files are data for cases.
        _ => {}
    }
}

fn case(item: &Node, report: &mut Report) {
    if item.as_map().is_none() {
        return report.push(invalid(item, "a case is not an object", "write it as `{ \"prompt\": \"…\" }`"));
    }
    unknown_keys(item, &CASE_KEYS, report);
    let has = |key: &str| item.get(key).is_some();
    let is_query = has(SHOULD_TRIGGER.name) && has(QUERY.name);
    if let Some(fault) = ask_fault(&has).filter(|_| !is_query) {
        let help =
            "give the case either a `prompt`, a message to a model, or an `input`, a call of the skill";
        report.push(invalid(item, &format!("this case cannot be run: {fault}"), help));
    }
}

fn invalid(node: &Node, title: &str, help: &str) -> Diagnostic {
    rules::EVAL_INVALID.at(node.span, title).label("`skills eval` stops here").help(help)
}

fn skill_name(tree: &Node, skill: &str, report: &mut Report) {
    let Some(node) = tree.get(SKILL_NAME.name) else { return };
    if skill.is_empty() || node.as_string() == Some(skill) {
        return;
    }
    let named =
        node.as_scalar().map_or_else(|| node.describe().to_string(), |scalar| format!("`{}`", scalar.text));
    let found =
        rules::EVAL_SKILL_NAME.at(node.span, format!("these cases belong to `{skill}`, but name {named}"));
    report.push(found.label("expected the name of the skill").near_string(skill));
}

fn unknown_keys(node: &Node, known: &[EvalKey], report: &mut Report) {
    let names: Vec<&'static str> = known.iter().map(|key| key.name).collect();
    for entry in node.as_map().unwrap_or_default() {
        if names.contains(&entry.key.as_str()) || entry.key.starts_with(['$', '_']) {
            continue;
        }
        let found = rules::EVAL_KEY_UNKNOWN.at(entry.key_span, format!("unknown key `{}`", entry.key));
        let found = found.label("`skills eval` does not read it");
        let near = keys::slip(&entry.key, &names).filter(|near| node.get(near).is_none());
        report.push(match near {
            Some(near) => found.near_key(near),
            None => found.help(format!("delete it, or use one of the keys {}", listed(&names))),
        });
    }
}
