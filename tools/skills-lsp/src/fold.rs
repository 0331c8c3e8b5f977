//! Folding ranges: the frontmatter, and brackets over several lines.

use lsp_types::{FoldingRange, FoldingRangeKind};
use skills_core::frontmatter::split;
use skills_core::report::Report;
use skills_core::span::SourceMap;

use crate::convert::{Encoding, TextLines, number};

/// Returns the folding ranges of a text.
pub(crate) fn ranges(text: &str, is_json: bool) -> Vec<FoldingRange> {
    if !is_json {
        let close = close(text).map(|at| TextLines::new(text, Encoding::default()).position(at).line);
        return close.map(|line| region(0, line)).into_iter().collect();
    }
    let mut folds = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut line, mut quoted, mut escaped) = (0, false, false);
    for c in text.chars() {
        match c {
            '\n' => (line, quoted) = (line + 1, false),
            _ if escaped => {}
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => open.push(line),
            '}' | ']' => {
                if let Some(start) = open.pop().filter(|start| start + 1 < line) {
                    folds.push(region(number(start), number(line - 1)));
                }
            }
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
    }
    folds
}

fn region(start_line: u32, end_line: u32) -> FoldingRange {
    FoldingRange { start_line, end_line, kind: Some(FoldingRangeKind::Region), ..FoldingRange::default() }
}

/// Finds the line that closes the frontmatter.
fn close(text: &str) -> Option<usize> {
    let mut sources = SourceMap::new("");
    let file = sources.add(String::new(), text.to_owned(), None);
    let document = split(file, &sources, &mut Report::default());
    let end = sources.range(document.frontmatter?.block).end;
    text.get(end..)?.starts_with("---").then_some(end)
}
