//! Checks the files in `evals`: their keys, the skill that they name, their conditions and kinds of errors. `skills eval`
//! checks the other values.
//!
//! The command and the editor set [`CHECK`] as [`ReadOptions::evals`](skills_core::read::ReadOptions::evals).

use skills_core::diagnostic::Diagnostic;
use skills_core::known;
use skills_core::read::{EvalCheck, EvalFile};
use skills_core::report::Report;
use skills_core::rule::evals as rules;
use skills_core::rule::lints;
use skills_core::span::Span;
use skills_core::tree::Node;
use skills_core::tree::text::listed;
use skills_registry::evals::{
    CASE_KEYS, CONDITION, ERROR, ERROR_KINDS, EVALS, EvalKey, FILES, ID, INPUT, PROMPT, QUERY, QUERY_KEYS,
    SHOULD_TRIGGER, SKILL_NAME, SUITE_KEYS, ask_fault,
};
use skills_template::parse_condition;
use skills_text::{Places, sort};

/// The name of the file that must contain cases.
const CASES: &str = "evals.json";

/// The keys that contain the question. A case has exactly one of them.
const ASKS: [&str; 3] = [PROMPT.name, INPUT.name, QUERY.name];

/// Keys that name a file or a case for its reader.
const LABELS: [&str; 15] = [
    "author",
    "category",
    "comment",
    "description",
    "difficulty",
    "explanation",
    "label",
    "name",
    "note",
    "notes",
    "rationale",
    "reason",
    "slug",
    "title",
    "version",
];

/// The check of one file.
pub const CHECK: EvalCheck = EvalCheck(check);

fn check(file: &EvalFile<'_>, report: &mut Report) {
    let EvalFile { tree, path, skill, .. } = *file;
    let is_cases = path.ends_with(CASES);
    match (tree.as_list(), tree.get(EVALS.name)) {
        (Some(items), _) if items.iter().all(|item| item.get(QUERY.name).is_some()) => {
            unknown_keys(items, &QUERY_KEYS, false, report);
        }
        (None, Some(evals)) if is_foreign(evals) => foreign(tree, evals, report),
        (None, Some(evals)) => {
            let is_ours = tree.get(SKILL_NAME.name).is_some();
            unknown_keys(std::slice::from_ref(tree), &SUITE_KEYS, false, report);
            skill_name(tree, skill, report);
            match evals.as_list() {
                Some(items) => {
                    unknown_keys(items, &CASE_KEYS, is_ours, report);
                    items.iter().for_each(|item| case(item, is_ours, file, report));
                    equal_ids(items, report);
                }
                None => report.push(invalid(
                    evals,
                    "`evals` is not a list",
                    "write a list of cases: `\"evals\": []`",
                )),
            }
        }
        _ if is_cases && !has_slip(tree, &[EVALS.name]) && !is_empty(tree) => foreign(tree, tree, report),
        _ if is_cases => {
            let help = "write an object with a list of cases: `{ \"evals\": [] }`";
            report.push(invalid(tree, "there is no list `evals`", help));
        }
        // Other JSON files are data for cases.
        _ => {}
    }
}

/// Returns `true` if a list has cases of another program: no case has a key with a question, and at least one has
/// an unknown key.
fn is_foreign(evals: &Node) -> bool {
    let items = evals.as_list().unwrap_or_default();
    !items.iter().any(has_question) && items.iter().any(has_unknown_key)
}

fn has_question(case: &Node) -> bool {
    ASKS.iter().any(|key| case.get(key).is_some()) || has_slip(case, &ASKS)
}

fn has_unknown_key(case: &Node) -> bool {
    let mut keys = case.as_map().unwrap_or_default().iter();
    keys.any(|entry| CASE_KEYS.iter().all(|known| known.name != entry.key))
}

