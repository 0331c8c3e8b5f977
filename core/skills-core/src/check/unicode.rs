//! Finds characters that are invisible to a person but not to a model.

use skills_text::hidden_runs;

use super::draft::Check;
use crate::frontmatter::describe_hidden;
use crate::markdown::Markdown;
use crate::rule::lints;
use crate::tree::{Node, Value};
use crate::{Change, Diagnostic, Span};

/// Checks one text; [`TextScan`](crate::TextScan) skips texts without such characters.
pub(super) fn check(span: Span, is_garbled: bool, check: &mut Check<'_>) {
    let sources = check.sources;
    let text = sources.text(span);
    let runs = hidden_runs(text);
    let is_markdown = !runs.is_empty() && sources.file_of(span).path.ends_with(".md");
    let markdown = if is_markdown { Markdown::parse(text) } else { Markdown::default() };
    for (start, end, first) in runs {
        if is_garbled && matches!(first, '\u{80}'..='\u{9f}') || is_named(text, start, end, first) {
            continue;
        }
        let span = span.part(start, end);
        // Code may need the characters, so only a person can delete them there.
        let is_code = !is_markdown || markdown.is_code(start);
        check
            .report
            .push(hidden_character(span, first).fix((!is_code).then(|| Change::delete(span).unsafe_fix())));
    }
}

/// Returns `true` if a line shows one hidden character with its number, as in "`\u{202e}` (U+202E)".
fn is_named(text: &str, start: usize, end: usize, first: char) -> bool {
    let (before, behind) = text.split_at(start);
    let (run, behind) = behind.split_at_checked(end - start).unwrap_or((behind, ""));
    let is_code = before.ends_with(['`', '"', '\'']) && behind.starts_with(['`', '"', '\'']);
    if run.chars().count() != 1 || !is_code {
        return false;
    }
    let before = &before[skills_text::floor(before, start.saturating_sub(BESIDE))..];
    let behind = &behind[..skills_text::floor(behind, BESIDE)];
    skills_text::work::count(before.len() + behind.len());
    let line = [before.rsplit('\n').next(), behind.split('\n').next()];
    let (number, escape) = (format!("u+{:04x}", u32::from(first)), format!("\\u{:04x}", u32::from(first)));
    line.into_iter().flatten().any(|part| {
        let part = part.to_ascii_lowercase();
        part.contains(&number) || part.contains(&escape)
    })
}

/// How many bytes of a line on each side of a character are searched for its number.
const BESIDE: usize = 500;

/// Checks the values of a tree for characters hidden in escapes (`"\u202e"`), which a model reads.
pub(super) fn check_values(node: &Node, check: &mut Check<'_>) {
    match &node.value {
        Value::Scalar(scalar) => check_escapes(node.span, &scalar.text, check),
        Value::List(items) => items.iter().for_each(|item| check_values(item, check)),
        Value::Map(entries) => {
            for entry in entries {
                check_escapes(entry.key_span, &entry.key, check);
                check_values(&entry.value, check);
            }
        }
    }
}

fn check_escapes(span: Span, value: &str, check: &mut Check<'_>) {
    let sources = check.sources;
    let source = sources.text(span);
    if !source.contains('\\') {
        return;
    }
    // Unescaped characters were already found in the text.
    let found = hidden_runs(value).into_iter().find(|(.., first)| !source.contains(*first));
    if let Some((.., first)) = found {
        check.report.push(hidden_character(span, first));
    }
}

fn hidden_character(span: Span, first: char) -> Diagnostic {
    lints::HIDDEN_UNICODE
        .report_at(span, format!("hidden character U+{:04X}", u32::from(first)))
        .label("invisible here")
        .help(format!("delete it: these are {}", describe_hidden(first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Report, SourceMap};

    fn found(text: &str) -> Vec<(usize, usize)> {
        let mut sources = SourceMap::new(".");
        let id = sources.add("SKILL.md".into(), text.into(), None);
        let mut report = Report::default();
        let options = Options::default();
        let context = &mut Check { sources: &sources, options: &options, report: &mut report };
        check(sources.file(id).span(0..usize::MAX), false, context);
        report.diagnostics.iter().map(|d| (d.span.start as usize, d.span.end as usize)).collect()
    }

    // SPEC 2.11
    #[test]
    fn hidden_characters_are_found() {
        assert_eq!(found("plain\ttext\r\n技能 🎉 é"), []);
        assert_eq!(found("a\u{202e}b"), [(1, 4)]);
        assert_eq!(found("a\u{e0041}\u{e0042}b\u{1}"), [(1, 9), (10, 11)]);
        assert_eq!(found("12345678\u{7f}12345678\u{0}"), [(8, 9), (17, 18)]);
        assert_eq!(found("| `\u{202e}` | U+202E | reorders |"), [], "an example with its number");
        assert_eq!(found("| `\u{202e}` | reorders |").len(), 1, "without a number");
        assert_eq!(found("\u{202e} is U+202E").len(), 1, "not in code");
        assert_eq!(found("`\u{e0041}\u{e0042}` U+E0041").len(), 1, "a message");
        let scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
        assert_eq!(found(scotland), [], "a flag emoji");
        assert_eq!(found(&format!("{scotland}\u{e0041}")).len(), 1, "a TAG behind a flag");
    }
}
