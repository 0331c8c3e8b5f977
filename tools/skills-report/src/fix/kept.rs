//! Decides whether a fix may be offered: it keeps every word of the text that it changes (SPEC 17.20).

use std::collections::BTreeMap;
use std::ops::Range;

use skills_core::diagnostic::Diagnostic;
use skills_core::edit::{Applicability, Change, Fix};
use skills_core::rule::commands::COMMAND_BLOCK;
use skills_core::span::{FileId, SourceMap};

use super::place::{FixStep, TextEdit, deleted, steps};

/// Returns the fix of a problem, unless it would remove words.
///
/// A fix may replace one word by another, such as a misspelled key, and may delete a line or member that
/// [`Fix::repeated`] repeats. It may renew generated lines. All other words of the replaced texts must be in the new ones.
pub fn offered<'d>(diagnostic: &'d Diagnostic, sources: &SourceMap) -> Option<&'d Fix> {
    let fix = diagnostic.fix.as_ref()?;
    let is_renewal = diagnostic.rule.code == COMMAND_BLOCK.code && replaces_generated(fix, sources);
    (is_renewal || keeps_words(fix, sources)).then_some(fix)
}

/// Returns `true` if all lines that a fix replaces have the form of generated lines: a call, a flag or an example. A
/// person can have written any other line.
fn replaces_generated(fix: &Fix, sources: &SourceMap) -> bool {
    let is_generated = |line: &str| {
        let line = line.trim_start();
        line.is_empty() || line.starts_with("- `") || line.starts_with("- example: `")
    };
    let steps = steps(fix, sources);
    let mut edits = steps.iter().filter_map(FixStep::text);
    edits.all(|edit| sources.text(edit.span).lines().all(is_generated))
}

/// Returns `true` if a problem has a safe fix, which `skills check --fix` applies.
pub fn is_fixable(diagnostic: &Diagnostic, sources: &SourceMap) -> bool {
    offered(diagnostic, sources).is_some_and(|fix| fix.applicability == Applicability::Safe)
}

fn keeps_words(fix: &Fix, sources: &SourceMap) -> bool {
    if repeats(fix, sources) {
        return true;
    }
    // For each file and word, the number of removals minus the number of insertions.
    let mut balance: BTreeMap<(FileId, String), isize> = BTreeMap::new();
    for edit in steps(fix, sources).iter().filter_map(FixStep::text) {
        let (old, new) = context(edit, sources);
        // One word may replace another: a misspelled key, a renamed flag, a version, a number in another form.
        if is_word(&old) && !words(&new).is_empty() && !new.trim().contains(char::is_whitespace) {
            continue;
        }
        let file = sources.id_of(edit.span);
        for (text, change) in [(old, 1), (new, -1)] {
            for word in words(&text) {
                *balance.entry((file, word)).or_default() += change;
            }
        }
    }
    let mut lost = balance.iter().filter(|(_, count)| **count > 0);
    lost.all(|((file, word), _)| {
        let new = balance.iter().filter(|((other, _), count)| other == file && **count < 0);
        let mut new = new.map(|((_, new), _)| new.as_str());
        new.any(|new| {
            new.starts_with(word)
                || new.ends_with(word)
                || word.strip_prefix('v') == Some(new)
                || skills_text::nearest(word, [new]).is_some()
        })
    })
}

/// Returns `true` if the only change deletes words that another place repeats in the same order.
fn repeats(fix: &Fix, sources: &SourceMap) -> bool {
    let ([change], Some(place)) = (fix.changes.as_slice(), fix.repeated) else { return false };
    let (Change::DeleteLines(span) | Change::DeleteMember(span)) = change else { return false };
    let [first, again] = [place, *span].map(|place| deleted(change, place, sources).map(words));
    first.is_some() && first == again
}

/// Returns the old and the new text of an edit, extended to whole words.
fn context(edit: &TextEdit, sources: &SourceMap) -> (String, String) {
    let whole = sources.file_of(edit.span).text.as_str();
    let Range { start, end } = sources.range(edit.span);
    let (before, after) = (whole.get(..start).unwrap_or_default(), whole.get(end..).unwrap_or_default());
    let old = whole.get(start..end).unwrap_or_default();
    let mut lead = &before[before.trim_end_matches(char::is_alphanumeric).len()..];
    let mut tail = &after[..after.len() - after.trim_start_matches(char::is_alphanumeric).len()];
    if old.starts_with(|c: char| !c.is_alphanumeric()) {
        lead = "";
    }
    if old.ends_with(|c: char| !c.is_alphanumeric()) {
        tail = "";
    }
    (format!("{lead}{old}{tail}"), format!("{lead}{}{tail}", edit.text))
}

/// Returns `true` if a text is one word or one name, such as `--out-dir` or `0.3`.
fn is_word(text: &str) -> bool {
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let words = words(text).len();
    words == 1 || words > 1 && is_name(text.trim())
}

/// Returns the words of a text in lower case, without the language of a code block.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for line in text.lines().filter(|line| !is_fence(line)) {
        let runs = line.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
        words.extend(runs.map(str::to_lowercase));
    }
    words
}

/// Returns `true` if a line opens or closes a code block.
fn is_fence(line: &str) -> bool {
    line.trim().strip_prefix("```").is_some_and(|info| info.chars().all(char::is_alphanumeric))
}
