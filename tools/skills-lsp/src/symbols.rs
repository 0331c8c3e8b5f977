//! The outline of a file: its keys, its steps, its headings.

use std::path::Path;

use serde_json::{Value, json};
use skills_core::fences;
use skills_core::tree::{MapEntry, Node};
use skills_report::fix::Judged;

use crate::index;
use crate::place;
use crate::root::Root;

const PROPERTY: u64 = 7;
const FUNCTION: u64 = 12;
const STRING: u64 = 15;

/// Returns the symbols of a file.
pub(crate) fn symbols(root: &Root, path: &Path) -> Vec<Value> {
    let Some(file) = root.file(path) else { return Vec::new() };
    let sources = root.judged.sources();
    let symbol = |name: &str,
                  detail: &str,
                  kind: u64,
                  whole: std::ops::Range<usize>,
                  part: std::ops::Range<usize>,
                  children: Vec<Value>| {
        let name = if name.is_empty() { "-" } else { name };
        json!({
            "name": name, "detail": detail, "kind": kind, "children": children,
            "range": place::range(&file.text, whole), "selectionRange": place::range(&file.text, part),
        })
    };
    let field = |entry: &MapEntry, children: Vec<Value>| {
        let (key, value) = (sources.range(entry.key_span), sources.range(entry.value.span));
        let detail: String =
            entry.value.as_scalar().map(|scalar| scalar.text.chars().take(60).collect()).unwrap_or_default();
        symbol(&entry.key, &detail, PROPERTY, key.start..value.end.max(key.end), key, children)
    };
    if file.path.ends_with(".json") {
        let Some(tree) = index::tree(sources, &file.path) else { return Vec::new() };
        return tree
            .as_map()
            .unwrap_or_default()
            .iter()
            .map(|entry| {
                let steps = entry.value.as_list().filter(|_| entry.key == "pipeline").unwrap_or_default();
                let properties = entry.value.get("properties").and_then(Node::as_map).unwrap_or_default();
                let step = |step: &Node| {
                    let name = step.get("step").and_then(Node::as_string).unwrap_or_default();
                    let skill = step.get("skill").and_then(Node::as_string).unwrap_or_default();
                    let whole = sources.range(step.span);
                    let part =
                        step.get("step").map_or(whole.start..whole.start, |node| sources.range(node.span));
                    symbol(name, skill, FUNCTION, whole, part, Vec::new())
                };
                let children =
                    steps.iter().map(step).chain(properties.iter().map(|entry| field(entry, Vec::new())));
                field(entry, children.collect())
            })
            .collect();
    }
    let Some(document) = index::fields(sources, &file.path) else { return Vec::new() };
    let mut symbols: Vec<Value> = Vec::new();
    if let Some(frontmatter) = &document.frontmatter {
        symbols.extend(
            frontmatter.tree.as_map().unwrap_or_default().iter().map(|entry| field(entry, Vec::new())),
        );
    }
    let body = sources.range(document.body);
    for (at, line) in fences::outside(&file.text[body.clone()]) {
        let at = body.start + at;
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if (1..=6).contains(&level) && title.starts_with(' ') {
            let range = at..at + line.trim_end().len();
            symbols.push(symbol(title.trim(), &"#".repeat(level), STRING, range.clone(), range, Vec::new()));
        }
    }
    symbols
}
