//! Finds valid code that is probably a mistake, and suggests a corrected line.

use super::{Parser, text::TextPart};
use crate::{Lint, LintKind, MAX_ERRORS};

/// The number of characters of the line to show on each side of the replacement.
const AROUND: usize = 160;

/// A lint that is longer than this, in bytes, does not include further alternatives.
const LONGEST: usize = 4096;

impl Parser<'_, '_> {
    /// Adds a lint if the last three parts are two expressions with `||` between them.
    pub(super) fn fallback_outside(&mut self, parts: &[TextPart]) {
        let [
            ..,
            TextPart::Expression { start, end: left, .. },
            TextPart::Text(_),
            TextPart::Expression { start: right, end, .. },
        ] = *parts
        else {
            return;
        };
        let text = self.lexer.text;
        if text.get(left..right).map(str::trim) != Some("||") {
            return;
        }
        let second = text.get(right + 2..end - 2).unwrap_or("").trim();
        // If there is a third alternative, it extends the lint for the first two.
        let left_end = self.span(left, left).start;
        let before = self.out.lints.pop_if(|last| {
            let adjacent = last.kind == LintKind::FallbackOutside && last.span.end == left_end;
            adjacent && last.replacement.len() < LONGEST
        });
        let (start, first) = match &before {
            Some(before) => ((before.span.start - self.base) as usize, before.replacement.as_str()),
            None => (start, text.get(start..left).unwrap_or("")),
        };
        let first = first.strip_prefix("{{").and_then(|first| first.strip_suffix("}}")).unwrap_or(first);
        self.lint(LintKind::FallbackOutside, start, end, format!("{{{{{} || {second}}}}}", first.trim()));
    }

    pub(super) fn lint(&mut self, kind: LintKind, start: usize, end: usize, replacement: String) {
        if self.out.lints.len() >= MAX_ERRORS {
            return;
        }
        let text = self.lexer.text;
        let (head, before) = line_before(text.get(..start).unwrap_or(""));
        let (behind, tail) = line_behind(text.get(end..).unwrap_or(""));
        let corrected = format!("{head}{before}{replacement}{behind}{tail}");
        self.out.lints.push(Lint { span: self.span(start, end), kind, replacement, corrected });
    }
}

/// Returns the last line of a text, cut at the front if it is long.
fn line_before(text: &str) -> (&'static str, &str) {
    for (count, (at, c)) in text.char_indices().rev().enumerate() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or("");
        match c {
            '\n' => return ("", rest),
            _ if count == AROUND => return ("…", rest),
            _ => {}
        }
    }
    ("", text)
}

/// Returns the first line of a text, cut at the end if it is long.
fn line_behind(text: &str) -> (&str, &'static str) {
    for (count, (at, c)) in text.char_indices().enumerate() {
        let line = text.get(..at).unwrap_or("");
        match c {
            '\r' | '\n' => return (line, ""),
            _ if count == AROUND => return (line, "…"),
            _ => {}
        }
    }
    (text, "")
}
