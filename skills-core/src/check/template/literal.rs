//! Values without templates, run through the tables of the schema that judges them (SPEC 5.5).

use std::cell::RefCell;
use std::collections::HashMap;

use skills_schema::lower::{Formats, Options, lower};
use skills_schema::{Tables, Violation, validate_str};

use super::schema::{Schema, follow};
use crate::span::{SourceMap, Span};
use crate::tree::text::quote;
use crate::tree::{Entry, Node, Value};

/// Judges values without templates; keeps the tables that it has made.
pub(super) struct Literals<'l> {
    pub(super) sources: &'l SourceMap,
    formats: Formats,
    tables: RefCell<HashMap<Span, Option<Tables>>>,
}

impl<'l> Literals<'l> {
    pub(super) fn new(sources: &'l SourceMap, formats: Formats) -> Self {
        Self { sources, formats, tables: RefCell::default() }
    }

    /// Returns the rules that a value breaks, each with its place; none when the schema cannot be read by itself.
    pub(super) fn violations(&self, node: &Node, schema: Schema<'_>) -> Vec<(Span, Violation)> {
        let mut tables = self.tables.borrow_mut();
        let Some(tables) = tables.entry(schema.node.span).or_insert_with(|| self.lower(schema)) else {
            return Vec::new();
        };
        let found = validate_str(tables, self.sources.text(node.span));
        let violations = found.as_ref().map_or_else(|invalid| invalid.violations(), |()| &[]);
        let place = |violation: &Violation| {
            let inside = follow(node, &violation.pointer, &|_| true).unwrap_or(node);
            if inside.as_scalar().is_some() { inside.span } else { inside.span.head() }
        };
        violations.iter().map(|violation| (place(violation), violation.clone())).collect()
    }

    /// Lowers a part of a schema: a reference into the whole, so that its own references lead where they did.
    fn lower(&self, schema: Schema<'_>) -> Option<Tables> {
        const WHOLE: &str = "skill:/whole";
        let mut pointer = String::new();
        if !find(schema.root, schema.node, &mut pointer) {
            return None;
        }
        let dialect = match schema.root.get("$schema").and_then(Node::as_string) {
            Some(dialect) => format!("\"$schema\":{},", quote(dialect)),
            None => String::new(),
        };
        let text = format!("{{{dialect}\"$ref\":{}}}", quote(&format!("{WHOLE}#{pointer}")));
        let documents = [(WHOLE, self.sources.text(schema.root.span))];
        let options = Options { formats: self.formats, uri: "skill:/part", documents: &documents };
        let lowered = lower(&text, &options);
        (!lowered.has_errors()).then_some(lowered.tables)
    }
}

/// Finds the JSON pointer to a node, spelt for a reference.
fn find(root: &Node, target: &Node, pointer: &mut String) -> bool {
    if std::ptr::eq(root, target) {
        return true;
    }
    let holds = |node: &Node| node.span.start <= target.span.start && target.span.end <= node.span.end;
    let length = pointer.len();
    let mut enter = |key: &str, node: &Node| {
        pointer.push('/');
        for byte in key.replace('~', "~0").replace('/', "~1").bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'$' => {
                    pointer.push(char::from(byte));
                }
                other => pointer.push_str(&format!("%{other:02X}")),
            }
        }
        let found = find(node, target, pointer);
        if !found {
            pointer.truncate(length);
        }
        found
    };
    match &root.value {
        Value::Map(entries) => {
            let mut inside = entries.iter().filter(|entry| holds(&entry.value));
            inside.any(|Entry { key, value, .. }| enter(key, value))
        }
        Value::List(items) => {
            let mut inside = items.iter().enumerate().filter(|(_, item)| holds(item));
            inside.any(|(place, item)| enter(&place.to_string(), item))
        }
        Value::Scalar(_) => false,
    }
}
