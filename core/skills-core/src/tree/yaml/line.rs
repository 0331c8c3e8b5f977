//! One line of YAML, split into `key: value # comment`, for help texts.

use std::ops::Range;

/// A split line; ranges refer to the whole text.
pub(super) struct YamlLine<'a> {
    /// The line without indentation and line end.
    pub(super) text: &'a str,
    /// The start of that text.
    pub(super) start: usize,
    /// The number of bytes of its indentation.
    pub(super) indent: usize,
    /// The range of its value, without a comment; empty if it has none.
    pub(super) value: Range<usize>,
    /// The key with any dashes before it, up to the value: `- name: `; empty if it has none.
    pub(super) lead: &'a str,
}

impl<'a> YamlLine<'a> {
    /// Splits the line that contains an offset.
    pub(super) fn containing(text: &'a str, offset: usize) -> Self {
        let first = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let last = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
        skills_text::work::count(last - first);
        let whole = text[first..last].trim_end();
        let content = whole.trim_start_matches([' ', '\t']);
        let indent = whole.len() - content.len();
        let start = first + indent;
        let value = key_end(content).map_or(start..start, |end| {
            let value = &content[end..];
            let blanks = value.len() - value.trim_start_matches([' ', '\t']).len();
            let value_start = start + end + blanks;
            value_start..value_start + comment(&value[blanks..]).unwrap_or(value.len() - blanks)
        });
        let value = value.start..value.start + text[value.clone()].trim_end().len();
        let lead = &text[start..value.start];
        Self { text: content, start, indent, value, lead }
    }

    /// Returns the place of the line without indentation and line end.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub(super) fn value_text(&self) -> &'a str {
        &self.text[self.value.start - self.start..self.value.end - self.start]
    }

    /// Returns the line with another value and the same comment.
    pub(super) fn with(&self, value: &str) -> String {
        let rest = self.text[self.value.end - self.start..].trim_start();
        let space = if rest.is_empty() { "" } else { " " };
        format!("{}{value}{space}{rest}", self.lead)
    }

    /// Returns the word before the first colon, if the line starts with one.
    pub(super) fn word(&self) -> Option<&'a str> {
        let end = self.text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))?;
        (end > 0 && self.text[end..].starts_with(':')).then(|| &self.text[..end])
    }
}

/// Returns the end of the first key of a line, including its colon.
fn key_end(content: &str) -> Option<usize> {
    let mut at = 0;
    while content[at..].starts_with("- ") {
        at += 2 + content[at + 2..].len() - content[at + 2..].trim_start().len();
    }
    let quoted = match content[at..].chars().next() {
        Some(quote @ ('"' | '\'')) => content[at + 1..].find(quote).map_or(0, |end| end + 2),
        _ => 0,
    };
    colon(&content[at + quoted..]).map(|colon| at + quoted + colon + 1)
}

/// Finds the first colon that ends a key: a space or the end follows.
pub(super) fn colon(text: &str) -> Option<usize> {
    let mut colons = text.match_indices(':').map(|(at, _)| at);
    colons.find(|at| text[at + 1..].chars().next().is_none_or(|c| c.is_ascii_whitespace()))
}

pub(super) fn comment(value: &str) -> Option<usize> {
    if value.starts_with('#') {
        return Some(0);
    }
    let from = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value[1..].find(quote).map_or(0, |end| end + 1),
        _ => 0,
    };
    let mut signs = value[from..].match_indices('#').map(|(at, _)| from + at);
    signs.find(|at| value[..*at].ends_with([' ', '\t']))
}
