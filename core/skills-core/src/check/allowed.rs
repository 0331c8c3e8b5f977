//! Rules that one skill allows: in a comment in its body, or in a key below its `metadata`.

use skills_text::Places;

use super::draft::SkillDraft;
use crate::rule;
use crate::tree::Value;
use crate::{Frontmatter, Level, Levels, Report, SourceMap, Span, config};

const OPEN: &str = "<!-- skills: allow(";
const KEY: &str = "skills-allow";

/// Removes the diagnostics that the skill number `at` allows, and reports rules that no skill can allow.
pub(crate) fn apply(at: usize, allowed: &[(String, Span)], sources: &SourceMap, report: &mut Report) {
    if allowed.is_empty() {
        return;
    }
    skills_text::work::count(allowed.len() + report.diagnostics.len());
    let (mut codes, mut known) = (Places::default(), Places::default());
    let mut wrong = Vec::new();
    for (name, place) in allowed {
        if known.get(name).is_some() {
            continue;
        }
        match (Levels::default().set(name, Level::Allow), rule::named(name)) {
            (Ok(()), Ok(rule)) => {
                known.insert(name.clone(), 0);
                codes.insert(rule.code.to_owned(), 0);
            }
            (Err(error), _) | (_, Err(error)) => wrong.push(config::unknown(&error, *place)),
        }
    }
    report.diagnostics.retain(|found| {
        codes.get(found.rule.code).is_none() || sources.file_of(found.span).skill != Some(at)
    });
    report.diagnostics.extend(wrong);
}

pub(crate) fn allowed_rules(draft: &SkillDraft, sources: &SourceMap) -> Vec<(String, Span)> {
    let mut named = Vec::new();
    let documents = draft.skill.document.iter().filter(|document| document.text_scan.has_angle);
    let prompt = draft.skill.prompt.map(|file| sources.file(file).span(0..usize::MAX));
    for span in documents.map(|document| document.body).chain(prompt) {
        let text = sources.text(span);
        // Searching for one character is faster than searching for a text, and most bodies do not contain it.
        for (at, _) in text.match_indices('<') {
            let names = text[at..].strip_prefix(OPEN).and_then(|rest| rest.split_once(')'));
            if let Some((names, behind)) = names
                && behind.trim_start().starts_with("-->")
            {
                let start = at + OPEN.len();
                split_names(names, span.part(start, start + names.len()), &mut named);
            }
        }
    }
    let metadata = draft.frontmatter().and_then(Frontmatter::metadata);
    match metadata.as_ref().and_then(|metadata| metadata.get(KEY)).map(|node| (&node.value, node.span)) {
        Some((Value::Scalar(scalar), place)) => {
            let mut found = Vec::new();
            split_names(&scalar.text, place, &mut found);
            named.extend(found.into_iter().map(|(name, _)| (name, place)));
        }
        Some((Value::List(items), _)) => {
            named.extend(items.iter().filter_map(|item| Some((item.as_scalar()?.text.clone(), item.span))));
        }
        _ => {}
    }
    named
}

/// Splits names at commas and spaces.
fn split_names(text: &str, place: Span, into: &mut Vec<(String, Span)>) {
    let mut at = 0;
    for word in text.split_inclusive([',', ' ', '\t', '\n']) {
        let name = word.trim_matches([',', ' ', '\t', '\n', '\r']);
        if !name.is_empty() {
            into.push((name.to_owned(), place.part(at, at + name.len())));
        }
        at += word.len();
    }
}
