//! The outline of a file: its keys, its steps, its headings; and the skills and steps of a workspace.

use std::path::Path;

use lsp_types::{DocumentSymbol, Location, OneOf, SymbolKind, WorkspaceSymbol};
use skills_core::tree::{MapEntry, Node};
use skills_report::fix::Checked;

use crate::convert::{Lines, Texts, location_in};
use crate::root::Root;
use crate::workspace::Workspace;
use crate::{index, schema};

/// Returns the symbols of a file.
pub(crate) fn symbols(root: &Root, path: &Path) -> Vec<DocumentSymbol> {
    let Some(file) = root.file(path) else { return Vec::new() };
    let sources = root.checked.sources();
    let lines = Lines::new(&file.text, root.encoding);
    let symbol = |name: &str,
                  detail: &str,
                  kind: SymbolKind,
                  whole: std::ops::Range<usize>,
                  part: std::ops::Range<usize>,
                  children: Vec<DocumentSymbol>| {
        #[expect(deprecated, reason = "the type has no constructor")]
        DocumentSymbol {
            name: if name.is_empty() { "-" } else { name }.to_owned(),
            detail: Some(detail.to_owned()),
            kind,
            tags: None,
            deprecated: None,
            range: lines.range(whole),
            selection_range: lines.range(part),
            children: Some(children),
        }
    };
    let field = |entry: &MapEntry, children: Vec<DocumentSymbol>| {
        let (key, value) = (sources.range(entry.key_span), sources.range(entry.value.span));
        let detail: String =
            entry.value.as_scalar().map(|scalar| scalar.text.chars().take(60).collect()).unwrap_or_default();
        symbol(&entry.key, &detail, SymbolKind::PROPERTY, key.start..value.end.max(key.end), key, children)
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
                    symbol(name, skill, SymbolKind::FUNCTION, whole, part, Vec::new())
                };
                let children =
                    steps.iter().map(step).chain(properties.iter().map(|entry| field(entry, Vec::new())));
                field(entry, children.collect())
            })
            .collect();
    }
    let Some(document) = index::fields(sources, &file.path) else { return Vec::new() };
    let mut symbols: Vec<DocumentSymbol> = Vec::new();
    if let Some(frontmatter) = &document.frontmatter {
        symbols.extend(
            frontmatter.tree.as_map().unwrap_or_default().iter().map(|entry| field(entry, Vec::new())),
        );
    }
    let body = sources.range(document.body);
    for heading in &document.markdown(sources).headings {
        let range = body.start + heading.place.start..body.start + heading.place.end;
        let level = "#".repeat(heading.level);
        symbols.push(symbol(&heading.title, &level, SymbolKind::STRING, range.clone(), range, Vec::new()));
    }
    symbols
}

/// The largest number of symbols in an answer.
const MAX_SYMBOLS: usize = 500;

/// Returns the skills and the steps whose names contain the letters of a query, in order.
pub(crate) fn of_workspace(workspace: &Workspace, query: &str) -> Vec<WorkspaceSymbol> {
    let is_wanted = |name: &str| {
        let mut letters = name.chars().flat_map(char::to_lowercase);
        query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
    };
    let symbol =
        |name: &str, kind: SymbolKind, container: Option<&str>, location: Location| WorkspaceSymbol {
            name: name.to_owned(),
            kind,
            tags: None,
            container_name: container.map(str::to_owned),
            location: OneOf::Left(location),
            data: None,
        };
    let mut found = Vec::new();
    let mut texts = Texts::new(workspace.client.encoding);
    for root in workspace.roots.values() {
        for skill in root.skills() {
            // Computing a position reads the text before it, so only the first symbols are converted.
            if found.len() >= MAX_SYMBOLS {
                break;
            }
            if is_wanted(&skill.name) {
                let kind = if skill.manifest.is_some() { SymbolKind::FUNCTION } else { SymbolKind::MODULE };
                found.push(symbol(&skill.name, kind, None, location_in(root, skill.place, &mut texts)));
            }
            let steps = schema::steps(skill).iter().filter(|_| !skill.is_drafted);
            for step in steps.filter_map(|step| step.get("step")) {
                if let Some(name) = step.as_string().filter(|name| is_wanted(name)) {
                    let place = location_in(root, step.span, &mut texts);
                    found.push(symbol(name, SymbolKind::FUNCTION, Some(&skill.name), place));
                }
            }
        }
    }
    found.truncate(MAX_SYMBOLS);
    found
}
