//! Checks the inputs and outputs of functions that are examples in a text, in `examples/*.json` and in `evals`.

use std::ops::Range;

use skills_registry::evals::{ERROR, EVALS, INPUT};
use skills_schema::{Invalid, Violation, validate_str};
use skills_text::nearest;

use super::calls::FolderNames;
use super::draft::{Check, SkillDraft};
use crate::markdown::CodeBlock;
use crate::rule::{Rule, claims as rules};
use crate::tree::{Node, json, text::to_json, yaml};
use crate::{Diagnostic, Report, SourceFile, SourceMap, parse};

/// Checks the examples of one skill's own input and output, except those in `evals`.
pub(super) fn check(draft: &mut SkillDraft, at: usize, sources: &mut SourceMap, report: &mut Report) {
    if draft.typed.is_none() && draft.schema_lowered.is_none() {
        return;
    }
    if let Some(document) = &draft.skill.document {
        let file = sources.file(document.file);
        let from = sources.range(document.body).start;
        for fence in &document.markdown(sources).blocks {
            block(draft, file, fence, from, report);
        }
    }
    let files = draft.skill.dir.files.iter().map(|file| &file.path);
    let files = files.filter(|path| path.starts_with("examples/") && path.ends_with(".json"));
    for path in files.cloned().collect::<Vec<_>>() {
        let Some(id) = parse::add_source(&mut draft.skill.dir, &path, at, sources) else { continue };
        let Some(tree) = json::parse(sources.file(id), &mut Report::default()) else { continue };
        // A file in any other form is not an example but data of the skill.
        let keys = tree.as_map().unwrap_or_default().iter().map(|entry| entry.key.as_str());
        if !keys.into_iter().all(|key| matches!(key, "input" | "output" | "name" | "description")) {
            continue;
        }
        for part in ["input", "output"] {
            if let Some(node) = tree.get(part) {
                value(draft, part, node, &rules::EXAMPLE_INVALID, report);
            }
        }
    }
}

/// Checks the inputs of the cases in a file in `evals`, except of the cases that expect an invalid input.
pub(super) fn check_cases(draft: &SkillDraft, tree: &Node, report: &mut Report) {
    let cases = tree.get(EVALS.name).and_then(Node::as_list).unwrap_or_default();
    for case in cases {
        let is_meant = case.get(ERROR.name).and_then(Node::as_string) == Some("invalid_input");
        let Some(input) = case.get(INPUT.name).filter(|_| !is_meant) else { continue };
        value(draft, "input", input, &rules::EXAMPLE_INVALID, report);
    }
}

/// Returns `true` if the text of a skill may call a function, which is checked when all skills are known.
pub(super) fn may_call(draft: &SkillDraft, sources: &SourceMap) -> bool {
    draft.skill.document.as_ref().is_some_and(|document| sources.text(document.body).contains("({"))
}

/// Checks the calls of functions in the blocks of JSON of one skill.
pub(super) fn check_calls(draft: &SkillDraft, names: FolderNames<'_, '_>, check: &mut Check<'_>) {
    let sources = check.sources;
    let Some(document) = &draft.skill.document else { return };
    if !may_call(draft, sources) {
        return;
    }
    let text = sources.text(document.body);
    let file = sources.file(document.file);
    let from = sources.range(document.body).start;
    let blocks = document.markdown(sources).blocks.iter();
    for fence in blocks.filter(|block| block.info.trim() == "json" && !block.is_quoted) {
        let mut start = fence.content.start;
        for line in text.get(fence.content.clone()).unwrap_or_default().split_inclusive('\n') {
            if let Some((name, at)) = called(line) {
                let end = fence.content.end;
                call(names, file, name, from + start + at..from + end, check.report);
            }
            start += line.len();
        }
    }
}

/// Returns the name of the function that a line calls with an object, and the place of the name.
fn called(line: &str) -> Option<(&str, usize)> {
    let (name, _) = line.split_once("({")?;
    let start = name.len() - name.trim_start().len();
    let name = name.trim_start();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    is_name.then_some((name, start))
}

/// Checks one call, which begins at the start of `place`.
fn call(names: FolderNames<'_, '_>, file: &SourceFile, name: &str, place: Range<usize>, report: &mut Report) {
    let span = file.span(place.start..place.start + name.len());
    let Some(draft) = names.draft(name).filter(|draft| draft.typed.is_some()) else {
        let functions = names.drafts().filter(|draft| draft.typed.is_some());
        let near = nearest(name, functions.map(|draft| draft.name.as_str()));
        if let Some(near) = near {
            let found = rules::EXAMPLE_CALL.report_at(span, format!("there is no function `{name}`"));
            report.push(found.label("no skill with a `skill.json` has this name").near(near));
        }
        return;
    };
    let from = place.start + name.len() + 1;
    let written = file.text.get(from..place.end).unwrap_or_default();
    let Some(length) = object(written).filter(|length| !has_gap(&written[..*length])) else { return };
    if let Some(node) = json::parse_part(file, from..from + length, &mut Report::default()) {
        value(draft, "input", &node, &rules::EXAMPLE_CALL, report);
    }
}

/// Returns the length of the object at the start of a text.
fn object(text: &str) -> Option<usize> {
    let (mut depth, mut is_string, mut is_escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_string => is_escaped = true,
            '"' => is_string = !is_string,
            '{' | '[' if !is_string => depth += 1,
            '}' | ']' if !is_string => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns `true` if parts of a value are left out.
fn has_gap(text: &str) -> bool {
    text.contains('…') || text.contains("...") || text.contains('<')
}

/// Checks a block that is marked as an input or an output.
fn block(draft: &SkillDraft, file: &SourceFile, fence: &CodeBlock, from: usize, report: &mut Report) {
    let mut words = fence.info.split([' ', ',', '\t', '\r', '\n']).filter(|word| !word.is_empty());
    let (Some(language), Some(part @ ("input" | "output"))) = (words.next(), words.next()) else { return };
    let place = from + fence.content.start..from + fence.content.end;
    if fence.is_quoted || file.text.get(place.clone()).is_none_or(has_gap) {
        return;
    }
    let node = match language {
        "json" => json::parse_part(file, place, report),
        "yaml" | "yml" => {
            let mut faults = Report::default();
            let node = yaml::parse_value(file, place, &mut faults);
            for fault in faults.diagnostics {
                report.push(Diagnostic { rule: &rules::EXAMPLE_INVALID, fix: None, ..fault });
            }
            node
        }
        _ => return,
    };
    if let Some(node) = node {
        value(draft, part, &node, &rules::EXAMPLE_INVALID, report);
    }
}

/// Reports the rules of a schema that a value breaks, each at its place.
fn value(draft: &SkillDraft, part: &str, node: &Node, rule: &'static Rule, report: &mut Report) {
    let schema = match part {
        "input" => draft.input().or(draft.schema_lowered.as_ref()),
        _ => draft.output(),
    };
    let Some(schema) = schema.filter(|schema| !schema.has_errors()) else { return };
    let Err(Invalid::Violations(violations)) = validate_str(&schema.tables, &to_json(node)) else { return };
    for violation in violations.iter().filter(|violation| violation.rule != "limit") {
        let Violation { rule: keyword, expected, found, property, .. } = violation;
        let place = node.at_pointer(&violation.pointer);
        let title = format!(
            "the {part} of the function does not accept this: {keyword}: expected {expected}, found {found}"
        );
        let help = match property {
            Some(property) => format!("add \"{property}\""),
            None => format!("write {expected}"),
        };
        report.push(rule.report_at(place.span, title).label(format!("expected {expected}")).help(help));
    }
}