/// Returns `true` if a case has a key that checks an answer: any key but its number, its question and its files.
fn has_check(case: &Node) -> bool {
    let mut checks = CASE_KEYS.iter().map(|key| key.name).filter(|key| !ASKS.contains(key));
    checks.any(|key| ![ID.name, FILES.name].contains(&key) && case.get(key).is_some())
}

/// Returns `true` if an object has a misspelling of one of the keys.
fn has_slip(node: &Node, keys: &[&'static str]) -> bool {
    let mut entries = node.as_map().unwrap_or_default().iter();
    entries.any(|entry| !keys.contains(&entry.key.as_str()) && known::correction(&entry.key, keys).is_some())
}

fn is_empty(tree: &Node) -> bool {
    tree.as_map().is_some_and(<[_]>::is_empty)
}

/// Reports cases of another program if their file names a skill, as the files of `skills eval` do.
fn foreign(tree: &Node, node: &Node, report: &mut Report) {
    if tree.get(SKILL_NAME.name).is_none() {
        return;
    }
    let found = rules::EVAL_FOREIGN.report_at(node.span.head(), "these cases are for another program");
    let help =
        "for `skills eval`, write an object with a list of cases: `{ \"evals\": [{ \"prompt\": \"…\" }] }`";
    report.push(found.label("`skills eval` cannot run them").help(help));
}

fn case(item: &Node, is_ours: bool, file: &EvalFile<'_>, report: &mut Report) {
    if item.as_map().is_none() {
        return report.push(invalid(item, "a case is not an object", "write it as `{ \"prompt\": \"…\" }`"));
    }
    if let Some(prompt) = item.get(PROMPT.name)
        && prompt.as_string().is_some_and(|text| text.trim().is_empty())
    {
        rules::EVAL_INVALID
            .report_at(prompt.span, "the prompt is empty")
            .label("a model gets no message")
            .help("write the message of a user")
            .add_to(report);
    }
    expected(item, is_ours, report);
    for path in item.get(FILES.name).and_then(Node::as_list).unwrap_or_default() {
        let Some(text) = path.as_string().or_else(|| path.get("path")?.as_string()) else { continue };
        let is_elsewhere =
            text.starts_with(['/', '~', '$', '<', '{']) || text.contains("://") || text.contains("..");
        if !is_elsewhere && !text.trim().is_empty() && !text.contains('*') && !file.has(text) {
            lints::BROKEN_LINK
                .report_at(path.span, format!("the case names the file `{text}`, which does not exist"))
                .label("no such file in the skill or in `evals`")
                .help("correct the path, or add the file")
                .add_to(report);
        }
    }
    let is_query = item.get(SHOULD_TRIGGER.name).is_some() && item.get(QUERY.name).is_some();
    // A misspelled key was reported.
    if is_query || has_slip(item, &ASKS) {
        return;
    }
    if let Some(fault) = ask_fault(&|key: &str| item.get(key).is_some()) {
        let help =
            "give the case either a `prompt`, a message to a model, or an `input`, a call of the skill";
        report.push(invalid(item, &format!("this case cannot be run: {fault}"), help));
    }
}

/// Reports conditions that do not parse, and kinds of errors that no call has. In a file that may be for another program,
/// these keys can mean something else.
fn expected(item: &Node, is_ours: bool, report: &mut Report) {
    for (node, text) in texts(item, &CONDITION) {
        // Other programs write prose here, in which these words are common and these paths are not.
        let is_condition = is_ours || text.contains("output.") || text.contains("input.");
        if is_condition
            && let Err(errors) = parse_condition(text).into_result()
            && let Some(error) = errors.first()
        {
            let help =
                error.help().unwrap_or_else(|| "`skills explain eval-invalid` has an example".to_owned());
            report.push(invalid(node, &format!("the condition is not valid: {error}"), &help));
        }
    }
    for (node, text) in texts(item, &ERROR).filter(|(_, text)| !ERROR_KINDS.contains(text)) {
        let found = rules::EVAL_INVALID
            .report_at(node.span, format!("no call fails as `{text}`"))
            .label("the case can never pass");
        match skills_text::nearest(text, ERROR_KINDS) {
            Some(near) => report.push(found.near_string(near)),
            None if is_ours => report.push(found.help(format!("the kinds are {}", listed(&ERROR_KINDS)))),
            None => {}
        }
    }
}

/// Returns the texts of a key whose value is a text or a list of them.
fn texts<'a>(item: &'a Node, key: &EvalKey) -> impl Iterator<Item = (&'a Node, &'a str)> {
    let value = item.get(key.name);
    let several = value.and_then(Node::as_list).unwrap_or_default();
    value.into_iter().chain(several).filter_map(|node| Some((node, node.as_string()?)))
}

