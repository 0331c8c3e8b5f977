//! Lines of a `SKILL.md`.

use std::ops::Range;

pub(super) const MARKER: &str = "---";
pub(super) const BLANKS: [char; 3] = [' ', '\t', '\r'];

/// One line: its start, the end of its text, and the start of the next line.
pub(super) struct FrontmatterLine {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

impl FrontmatterLine {
    pub(super) fn containing(text: &str, start: usize) -> Self {
        match text[start..].find('\n') {
            Some(length) => Self { start, end: start + length, next: start + length + 1 },
            None => Self { start, end: text.len(), next: text.len() },
        }
    }

    pub(super) fn text<'a>(&self, text: &'a str) -> &'a str {
        text[self.start..self.end].trim_end_matches(BLANKS)
    }

    pub(super) fn range(&self, text: &str) -> Range<usize> {
        self.start..self.start + self.text(text).len()
    }
}

pub(super) fn skip_blank_lines(text: &str, mut at: usize) -> usize {
    while at < text.len() {
        let line = FrontmatterLine::containing(text, at);
        if !line.text(text).is_empty() {
            break;
        }
        at = line.next;
    }
    at
}
