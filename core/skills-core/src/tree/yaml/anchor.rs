//! Stores anchors, and limits the expansion of their aliases. Used by `build`.

use super::event::DEPTH;
use crate::tree::{Node, Value};

/// The maximum number of values from the aliases of one frontmatter.
const VALUES: usize = 10_000;

/// The maximum size in bytes of text from the aliases of one frontmatter.
const BYTES: usize = 1024 * 1024;

/// The anchored values of a document.
#[derive(Default)]
pub(super) struct Anchors {
    /// The anchors by number; the parser counts them from 1.
    known: Vec<Anchor>,
    total: Size,
}

enum Anchor {
    Open,
    Closed { node: Node, size: Size },
    Huge,
}

#[derive(Clone, Copy, Default)]
struct Size {
    values: usize,
    bytes: usize,
    depth: usize,
}

impl Size {
    /// Adds the size of a value inside.
    fn add(&mut self, inner: Self) {
        self.values += inner.values;
        self.bytes += inner.bytes;
        self.depth = self.depth.max(inner.depth + 1);
    }

    fn fits(self) -> bool {
        self.values <= VALUES && self.bytes <= BYTES && self.depth <= DEPTH
    }
}

/// The reason why an alias is not expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is inside the value it names.
    Recursive,
    /// All aliases together exceed a limit.
    TooMuch,
}

impl Anchors {
    /// Records the start of an anchored list or map; 0 means no anchor.
    pub(super) fn open(&mut self, id: usize) {
        self.store(id, Anchor::Open);
    }

    /// Records the value of an anchor.
    pub(super) fn close(&mut self, id: usize, node: &Node) {
        if id != 0 {
            let size = measure(node);
            let anchor = if size.fits() { Anchor::Closed { node: node.clone(), size } } else { Anchor::Huge };
            self.store(id, anchor);
        }
    }

    fn store(&mut self, id: usize, anchor: Anchor) {
        while self.known.len() <= id {
            self.known.push(Anchor::Open);
        }
        self.known[id] = anchor;
    }

    /// Returns a copy of the value of an anchor.
    pub(super) fn expand(&mut self, id: usize) -> Result<Node, Refusal> {
        let (node, size) = match self.known.get(id) {
            Some(Anchor::Closed { node, size }) => (node, *size),
            Some(Anchor::Huge) => return Err(Refusal::TooMuch),
            Some(Anchor::Open) | None => return Err(Refusal::Recursive),
        };
        let total =
            Size { values: self.total.values + size.values, bytes: self.total.bytes + size.bytes, ..size };
        if !total.fits() {
            return Err(Refusal::TooMuch);
        }
        self.total = total;
        Ok(node.clone())
    }
}

fn measure(node: &Node) -> Size {
    let mut size = Size { values: 1, bytes: 0, depth: 1 };
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| size.add(measure(item))),
        Value::Map(entries) => {
            for entry in entries {
                size.bytes += entry.key.len();
                size.add(measure(&entry.value));
            }
        }
        Value::Scalar(scalar) => size.bytes = scalar.text.len(),
    }
    size
}