/// Reports an `id` that two cases have. Reports of `skills eval` name a case by it.
fn equal_ids(items: &[Node], report: &mut Report) {
    let mut first: Vec<(&str, Span)> = Vec::new();
    let ids = items.iter().filter_map(|item| item.get(ID.name));
    for id in ids {
        let Some(scalar) = id.as_scalar() else { continue };
        match first.iter().find(|(text, _)| *text == scalar.text) {
            Some((_, before)) => rules::EVAL_INVALID
                .report_at(id.span, format!("two cases have the id `{}`", scalar.text))
                .label("the same id")
                .help("give each case its own id")
                .related(*before, "the first case with this id")
                .add_to(report),
            None => first.push((&scalar.text, id.span)),
        }
    }
}

fn invalid(node: &Node, title: &str, help: &str) -> Diagnostic {
    rules::EVAL_INVALID.report_at(node.span, title).label("`skills eval` stops here").help(help)
}

fn skill_name(tree: &Node, skill: &str, report: &mut Report) {
    let Some(node) = tree.get(SKILL_NAME.name) else { return };
    if skill.is_empty() || node.as_string() == Some(skill) {
        return;
    }
    let named =
        node.as_scalar().map_or_else(|| node.describe().to_string(), |scalar| format!("`{}`", scalar.text));
    let found = rules::EVAL_SKILL_NAME
        .report_at(node.span, format!("these cases belong to `{skill}`, but name {named}"));
    report.push(found.label("expected the name of the skill").near_string(skill));
}

/// Reports each misspelled key, and once each other unknown key of cases that check nothing, because it is probably
/// meant as the check. Authors have keys of their own beside checks, and a file that does not name its skill may be for
/// another program.
fn unknown_keys(items: &[Node], known: &[EvalKey], is_ours: bool, report: &mut Report) {
    let names: Vec<&'static str> = known.iter().map(|key| key.name).collect();
    let (mut others, mut places): (Vec<(&str, Span, usize)>, _) = (Vec::new(), Places::default());
    for item in items {
        for entry in item.as_map().unwrap_or_default() {
            let is_label = LABELS.contains(&entry.key.as_str());
            if is_label || names.contains(&entry.key.as_str()) || entry.key.starts_with(['$', '_']) {
                continue;
            }
            match known::correction(&entry.key, &names).filter(|near| item.get(near).is_none()) {
                Some(near) => report.push(unknown_key(entry.key_span, &entry.key, 1).near_key(near)),
                None if !is_ours || has_check(item) => {}
                None => match places.first(entry.key.clone(), others.len()) {
                    place if place < others.len() => others[place].2 += 1,
                    _ => others.push((&entry.key, entry.key_span, 1)),
                },
            }
        }
    }
    sort(&mut others, &|a, b| a.0.cmp(b.0));
    for (key, span, count) in others {
        let help = format!("for `skills eval`, use one of the keys {}", listed(&names));
        report.push(unknown_key(span, key, count).help(help));
    }
}

fn unknown_key(span: Span, key: &str, count: usize) -> Diagnostic {
    let places = if count > 1 { format!(" in {count} cases") } else { String::new() };
    rules::EVAL_KEY_UNKNOWN
        .report_at(span, format!("unknown key `{key}`{places}"))
        .label("`skills eval` does not read it")
}
