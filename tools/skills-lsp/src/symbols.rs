//! The outline of a file: its keys, its steps, its headings; and the skills and steps of a workspace.

use std::ops::Range;
use std::path::Path;

use lsp_types::{DocumentSymbol, Location, OneOf, SymbolKind, WorkspaceSymbol};
use skills_core::span::SourceMap;
use skills_core::tree::{MapEntry, Node};
use skills_report::fix::Checked;

use crate::convert::{TextLines, Texts, location_in};
use crate::root::Root;
use crate::workspace::Workspace;
use crate::{index, schema};

/// Returns the symbols of a file.
pub(crate) fn symbols(root: &Root, path: &Path) -> Vec<DocumentSymbol> {
    let Some(file) = root.file(path) else { return Vec::new() };
    let sources = root.checked.sources();
    let lines = TextLines::new(&file.text, root.encoding);
    let outline = Outline { sources, lines };
    let mut symbols: Vec<DocumentSymbol> = Vec::new();
    if file.path.ends_with(".json") {
        let Some(tree) = index::tree(sources, &file.path) else { return Vec::new() };
        for entry in tree.as_map().unwrap_or_default() {
            let steps = entry.value.as_list().filter(|_| entry.key == "pipeline").unwrap_or_default();
            let properties = entry.value.get("properties").and_then(Node::as_map).unwrap_or_default();
            let mut children: Vec<_> = steps.iter().map(|step| outline.step(step)).collect();
            children.extend(properties.iter().map(|entry| outline.field(entry)));
            symbols.push(DocumentSymbol { children: Some(children), ..outline.field(entry) });
        }
        return symbols;
    }
    let Some(document) = index::fields(sources, &file.path) else { return Vec::new() };
    if let Some(frontmatter) = &document.frontmatter {
        let entries = frontmatter.tree.as_map().unwrap_or_default();
        symbols.extend(entries.iter().map(|entry| outline.field(entry)));
    }
    let body = sources.range(document.body);
    for heading in &document.markdown(sources).headings {
        let range = body.start + heading.place.start..body.start + heading.place.end;
        let level = "#".repeat(heading.level);
        symbols.push(outline.symbol(&heading.title, &level, SymbolKind::STRING, range.clone(), range));
    }
    symbols
}

/// Creates the symbols of a file.
struct Outline<'r> {
    sources: &'r SourceMap,
    lines: TextLines,
}

impl Outline<'_> {
    /// Creates the symbol of a range, whose name is at a part of it.
    fn symbol(
        &self,
        name: &str,
        detail: &str,
        kind: SymbolKind,
        whole: Range<usize>,
        part: Range<usize>,
    ) -> DocumentSymbol {
        #[expect(deprecated, reason = "the type has no constructor")]
        DocumentSymbol {
            name: if name.is_empty() { "-" } else { name }.to_owned(),
            detail: Some(detail.to_owned()),
            kind,
            tags: None,
            deprecated: None,
            range: self.lines.range(whole),
            selection_range: self.lines.range(part),
            children: Some(Vec::new()),
        }
    }

    fn field(&self, entry: &MapEntry) -> DocumentSymbol {
        let (key, value) = (self.sources.range(entry.key_span), self.sources.range(entry.value.span));
        let detail: String =
            entry.value.as_scalar().map(|scalar| scalar.text.chars().take(60).collect()).unwrap_or_default();
        let whole = key.start..value.end.max(key.end);
        self.symbol(&entry.key, &detail, SymbolKind::PROPERTY, whole, key)
    }

    fn step(&self, step: &Node) -> DocumentSymbol {
        let name = step.get("step").and_then(Node::as_string).unwrap_or_default();
        let skill = step.get("skill").and_then(Node::as_string).unwrap_or_default();
        let whole = self.sources.range(step.span);
        let part = step.get("step").map_or(whole.start..whole.start, |node| self.sources.range(node.span));
        self.symbol(name, skill, SymbolKind::FUNCTION, whole, part)
    }
}

/// The largest number of symbols in an answer.
const MAX_SYMBOLS: usize = 500;

/// Returns the skills and the steps whose names contain the letters of a query, in order.
pub(crate) fn of_workspace(workspace: &Workspace, query: &str) -> Vec<WorkspaceSymbol> {
    let mut found = Vec::new();
    let mut texts = Texts::new(workspace.client.encoding);
    for root in workspace.roots.values() {
        for skill in root.skills() {
            // Computing a position reads the text before it, so only the first symbols are converted.
            if found.len() >= MAX_SYMBOLS {
                break;
            }
            if has_letters(&skill.name, query) {
                let kind = if skill.manifest.is_some() { SymbolKind::FUNCTION } else { SymbolKind::MODULE };
                let place = location_in(root, skill.place, &mut texts);
                found.push(workspace_symbol(&skill.name, kind, None, place));
            }
            let steps = schema::steps(skill).iter().filter(|_| !skill.is_drafted);
            for step in steps.filter_map(|step| step.get("step")) {
                if let Some(name) = step.as_string().filter(|name| has_letters(name, query)) {
                    let place = location_in(root, step.span, &mut texts);
                    found.push(workspace_symbol(name, SymbolKind::FUNCTION, Some(&skill.name), place));
                }
            }
        }
    }
    found.truncate(MAX_SYMBOLS);
    found
}

/// Returns `true` if a name contains the letters of a query, in order.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

fn workspace_symbol(
    name: &str,
    kind: SymbolKind,
    container: Option<&str>,
    location: Location,
) -> WorkspaceSymbol {
    WorkspaceSymbol {
        name: name.to_owned(),
        kind,
        tags: None,
        container_name: container.map(str::to_owned),
        location: OneOf::Left(location),
        data: None,
    }
}
