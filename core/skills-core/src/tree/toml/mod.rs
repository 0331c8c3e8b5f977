//! Parses the TOML of a frontmatter into a [`Node`].

mod advice;
mod habit;
mod reader;
mod scalar;
mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;

use skills_text::sort;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use self::table::{Id, ROOT, TomlDocument, What};
use crate::tree::{MapEntry, Node, Scalar, Value};
use crate::{Report, SourceFile, Span};

/// The maximum nesting of tables; the tree is walked recursively.
const DEPTH: usize = 64;

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
fn skip_key(text: &str) -> Option<&str> {
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
fn is_bare(c: char) -> bool {
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

/// Parses a block of a file as far as possible; returns the map, and whether it is complete.
pub(crate) fn parse(source: &SourceFile, block: Range<usize>, report: &mut Report) -> (Node, bool) {
    let text = &source.text[block.clone()];
    let tree = Tree { source, base: block.start, text };
    let document = reader::read(text);
    let span = tree.span(0..text.trim_end().len());
    let root = Node { span, value: tree.table(&document, ROOT) };
    let is_sound = document.faults.is_empty();
    advice::report(&tree, document.faults, report);
    (root, is_sound)
}

/// The text of a block, and its position.
struct Tree<'a> {
    source: &'a SourceFile,
    base: usize,
    text: &'a str,
}

impl Tree<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        // In a recovered value, offsets of the parser may be inside a character.
        let start = skills_text::floor(self.text, range.start);
        let end = skills_text::floor(self.text, range.end).max(start);
        self.source.span(self.base + start..self.base + end)
    }

    fn table(&self, document: &TomlDocument, table: Id) -> Value {
        let entries = document.entries(table).iter().map(|entry| MapEntry {
            key: entry.key.name.clone(),
            key_span: self.span(entry.key.span.clone()),
            value: self.node(document, &entry.value),
        });
        let mut entries: Vec<MapEntry> = entries.collect();
        sort(&mut entries, &|a, b| a.key_span.start.cmp(&b.key_span.start));
        Value::Map(entries)
    }

    fn node(&self, document: &TomlDocument, value: &table::TomlValue) -> Node {
        let tree = match &value.what {
            What::Scalar(kind, text) => {
                let written = || self.text.get(value.range.clone()).unwrap_or_default().to_owned();
                Value::Scalar(Scalar { kind: *kind, text: text.clone().unwrap_or_else(written) })
            }
            What::List(items) => Value::List(items.iter().map(|item| self.node(document, item)).collect()),
            What::Tables(tables) => {
                let item = |(range, id): &(Range<usize>, Id)| Node {
                    span: self.span(range.clone()),
                    value: self.table(document, *id),
                };
                Value::List(tables.iter().map(item).collect())
            }
            What::Table(id) => self.table(document, *id),
        };
        Node { span: self.span(value.range.clone()), value: tree }
    }
}
