//! Parts of a text that are right but hardly meant become lints with the mended line.

use super::{Parser, text::Part};
use crate::{Lint, LintKind, MAX_ERRORS};

/// Characters of the line that are shown on each side of what is mended.
const AROUND: usize = 160;

/// Bytes behind which a lint takes in no further alternative.
const LONGEST: usize = 4096;

impl Parser<'_, '_> {
    /// Notes the lint of SPEC 5.1 when the last three parts are two expressions with `||` between them.
    pub(super) fn fallback_outside(&mut self, parts: &[Part]) {
        let [
            ..,
            Part::Expression { start, end: left, .. },
            Part::Text(_),
            Part::Expression { start: right, end, .. },
        ] = *parts
        else {
            return;
        };
        let text = self.lexer.text;
        let inner = |from: usize, to: usize| text.get(from..to).unwrap_or("").trim();
        if inner(left, right) != "||" {
            return;
        }
        let second = inner(right + 2, end - 2);
        // A third alternative extends the lint of the first two.
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
        let before = text.get(..start).unwrap_or("");
        let before = before.rfind('\n').and_then(|at| before.get(at + 1..)).unwrap_or(before);
        let behind = text.get(end..).and_then(|rest| rest.split(['\r', '\n']).next()).unwrap_or("");
        let (head, before) = match before.char_indices().nth_back(AROUND) {
            Some((at, _)) => ("…", before.get(at..).unwrap_or("")),
            None => ("", before),
        };
        let (behind, tail) = match behind.char_indices().nth(AROUND) {
            Some((at, _)) => (behind.get(..at).unwrap_or(""), "…"),
            None => (behind, ""),
        };
        let mended = format!("{head}{before}{replacement}{behind}{tail}");
        self.out.lints.push(Lint { span: self.span(start, end), kind, replacement, mended });
    }
}
