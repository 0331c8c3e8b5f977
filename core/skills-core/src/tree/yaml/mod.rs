//! Parses the YAML of a frontmatter into a [`Node`], and repairs some faults.
//!
//! Where YAML 1.2 leaves a choice, these rules apply: one document without directives; the core schema, so
//! `yes` is a string; only the core tags; anchors and aliases, up to 10,000 expanded values; a plain key `<<`
//! whose value is a map, or a list of maps, merges them (keys of the map itself have precedence), and is an
//! ordinary key otherwise; keys are scalars, compared by their text.

mod anchor;
mod build;
mod event;
mod fault;
mod line;
mod objection;
mod repair;
mod scalar;
mod text;

use std::ops::Range;

use granit_parser::Event;

use self::build::build;
use self::event::Scan;
use self::text::{YamlText, quote};
use crate::rule::frontmatter as rule;
use crate::tree::Node;
use crate::{Change, Report, SourceFile};

/// Parses a block of a file; returns the map, and whether it is complete.
///
/// A fault affects only one field: the others are in the map, and every fault is reported.
pub(crate) fn parse(source: &SourceFile, block: Range<usize>, report: &mut Report) -> (Node, bool) {
    let mut text = YamlText::new(source, block);
    text.blank_controls(report);
    let scan = event::scan(&text.text);
    if !needs_repair(&scan) {
        return tree(&text, &scan, true, report);
    }
    let sound = repair::repair(&mut text, report);
    tree(&text, &event::scan(&text.text), sound, report)
}

/// Parses a block that may hold any value; `None` if it is empty or has a fault, which is reported.
pub(crate) fn parse_value(source: &SourceFile, block: Range<usize>, report: &mut Report) -> Option<Node> {
    let text = YamlText::new(source, block);
    let scan = event::scan(&text.text);
    if let Some(fault) = &scan.fault {
        report.push(fault::describe(&text, 0..text.text.len(), fault));
        return None;
    }
    let (root, is_lossy) = build(&text, &scan.events, report);
    root.filter(|_| !is_lossy)
}

/// Builds the tree of a text that was repaired as far as possible.
fn tree(text: &YamlText<'_>, scan: &Scan<'_>, sound: bool, report: &mut Report) -> (Node, bool) {
    if let Some(fault) = &scan.fault {
        report.push(fault::describe(text, 0..text.text.len(), fault));
        return (empty(text), false);
    }
    let (root, is_lossy) = build(text, &scan.events, report);
    match root {
        None => (empty(text), sound),
        Some(root) if root.as_map().is_some() => (root, sound && !is_lossy),
        Some(root) => {
            // A single line of text was probably meant as the description.
            let line = root.as_scalar().map(|scalar| &scalar.text).filter(|text| !text.contains('\n'));
            let fix = line.map(|text| Change::replace(root.span, format!("description: {}", quote(text))));
            rule::FRONTMATTER_NOT_MAP
                .report_at(root.span, format!("the frontmatter is {}, not a map", root.describe()))
                .label("expected `key: value`")
                .help("write one field per line: `key: value`")
                .fix(fix.map(Change::unsafe_fix))
                .add_to(report);
            (empty(text), false)
        }
    }
}

/// Returns `true` if a text has a syntax error, or is a single scalar, such as `name:pdf`.
fn needs_repair(scan: &Scan<'_>) -> bool {
    let mut nodes = scan.events.iter().filter(|item| item.event.is_node());
    let scalar = match nodes.next().map(|item| &item.event) {
        Some(Event::Scalar(text, ..)) => text.contains([':', '=']),
        _ => false,
    };
    scan.fault.is_some() || (scalar && nodes.next().is_none())
}

fn empty(text: &YamlText<'_>) -> Node {
    Node::empty(text.span(0..0))
}
