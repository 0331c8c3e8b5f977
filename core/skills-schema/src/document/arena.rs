//! The values of JSON trees, numbered in text order.

use super::Document;
use crate::json::{Kind, Member, Node};
use crate::tables::saturate;
use skills_text::sort;
use std::ops::Range;

/// A value and the facts about it.
#[derive(Debug, Clone)]
pub(crate) struct ArenaEntry {
    /// The byte range in the source's text.
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
    /// The keys of a large object, sorted by name. Equal keys are in text order.
    pub(super) by_name: Vec<u32>,
    /// The number after the last value inside this one.
    pub(super) end: u32,
    /// The index of the source that contains it.
    pub(crate) source: u32,
    /// The resource it belongs to, which determines its draft and the base of its references.
    pub(crate) resource: u32,
    /// Whether a keyword makes it a schema.
    pub(super) is_schema: bool,
    /// The target of the value, if it is a reference.
    pub(crate) lead: Lead,
}

/// The target of a reference.
#[derive(Debug, Clone)]
pub(crate) enum Lead {
    /// The value is not a reference.
    None,
    /// A schema. `anchor` is the dynamic anchor that the reference names.
    Found { at: u32, anchor: Option<Box<str>> },
    /// A known document, but no value in it.
    Nowhere,
    /// A document that is not known.
    Remote(Box<str>),
}

/// A JSON value whose children are numbers, which are read through [`Part`](super::Part).
pub type Value = Kind<u32>;

/// A member of an object.
pub(super) type Key = Member<u32>;

impl Document {
    /// Adds a tree and returns the number of its root.
    pub(super) fn take(&mut self, node: Node, source: usize) -> u32 {
        let at = saturate(self.entries.len());
        self.entries.push(ArenaEntry {
            span: node.span,
            value: Value::Null,
            by_name: Vec::new(),
            end: at,
            source: saturate(source),
            resource: 0,
            is_schema: false,
            lead: Lead::None,
        });
        let value = node.kind.map(&mut |node| self.take(node, source));
        let end = saturate(self.entries.len());
        let entry = &mut self.entries[at as usize];
        entry.by_name = by_name(&value);
        (entry.value, entry.end) = (value, end);
        at
    }
}

/// Objects with at most this many keys are searched linearly.
const LINEAR_SEARCH_MAX: usize = 16;

fn by_name(value: &Value) -> Vec<u32> {
    let Value::Object(keys) = value else { return Vec::new() };
    if keys.len() <= LINEAR_SEARCH_MAX {
        return Vec::new();
    }
    let mut places: Vec<u32> = (0..u32::try_from(keys.len()).unwrap_or(u32::MAX)).collect();
    sort(&mut places, &|a, b| keys[*a as usize].key.cmp(&keys[*b as usize].key).then(a.cmp(b)));
    places
}
