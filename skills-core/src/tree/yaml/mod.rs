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
    let mut work = Work { source, base: block.start, text: String::new(), mask: None };
    source.text[block.clone()].clone_into(&mut work.text);
    work.blank_controls(report);
    let scan = event::scan(&work.text);
    if !needs_mending(&scan) {
        return tree(&work.as_text(), &block, &scan, true, report);
    }
    let sound = mend::mend(&mut work, report);
    tree(&work.as_text(), &block, &event::scan(&work.text), sound, report)
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

/// A block while it is mended: every byte stays at its offset.
struct Work<'a> {
    source: &'a SourceFile,
    base: usize,
    text: String,
    mask: Option<char>,
}

impl Work<'_> {
    fn as_text(&self) -> Text<'_> {
        Text { source: self.source, base: self.base, text: &self.text, mask: self.mask }
    }

    /// Puts one ASCII character in place of another.
    fn replace(&mut self, at: usize, with: char) {
        self.text.replace_range(at..=at, with.encode_utf8(&mut [0; 4]));
    }

    /// Makes a stretch blank; its lines stay.
    fn blank(&mut self, range: Range<usize>) {
        let blanks =
            self.text[range.clone()].split_inclusive('\n').fold(String::new(), |mut blanks, line| {
                let content = line.strip_suffix('\n').unwrap_or(line);
                blanks.extend(std::iter::repeat_n(' ', content.len()));
                blanks.push_str(&line[content.len()..]);
                blanks
            });
        self.text.replace_range(range, &blanks);
    }

    /// Makes one line of several: a line end within quotes is read as a blank anyway.
    fn join_lines(&mut self, range: Range<usize>) {
        let end = range.start + self.text[range.clone()].trim_end().len();
        let ends: Vec<usize> =
            self.text[range.start..end].match_indices(['\n', '\r']).map(|(at, _)| range.start + at).collect();
        ends.into_iter().for_each(|at| self.replace(at, ' '));
    }

    /// Reports and blanks what YAML would take for a line end or the end of the text, and people do not see.
    fn blank_controls(&mut self, report: &mut Report) {
        // YAML refuses them, and `hidden-unicode` or `decoded-twice` tells them, so they are read as another blank that
        // takes as many bytes.
        if self.text.as_bytes().contains(&0xc2) && self.text.contains(is_control) {
            self.text = self.text.replace(is_control, "\u{a0}");
        }
        if !self.text.contains('\r') && !self.text.contains('\0') {
            return;
        }
        let lone = |text: &str, at: usize| match text.as_bytes()[at] {
            b'\r' => text[at + 1..].bytes().next().is_some_and(|byte| byte != b'\n'),
            _ => true,
        };
        let found: Vec<usize> = self.text.match_indices(['\r', '\0']).map(|(at, _)| at).collect();
        for at in found.into_iter().filter(|at| lone(&self.text, *at)).collect::<Vec<_>>() {
            let cr = self.text.as_bytes()[at] == b'\r';
            let name = if cr { "carriage return" } else { "NUL character" };
            let span = self.as_text().span(at..at + 1);
            rule::FRONTMATTER_CONTROL
                .at(span, format!("a {name} in the frontmatter"))
                .label(if cr { "this ends no line" } else { "read as a blank" })
                .help("delete it, or type a blank or a line break in its place")
                .fix(Change::replace(span, " ").safe())
                .add_to(report);
            self.replace(at, ' ');
        }
    }

    /// Returns a character that may stand inside any plain value and does not occur in the text.
    fn mask(&mut self) -> Option<char> {
        let unused = |mask: &char| !self.text.contains(*mask);
        self.mask = self.mask.or_else(|| "^~$=;<>_+/".chars().chain('A'..='Z').chain('a'..='z').find(unused));
        self.mask
    }
}

/// Tells whether a character is a control of the upper range, but for the line end among them.
fn is_control(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{84}' | '\u{86}'..='\u{9f}')
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
