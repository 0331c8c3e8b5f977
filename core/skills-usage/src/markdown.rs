//! Finds the code in a Markdown text that may hold command lines: fenced blocks of a shell, and inline code.

use std::ops::Range;

use skills_core::fences::{fences, outside};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) at: Range<usize>,
    pub(crate) kind: CodeKind,
}

/// Where a piece of code stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeKind {
    /// In a block that names a shell.
    Shell,
    /// In a block without a language, which may also hold output.
    Unmarked,
    /// In a sentence, which may name only a part of a command.
    Inline,
}

/// Returns the pieces of code in the order of the text.
pub(crate) fn code(text: &str) -> Vec<Code> {
    let mut found: Vec<Code> = fences(text)
        .into_iter()
        .filter_map(|fence| Some(Code { kind: kind(fence.info)?, at: fence.content }))
        .chain(inline(text))
        .collect();
    skills_text::sort(&mut found, &|a, b| a.at.start.cmp(&b.at.start));
    found
}

/// Returns the kind of a block by its info string; `None` if it holds something else.
fn kind(info: &str) -> Option<CodeKind> {
    let language = info.trim().split([' ', ',', '{']).next().unwrap_or_default().to_ascii_lowercase();
    match language.as_str() {
        "" => Some(CodeKind::Unmarked),
        "bash" | "sh" | "shell" | "zsh" | "console" | "terminal" | "shell-session" | "shellsession" => {
            Some(CodeKind::Shell)
        }
        _ => None,
    }
}

/// Returns the inline code. A paragraph is searched as a whole, because code may continue on the next line.
fn inline(text: &str) -> Vec<Code> {
    let mut found = Vec::new();
    let mut paragraph = 0..0;
    for (at, line) in outside(text) {
        // A table has one row in each line, and a heading or an item begins a new paragraph.
        let start = line.trim_start();
        let is_item = ["- ", "* ", "+ "].iter().any(|mark| start.starts_with(mark));
        let is_new = is_item || start.starts_with(['#', '|', '>']) || paragraph.end != at;
        if line.trim().is_empty() || is_new {
            spans(text, paragraph, &mut found);
            paragraph = at..at;
        }
        paragraph.end = at + line.len();
    }
    spans(text, paragraph, &mut found);
    found
}

/// Adds the inline code of one paragraph: a run of backquotes up to a run of the same length (CommonMark, 6.1).
fn spans(text: &str, paragraph: Range<usize>, found: &mut Vec<Code>) {
    let part = text.get(paragraph.clone()).unwrap_or_default();
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(start) = part[at..].find('`').map(|start| at + start) {
        let length = part[start..].len() - part[start..].trim_start_matches('`').len();
        runs.push((start, length));
        at = start + length;
    }
    let mut next = 0;
    while let Some(&(start, length)) = runs.get(next) {
        let end = runs.iter().enumerate().skip(next + 1).take(RUNS).find(|(_, run)| run.1 == length);
        match end {
            Some((nth, (end, _))) => {
                let from = paragraph.start;
                found.push(Code { at: from + start + length..from + end, kind: CodeKind::Inline });
                next = nth + 1;
            }
            None => next += 1,
        }
    }
}

/// The maximum number of runs of backquotes that are searched for the end of inline code.
const RUNS: usize = 64;

#[cfg(test)]
mod tests {
    use super::{CodeKind, code};

    // SPEC 23.3
    #[test]
    fn code_is_found_with_its_kind() {
        let text = "Run `a b`, ``c ` d`` and `e\nf`, not `g\n\nh`.\n```sh\ni\n```\n~~~\nj\n~~~\n```json\nk\n```\n| `l` |\n";
        let found: Vec<(&str, CodeKind)> =
            code(text).iter().map(|code| (&text[code.at.clone()], code.kind)).collect();
        assert_eq!(
            found,
            [
                ("a b", CodeKind::Inline),
                ("c ` d", CodeKind::Inline),
                ("e\nf", CodeKind::Inline),
                ("i\n", CodeKind::Shell),
                ("j\n", CodeKind::Unmarked),
                ("l", CodeKind::Inline),
            ]
        );
    }
}
