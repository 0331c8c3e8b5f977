//! The values of JSON trees, each with a number, in the order of the text.

use super::Document;
use crate::json::{Kind, Member, Node};
use skills_registry::sort;
use std::ops::Range;

/// A value and what is known of it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Bytes of the source's text.
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
    /// The places of the keys of an object that has many, by name; of equal ones the last comes last.
    pub(super) by_name: Vec<u32>,
    /// The number behind the last value inside this one.
    pub(super) end: u32,
    /// The text it stands in.
    pub(crate) source: u32,
    /// The resource it belongs to, by which its draft and its references go.
    pub(crate) resource: u32,
    /// Whether a keyword says that it is a schema.
    pub(super) is_schema: bool,
    /// Where it leads as a reference.
    pub(crate) lead: Lead,
}

/// Where a reference leads.
#[derive(Debug, Clone)]
pub(crate) enum Lead {
    /// It is no reference.
    None,
    /// To a schema; `anchor` is the dynamic anchor that it names.
    Found { at: u32, anchor: Option<Box<str>> },
    /// Into a document that is at hand, but to nothing in it.
    Nowhere,
    /// To a document that is not at hand.
    Remote(Box<str>),
}

/// What a value is, with the numbers of the values inside, which are read through [`Part`](super::Part).
pub type Value = Kind<u32>;

/// A member of an object.
pub(super) type Key = Member<u32>;

impl Document {
    /// Takes a tree over, and returns the number of its root.
    pub(super) fn take(&mut self, node: Node, source: usize) -> u32 {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let at = number(self.entries.len());
        self.entries.push(Entry {
            span: node.span,
            value: Value::Null,
            by_name: Vec::new(),
            end: at,
            source: number(source),
            resource: 0,
            is_schema: false,
            lead: Lead::None,
        });
        let value = node.kind.map(&mut |node| self.take(node, source));
        let end = number(self.entries.len());
        let entry = &mut self.entries[at as usize];
        entry.by_name = by_name(&value);
        (entry.value, entry.end) = (value, end);
        at
    }
}

/// How many keys of an object are looked through one by one.
const FEW: usize = 16;

fn by_name(value: &Value) -> Vec<u32> {
    let Value::Object(keys) = value else { return Vec::new() };
    if keys.len() <= FEW {
        return Vec::new();
    }
    let mut places: Vec<u32> = (0..u32::try_from(keys.len()).unwrap_or(u32::MAX)).collect();
    sort(&mut places, &|a, b| keys[*a as usize].key.cmp(&keys[*b as usize].key).then(a.cmp(b)));
    places
}
