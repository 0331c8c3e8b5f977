//! Completion and hover in `skills.toml`: its keys, the rules and their levels.

use std::ops::Range;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Hover, HoverContents, MarkupContent, MarkupKind,
};
use skills_core::config::{KEYS, LEVELS};
use skills_core::rule;
use skills_report::explain;

use crate::convert::Encoding;

/// The position in the file, as far as it is known from its line and the lines above.
struct Place<'t> {
    /// The table above, such as `rules` or `paths`.
    table: &'t str,
    /// The key of the line, if the position is after its `=`, or inside its array.
    key: Option<&'t str>,
}

fn place(before: &str) -> Place<'_> {
    let mut place = Place { table: "", key: None };
    for line in before.lines() {
        let line = line.trim();
        if let Some(table) = line.strip_prefix('[').filter(|_| place.key.is_none()) {
            let name = table.trim_start_matches('[').split(['.', ']']).next().unwrap_or_default();
            place = Place { table: name.trim(), key: None };
        } else if let Some((key, value)) = line.split_once('=') {
            let is_closed = !value.contains('[') || value.contains(']');
            place.key = (!is_closed).then(|| key.trim());
        } else if line.contains(']') {
            place.key = None;
        }
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    if let Some((key, _)) = line.split_once('=') {
        place.key = Some(key.trim());
    }
    place
}

/// Returns the completions at an offset.
pub(crate) fn complete(text: &str, offset: usize, encoding: Encoding) -> Vec<CompletionItem> {
    let Some(before) = text.get(..offset) else { return Vec::new() };
    let word = word_at(text, offset);
    let is_quoted = before.get(..word.start).is_some_and(|before| before.ends_with(['"', '\'']));
    let place = place(before);
    // The words that fit, with their meanings.
    let words: Vec<(&str, &str)> = match (place.table, place.key) {
        ("rules" | "paths", None) => {
            rule::all().into_iter().map(|rule| (rule.code, rule::text(rule).first_sentence())).collect()
        }
        ("rules" | "paths", Some(_)) => LEVELS.iter().map(|(level, _)| (*level, "")).collect(),
        (_, Some(_)) => Vec::new(),
        (_, None) => KEYS.iter().map(|(key, meaning)| (*key, *meaning)).collect(),
    };
    let is_value = place.key.is_some();
    let kind = if is_value { CompletionItemKind::VALUE } else { CompletionItemKind::PROPERTY };
    let items = words.into_iter().map(|(label, detail)| {
        let new = if is_value && !is_quoted { format!("\"{label}\"") } else { label.to_owned() };
        CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: Some(detail.to_owned()),
            filter_text: Some(new.clone()),
            text_edit: Some(CompletionTextEdit::Edit(encoding.edit(text, word.clone(), new))),
            ..CompletionItem::default()
        }
    });
    items.collect()
}

/// Returns the meaning of the key or the rule at an offset.
pub(crate) fn hover(text: &str, offset: usize, encoding: Encoding) -> Option<Hover> {
    let word = word_at(text, offset);
    let name = text.get(word.clone()).filter(|name| !name.is_empty())?;
    let value = match (KEYS.iter().find(|(key, _)| *key == name), rule::named(name)) {
        (Some((key, meaning)), _) => format!("**{key}**\n\n{meaning}"),
        (None, Ok(rule)) => format!("```text\n{}```", explain::print(rule::text(rule))),
        (None, Err(_)) => return None,
    };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(encoding.range(text, word)) })
}

/// Returns the bytes of the bare word around an offset.
fn word_at(text: &str, offset: usize) -> Range<usize> {
    let (before, after) = text.split_at(skills_text::floor(text, offset));
    let start = before.trim_end_matches(is_word).len();
    start..before.len() + after.find(|c| !is_word(c)).unwrap_or(after.len())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}
