//! The text of a block with its position in the file, and the few rules of TOML that look at text and not at a parsed
//! document.

use std::ops::Range;

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use crate::{SourceFile, Span};

/// The text of a block, and its position.
pub(super) struct TomlText<'a> {
    pub(super) source: &'a SourceFile,
    pub(super) base: usize,
    pub(super) text: &'a str,
}

impl TomlText<'_> {
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        // In a recovered value, offsets of the parser may be inside a character.
        let start = skills_text::floor(self.text, range.start);
        let end = skills_text::floor(self.text, range.end).max(start);
        self.source.span(self.base + start..self.base + end)
    }
}

/// Returns `true` if a line starts TOML: `key =` or `[table]`.
///
/// A YAML list `[a]` alone on a line is read as a table, because no frontmatter begins with a list.
pub(crate) fn opens(line: &str) -> bool {
    let header = line.strip_prefix("[[").map(|rest| (rest, "]]"));
    let header = header.or_else(|| line.strip_prefix('[').map(|rest| (rest, "]")));
    let (line, close) = header.unwrap_or((line, "="));
    let Some(rest) = skip_key(line) else { return false };
    let Some(rest) = rest.trim_start().strip_prefix(close) else { return false };
    let rest = rest.trim_start();
    close == "=" || rest.is_empty() || rest.starts_with('#')
}

/// Skips a key, dotted or not.
pub(super) fn skip_key(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        rest = match rest.chars().next()? {
            quote @ ('"' | '\'') => &rest[1 + rest[1..].find(quote)? + 1..],
            _ => {
                let end = rest.find(|c| !is_bare(c)).unwrap_or(rest.len());
                if end == 0 {
                    return None;
                }
                &rest[end..]
            }
        };
        match rest.trim_start().strip_prefix('.') {
            Some(more) => rest = more,
            None => return Some(rest),
        }
    }
}

/// Returns `true` if a character is allowed in an unquoted key.
pub(super) fn is_bare(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// Returns the end of the multi-line string that contains an offset; `None` if no closed one does.
pub(crate) fn string_over(text: &str, offset: usize) -> Option<usize> {
    let token = Source::new(text).lex().find(|token| token.span().end() > offset)?;
    let (start, end) = (token.span().start(), token.span().end());
    let delimiter = match token.kind() {
        TokenKind::MlBasicString => "\"\"\"",
        TokenKind::MlLiteralString => "'''",
        _ => return None,
    };
    let inside = text.get(start + 3..end)?.strip_suffix(delimiter)?;
    let escapes = inside.len() - inside.trim_end_matches('\\').len();
    let is_closed = delimiter.starts_with('\'') || escapes % 2 == 0;
    (start < offset && is_closed).then_some(end)
}
