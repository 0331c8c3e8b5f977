//! Checks `enum` and `const`.

use super::check::{CheckRun, SchemaFault, Verdict, per_step};
use super::source::Cursor;
use super::{equal, found};
use crate::json::reader::JsonReader;
use crate::pointer::Path;
use crate::tables::{choice, node};
use crate::tape::Tape;
use std::cmp::Ordering;

const RULES: [(usize, &str); 2] = [(node::ENUM as usize, "enum"), (node::CONST as usize, "const")];

/// Compares two values of a block: first by kind, then numbers by value and containers by contents.
pub(crate) fn compare(a: (u32, &str), b: (u32, &str)) -> Ordering {
    a.0.cmp(&b.0).then_with(|| match a.0 {
        choice::NUMBER => equal::numbers(a.1, b.1),
        choice::CONTAINER => equal::values(Cursor::new(&container(a.1)), Cursor::new(&container(b.1))),
        _ => a.1.cmp(b.1),
    })
}

/// Reads an array or object of a block.
fn container(text: &str) -> Tape<'_> {
    let mut tape = Tape::over(text);
    // The text was written from a tree, so it is JSON.
    let _: Result<(), crate::json::Error> = tape.read(&mut JsonReader::new(text));
    tape
}

impl CheckRun<'_> {
    /// Returns `true` if the node has `enum` or `const`.
    #[inline]
    pub(super) fn chooses(node: &node::Words) -> bool {
        node[node::ENUM as usize] | node[node::CONST as usize] != 0
    }

    /// Checks that a scalar is one of the values of `enum` and `const`. `tag` is its kind in the tables.
    #[inline]
    pub(super) fn chosen(&mut self, node: &node::Words, path: &Path<'_>, tag: u32, text: &str) -> Verdict {
        if Self::chooses(node) { self.among(node, path, tag, text) } else { Ok(true) }
    }

    #[inline(never)]
    fn among(&mut self, node: &node::Words, path: &Path<'_>, tag: u32, text: &str) -> Verdict {
        self.each_choice(node, path, &|run, block| run.holds(block, tag, text, path), &|| {
            found::fixed(tag, text)
        })
    }

    /// Checks `enum` and `const` if they are present: `fits` decides for each block, and `found` describes
    /// the value.
    fn each_choice(
        &mut self,
        node: &node::Words,
        path: &Path<'_>,
        fits: &dyn Fn(&mut Self, u32) -> Verdict,
        found: &dyn Fn() -> String,
    ) -> Verdict {
        let mut all = true;
        for (place, rule) in RULES {
            let block = node[place];
            if block == 0 || fits(self, block)? {
                continue;
            }
            if self.quiet {
                return Ok(false);
            }
            all = self.broken(path, rule, found::choices(self.tables, &[block]), found());
        }
        Ok(all)
    }

    /// Returns `true` if a scalar is one of the values of a block.
    pub(super) fn holds(&mut self, block: u32, tag: u32, text: &str, path: &Path<'_>) -> Verdict {
        let tables = self.tables;
        let cost = text.len() / per_step::BYTES;
        self.has(block, path, &mut |entry| {
            (compare((tables.word(entry), tables.text_at(entry + 1)), (tag, text)), cost)
        })
    }

    /// Finds a value in a block, by binary search if the block has many values. `compared` compares a value
    /// of the block with the value to find, and returns the number of steps beyond the first.
    fn has(
        &mut self,
        block: u32,
        path: &Path<'_>,
        compared: &mut dyn FnMut(u32) -> (Ordering, usize),
    ) -> Result<bool, SchemaFault> {
        let tables = self.tables;
        let sorted = tables.word(block + choice::SORTED);
        let (mut low, mut high) = (0, tables.word(block + choice::COUNT));
        while low < high {
            let middle = if sorted == 0 { low } else { low + (high - low) / 2 };
            let number = if sorted == 0 { middle } else { tables.word(sorted + middle) };
            let (order, cost) = compared(block + choice::FIRST + number * choice::STRIDE);
            self.spend(1 + cost, path)?;
            match order {
                Ordering::Equal => return Ok(true),
                Ordering::Greater if sorted != 0 => high = middle,
                _ => low = middle + 1,
            }
        }
        Ok(false)
    }

    /// Returns `true` if `enum` and `const` contain arrays or objects, so that [`CheckRun::fixed`] must compare
    /// the value.
    #[inline]
    pub(super) fn container(&mut self, node: &node::Words, found: &str, path: &Path<'_>) -> Verdict {
        if !Self::chooses(node) {
            return Ok(true);
        }
        self.each_choice(
            node,
            path,
            &|run, block| Ok(run.tables.word(block + choice::CONTAINERS) != 0),
            &|| found.to_owned(),
        )
    }

    /// Returns `true` if an array or object on a tape is one of the values of `enum` and `const`.
    pub(super) fn fixed(&mut self, value: Cursor<'_>, node: &node::Words, path: &Path<'_>) -> Verdict {
        self.each_choice(node, path, &|run, block| run.has_container(block, value, path), &|| {
            found::value(value)
        })
    }

    /// Returns `true` if an array or object is one of the values of a block, or if the block has none of its kind.
    fn has_container(&mut self, block: u32, value: Cursor<'_>, path: &Path<'_>) -> Verdict {
        let tables = self.tables;
        if tables.word(block + choice::CONTAINERS) == 0 {
            return Ok(true);
        }
        self.has(block, path, &mut |entry| {
            let (tag, text) = (tables.word(entry), tables.text_at(entry + 1));
            if tag != choice::CONTAINER {
                return (tag.cmp(&choice::CONTAINER), 0);
            }
            let cost = text.len() / per_step::BYTES + value.size() / per_step::VALUES;
            (equal::values(Cursor::new(&container(text)), value), cost)
        })
    }
}
