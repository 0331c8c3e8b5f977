//! Checks `enum` and `const`.

use super::check::Run;
use super::source::Cursor;
use super::{equal, found};
use crate::json::reader::Reader;
use crate::pointer::Path;
use crate::tables::{choice, node};
use crate::tape::Tape;

const RULES: [(usize, &str); 2] = [(node::ENUM as usize, "enum"), (node::CONST as usize, "const")];

impl Run<'_> {
    /// Returns `true` if the node has `enum` or `const`.
    #[inline]
    pub(super) fn chooses(node: &node::Words) -> bool {
        node[node::ENUM as usize] | node[node::CONST as usize] != 0
    }

    /// Checks that a scalar is one of the values of `enum` and `const`. `tag` is its kind in the tables.
    #[inline]
    pub(super) fn chosen(&mut self, node: &node::Words, path: &Path<'_>, tag: u32, text: &str) -> bool {
        !Self::chooses(node) || self.among(node, path, tag, text)
    }

    #[inline(never)]
    fn among(&mut self, node: &node::Words, path: &Path<'_>, tag: u32, text: &str) -> bool {
        self.each_choice(node, path, &|run, block| run.holds(block, tag, text), &|| found::fixed(tag, text))
    }

    /// Checks `enum` and `const` if they are present: `fits` decides for each block, and `found` describes
    /// the value.
    fn each_choice(
        &mut self,
        node: &node::Words,
        path: &Path<'_>,
        fits: &dyn Fn(&Self, u32) -> bool,
        found: &dyn Fn() -> String,
    ) -> bool {
        let mut all = true;
        for (place, rule) in RULES {
            let block = node[place];
            if block != 0 && !fits(self, block) {
                all = self.broken(path, rule, found::choices(self.tables, &[block]), found());
            }
        }
        all
    }

    pub(super) fn holds(&self, block: u32, tag: u32, text: &str) -> bool {
        found::entries(self.tables, block).any(|entry| {
            self.tables.word(entry) == tag
                && match tag {
                    choice::STRING => {
                        self.tables.is(self.tables.word(entry + 1), self.tables.word(entry + 2), text)
                    }
                    choice::NUMBER => equal::numbers(self.tables.text_at(entry + 1), text),
                    _ => true,
                }
        })
    }

    /// Returns `true` if an array or object can be one of the fixed values. [`Run::fixed`] then decides.
    #[inline]
    pub(super) fn container(&mut self, node: &node::Words, found: &str, path: &Path<'_>) -> bool {
        let fits = |run: &Self, block| run.tables.word(block + choice::CONTAINERS) != 0;
        !Self::chooses(node) || self.each_choice(node, path, &fits, &|| found.to_owned())
    }

    /// Checks that an array or object on a tape is one of the values of `enum` and `const`.
    pub(super) fn fixed(&mut self, value: Cursor<'_>, node: &node::Words, path: &Path<'_>) -> bool {
        let fits = |run: &Self, block| {
            run.tables.word(block + choice::CONTAINERS) == 0
                || found::entries(run.tables, block).any(|entry| run.is_container(entry, value))
        };
        self.each_choice(node, path, &fits, &|| found::value(value))
    }

    /// Returns `true` if a value equals the array or object at `entry`.
    fn is_container(&self, entry: u32, value: Cursor<'_>) -> bool {
        let text = self.tables.text_at(entry + 1);
        let mut tape = Tape::over(text);
        // The text was written from a tree, so it is valid JSON.
        self.tables.word(entry) == choice::CONTAINER
            && tape.read(&mut Reader::new(text)).is_ok()
            && equal::values(Cursor::new(&tape), value)
    }
}
