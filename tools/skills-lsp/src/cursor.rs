//! Finds the element at a position of a file: a key, a value, a part of a template, the target of a link.

use std::ops::Range;
use std::path::Path;

use skills_core::session::link;
use skills_core::span::{SourceMap, Span};
use skills_core::tree::{MapEntry, Node, Value};
use skills_report::fix::Checked;

use crate::index;
use crate::root::{Root, dir_of};

/// The element at a position.
#[derive(Debug)]
pub(crate) enum Spot {
    /// A key of a frontmatter, or its value.
    Field { key: String, on_key: bool, value: String, range: Range<usize> },
    /// A key or a scalar of JSON, with its path of keys and indexes.
    Json { path: Vec<String>, on_key: bool, value: String, range: Range<usize> },
    /// A path in a template, up to the key at the position.
    Template { path: Vec<String>, range: Range<usize> },
    /// A link or a mention, with its target below the root.
    Link { place: String },
}

/// Finds the element at an offset of a file in a directory.
pub(crate) fn find_spot(root: &Root, path: &Path, offset: usize) -> Option<Spot> {
    let file = root.file(path)?;
    if let Some(spot) = template(&file.text, offset) {
        return Some(spot);
    }
    let sources = root.checked.sources();
    if file.path.ends_with(".json") {
        let tree = index::tree(sources, &file.path)?;
        let mut path = Vec::new();
        let (node, key) = descend(&tree, sources, offset, &mut path)?;
        let (on_key, value, span) = match key {
            Some(entry) => (true, entry.key.clone(), entry.key_span),
            None => (false, node.as_scalar()?.text.clone(), node.span),
        };
        return Some(Spot::Json { path, on_key, value, range: sources.range(span) });
    }
    let document = index::fields(sources, &file.path)?;
    if let Some(frontmatter) = &document.frontmatter {
        for entry in frontmatter.tree.as_map().unwrap_or_default() {
            if let Some(range) = range_around(sources, entry.key_span, offset) {
                let (key, value) = (entry.key.clone(), String::new());
                return Some(Spot::Field { key, on_key: true, value, range });
            }
            let nodes = entry.value.as_list().unwrap_or(std::slice::from_ref(&entry.value));
            for node in nodes {
                if let (Some(range), Some(scalar)) =
                    (range_around(sources, node.span, offset), node.as_scalar())
                {
                    let (key, value) = (entry.key.clone(), scalar.text.clone());
                    return Some(Spot::Field { key, on_key: false, value, range });
                }
            }
        }
    }
    link(&file.text, dir_of(&file.path), offset).map(|place| Spot::Link { place })
}

/// Returns the range of a span if it contains an offset.
fn range_around(sources: &SourceMap, span: Span, offset: usize) -> Option<Range<usize>> {
    let range = sources.range(span);
    (range.start <= offset && offset <= range.end).then_some(range)
}

/// Descends to the smallest node that contains an offset; the entry is set if the offset is on its key.
fn descend<'n>(
    node: &'n Node,
    sources: &SourceMap,
    offset: usize,
    path: &mut Vec<String>,
) -> Option<(&'n Node, Option<&'n MapEntry>)> {
    match &node.value {
        Value::Scalar(_) => Some((node, None)),
        Value::List(items) => {
            let mut items = items.iter().enumerate();
            let (at, item) = items.find(|(_, item)| range_around(sources, item.span, offset).is_some())?;
            path.push(at.to_string());
            descend(item, sources, offset, path)
        }
        Value::Map(entries) => {
            let entry = entries.iter().find(|entry| {
                [entry.key_span, entry.value.span]
                    .iter()
                    .any(|span| range_around(sources, *span, offset).is_some())
            })?;
            path.push(entry.key.clone());
            match range_around(sources, entry.key_span, offset) {
                Some(_) => Some((&entry.value, Some(entry))),
                None => descend(&entry.value, sources, offset, path),
            }
        }
    }
}

/// Finds the path in a template that contains an offset.
fn template(text: &str, offset: usize) -> Option<Spot> {
    let start = offset - last_path(open_template(text.get(..offset)?)?).len();
    let end = offset + text[offset..].find(|c: char| !is_path(c) || c == '.').unwrap_or(text.len() - offset);
    let path: Vec<String> = text.get(start..end)?.split('.').map(str::to_owned).collect();
    let first = path.first()?;
    matches!(first.as_str(), "input" | "steps" | "item" | "index")
        .then_some(Spot::Template { path, range: start..end })
}

/// Returns the unclosed template at the end of a text.
pub(crate) fn open_template(before: &str) -> Option<&str> {
    let (_, inside) = before.rsplit_once("{{")?;
    (!inside.contains("}}") && !inside.contains('\n')).then_some(inside)
}

/// Returns the path at the end of a text.
pub(crate) fn last_path(text: &str) -> &str {
    &text[text.trim_end_matches(is_path).len()..]
}

fn is_path(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-')
}
