//! The keys of a frontmatter that belong to other programs: lists them as pairs of a path and a text.

use std::borrow::Cow;

use crate::known;
use crate::parse::Frontmatter;
use crate::tree::{Node, Value};

/// Returns the values below `metadata`, then the values of unknown keys. The keys of nested maps are joined with
/// dots, and each item of a list gives a pair.
pub(super) fn pairs(frontmatter: &Frontmatter) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    if let Some(metadata) = frontmatter.metadata() {
        add("", &metadata, &mut pairs);
    }
    for entry in frontmatter.tree.as_map().unwrap_or_default() {
        if known::of(&known::fold(&entry.key)).is_none() {
            add(&entry.key, &entry.value, &mut pairs);
        }
    }
    pairs
}

fn add(path: &str, node: &Node, pairs: &mut Vec<(String, String)>) {
    match &node.value {
        Value::Scalar(scalar) if !node.is_absent() => pairs.push((path.to_owned(), scalar.text.clone())),
        Value::Scalar(_) => {}
        Value::List(items) => items.iter().for_each(|item| add(path, item, pairs)),
        Value::Map(entries) => {
            for entry in entries {
                let path: Cow<'_, str> = match path {
                    "" => Cow::Borrowed(&entry.key),
                    path => Cow::Owned(format!("{path}.{}", entry.key)),
                };
                add(&path, &entry.value, pairs);
            }
        }
    }
}
