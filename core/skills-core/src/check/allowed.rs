//! Rules that one skill allows: in a comment in its body, or in a key below its `metadata`.

use skills_text::Places;

use super::draft::Draft;
use crate::config;
use crate::parse::Frontmatter;
use crate::rule;
use crate::tree::Value;
use crate::{Level, Levels, Report, SourceMap, Span};

const OPEN: &str = "<!-- skills: allow(";
const KEY: &str = "skills-allow";

/// Removes the diagnostics that the skill with the number `at` allows, and reports rules that a skill cannot
/// allow.
pub(crate) fn apply(at: usize, named: &[(String, Span)], sources: &SourceMap, report: &mut Report) {
    if named.is_empty() {
        return;
    }
    skills_text::work::count(named.len() + report.diagnostics.len());
    let (mut codes, mut known) = (Places::default(), Places::default());
    let mut wrong = Vec::new();
    for (name, place) in named {
        if known.get(name).is_some() {
            continue;
        }
        match (Levels::default().set(name, Level::Allow), rule::named(name)) {
            (Ok(()), Ok(rule)) => {
                known.insert(name.clone(), 0);
                codes.insert(rule.code.to_owned(), 0);
            }
            (Err(why), _) | (_, Err(why)) => wrong.push(config::unknown(name, *place, &why)),
        }
    }
    report.diagnostics.retain(|found| {
        codes.get(found.rule.code).is_none() || sources.file_of(found.span).skill != Some(at)
    });
    report.diagnostics.extend(wrong);
}

/// Finds the rules that a skill allows, with their places.
pub(crate) fn named(draft: &Draft, sources: &SourceMap) -> Vec<(String, Span)> {
    let mut named = Vec::new();
    let bodies = draft.skill.document.as_ref().filter(|document| document.text_scan.has_angle);
    let bodies = bodies.map(|document| document.body);
    let prompt = draft.skill.prompt.map(|file| sources.file(file).span(0..usize::MAX));
    for span in bodies.into_iter().chain(prompt) {
        let text = sources.text(span);
        // Searching for one character is faster than searching for a text, and most bodies do not contain it.
        for (at, _) in text.match_indices('<').filter(|(at, _)| text[*at..].starts_with(OPEN)) {
            let start = at + OPEN.len();
            let Some(end) =
                text[start..].find(')').filter(|end| text[start + end + 1..].trim_start().starts_with("-->"))
            else {
                continue;
            };
            words(&text[start..start + end], span.part(start, start + end), &mut named);
        }
    }
    let metadata = draft.frontmatter().and_then(Frontmatter::metadata);
    match metadata.as_ref().and_then(|metadata| metadata.get(KEY)).map(|node| (&node.value, node.span)) {
        Some((Value::Scalar(scalar), place)) => {
            let mut found = Vec::new();
            words(&scalar.text, place, &mut found);
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
fn words(text: &str, place: Span, into: &mut Vec<(String, Span)>) {
    let mut at = 0;
    for word in text.split_inclusive([',', ' ', '\t', '\n']) {
        let name = word.trim_matches([',', ' ', '\t', '\n', '\r']);
        if !name.is_empty() {
            into.push((name.to_owned(), place.part(at, at + name.len())));
        }
        at += word.len();
    }
}
