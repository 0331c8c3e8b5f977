//! The YAML of a frontmatter becomes a [`Node`], mended where SPEC 2.4 allows it. The splitter calls it.
//!
//! What this YAML is, where YAML 1.2 leaves room (SPEC 2.3): one document without directives; the core schema,
//! so `yes` is a string; the core tags and no others; anchors and aliases, up to 10,000 expanded values; a plain
//! key `<<` whose value is a map, or a list of maps, merges them (what the map says itself wins), and is an
//! ordinary key otherwise; keys are scalars, compared by their text.

mod anchor;
mod build;
mod escape;
mod event;
mod fault;
mod line;
mod mend;
mod merge;
mod objection;
mod scalar;
mod text;

use std::cell::Cell;
use std::ops::Range;

use granit_parser::Event;
use skills_registry::push_yaml_quoted;

use self::build::build;
use self::event::Scan;
use self::text::Text;
use crate::edit::{Change, Fix};
use crate::report::Report;
use crate::rule::frontmatter as rule;
use crate::span::SourceFile;
use crate::tree::Node;

/// Parses a block of a file; tells with the map whether it is all that the text says (SPEC 2.3, 2.4).
///
/// One fault spoils one field: the others are in the map, and every fault is reported.
pub(crate) fn parse(source: &SourceFile, block: Range<usize>, report: &mut Report) -> (Node, bool) {
    let written = source.text[block.clone()].to_owned();
    let mut text = Text { source, base: block.start, text: written, mask: None, blanks: Cell::default() };
    text.blank_controls(report);
    let scan = event::scan(&text.text);
    if !needs_mending(&scan) {
        return tree(&text, &block, &scan, true, report);
    }
    let sound = mend::mend(&mut text, report);
    tree(&text, &block, &event::scan(&text.text), sound, report)
}

/// Makes the tree of a text that was mended as far as it can be.
fn tree(
    text: &Text<'_>,
    block: &Range<usize>,
    scan: &Scan<'_>,
    sound: bool,
    report: &mut Report,
) -> (Node, bool) {
    let source = text.source;
    if let Some(fault) = &scan.fault {
        report.push(fault::describe(text, 0..text.text.len(), fault));
        return (empty(source, block), false);
    }
    let built = build(text, &scan.events);
    report.diagnostics.extend(built.diagnostics);
    match built.root {
        None => (empty(source, block), sound),
        Some(root) if root.as_map().is_some() => (root, sound && !built.lossy),
        Some(root) => {
            rule::FRONTMATTER_NOT_MAP
                .at(root.span, format!("the frontmatter is {}, not a map", root.describe()))
                .label("expected `key: value`")
                .help("type fields, one a line: `key: value`")
                .fix(described(&root))
                .add_to(report);
            (empty(source, block), false)
        }
    }
}

/// Makes a frontmatter that is one line of text a description.
fn described(root: &Node) -> Option<Fix> {
    let text = root.as_scalar().map(|scalar| scalar.text.as_str()).filter(|text| !text.contains('\n'))?;
    Some(Change::replace(root.span, format!("description: {}", quote(text))).looked_at())
}

/// A text with a syntax fault is mended piece by piece; so is one that is all one scalar, as `name:pdf` is.
fn needs_mending(scan: &Scan<'_>) -> bool {
    let mut nodes = scan.events.iter().filter(|item| item.event.is_node());
    let scalar = match nodes.next().map(|item| &item.event) {
        Some(Event::Scalar(text, ..)) => text.contains([':', '=']),
        _ => false,
    };
    scan.fault.is_some() || (scalar && nodes.next().is_none())
}

fn empty(source: &SourceFile, block: &Range<usize>) -> Node {
    Node::empty(source.span(block.start..block.start))
}

/// Writes a value in double quotes.
fn quote(value: &str) -> String {
    let mut quoted = String::new();
    push_yaml_quoted(&mut quoted, value);
    quoted
}

/// Writes a name on one line, whatever it holds.
fn shown(name: &str) -> String {
    name.chars().fold(String::new(), |mut shown, c| {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
        shown
    })
}
