//! Parses the TOML of a frontmatter into a [`Node`].

mod advice;
mod reader;
mod scalar;
mod table;
#[cfg(test)]
mod tests;
mod text;

use std::ops::Range;

use skills_text::sort;

use self::table::{Id, ROOT, TomlDocument, TomlValue, What};
use self::text::TomlText;
pub(crate) use self::text::{opens, string_over};
use crate::tree::{MapEntry, Node, Scalar, Value};
use crate::{Report, SourceFile};

/// Parses a block of a file as far as possible; returns the map, and whether it is complete.
pub(crate) fn parse(source: &SourceFile, block: Range<usize>, report: &mut Report) -> (Node, bool) {
    let text = TomlText { source, base: block.start, text: &source.text[block] };
    let document = reader::read(text.text);
    let span = text.span(0..text.text.trim_end().len());
    let root = Node { span, value: build_table(&text, &document, ROOT) };
    let is_sound = document.faults.is_empty();
    advice::report(&text, document.faults, report);
    (root, is_sound)
}

/// Builds the map of a table.
fn build_table(text: &TomlText<'_>, document: &TomlDocument, table: Id) -> Value {
    let entries = document.entries(table).iter().map(|entry| MapEntry {
        key: entry.key.name.clone(),
        key_span: text.span(entry.key.span.clone()),
        value: build_node(text, document, &entry.value),
    });
    let mut entries: Vec<MapEntry> = entries.collect();
    sort(&mut entries, &|a, b| a.key_span.start.cmp(&b.key_span.start));
    Value::Map(entries)
}

fn build_node(text: &TomlText<'_>, document: &TomlDocument, value: &TomlValue) -> Node {
    let tree = match &value.what {
        What::Scalar(kind, decoded) => {
            let written = text.text.get(value.range.clone()).unwrap_or_default();
            Value::Scalar(Scalar { kind: *kind, text: decoded.as_deref().unwrap_or(written).to_owned() })
        }
        What::List(items) => Value::List(items.iter().map(|item| build_node(text, document, item)).collect()),
        What::Tables(tables) => {
            let items = tables.iter().map(|(range, id)| Node {
                span: text.span(range.clone()),
                value: build_table(text, document, *id),
            });
            Value::List(items.collect())
        }
        What::Table(id) => build_table(text, document, *id),
    };
    Node { span: text.span(value.range.clone()), value: tree }
}
