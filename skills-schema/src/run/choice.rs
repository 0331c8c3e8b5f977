//! `enum` and `const`.

use super::check::{Run, Verdict};
use super::source::Cursor;
use super::{equal, found};
use crate::json::reader::Reader;
use crate::pointer::Path;
use crate::tables::{choice, node};
use crate::tape::Tape;

const RULES: [(usize, &str); 2] = [(node::ENUM as usize, "enum"), (node::CONST as usize, "const")];

impl Run<'_> {
    /// Whether the node has `enum` or `const`.
    #[inline]
    pub(super) fn chooses(node: &node::Words) -> bool {
        node[node::ENUM as usize] | node[node::CONST as usize] != 0
    }

    /// Whether a scalar is among the values of `enum` and `const`; `tag` is its kind there.
    #[inline]
    pub(super) fn chosen(&mut self, node: &node::Words, path: &Path<'_>, tag: u32, text: &str) -> bool {
        !Self::chooses(node) || self.among(node, path, tag, text)
    }

    fn among(&mut self, node: &node::Words, path: &Path<'_>, tag: u32, text: &str) -> bool {
        let mut fits = true;
        for (place, rule) in RULES {
            let block = node[place];
            if block != 0 && !self.holds(block, tag, text) {
                let found = match tag {
                    choice::STRING => found::string(text),
                    choice::NUMBER => found::number(text),
                    choice::TRUE => "true".to_owned(),
                    choice::FALSE => "false".to_owned(),
                    _ => "null".to_owned(),
                };
                fits = self.broken(path, rule, found::choices(self.tables, &[block]), found);
            }
        }
        fits
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

    /// Whether an array or object can be a fixed value at all; where it can, [`Run::fixed`] decides.
    #[inline]
    pub(super) fn container(&mut self, node: &node::Words, found: &str, path: &Path<'_>) -> bool {
        !Self::chooses(node) || self.possible(node, found, path)
    }

    fn possible(&mut self, node: &node::Words, found: &str, path: &Path<'_>) -> bool {
        let mut fits = true;
        for (place, rule) in RULES {
            let block = node[place];
            if block != 0 && self.tables.word(block + choice::CONTAINERS) == 0 {
                fits = self.broken(path, rule, found::choices(self.tables, &[block]), found);
            }
        }
        fits
    }

    /// Whether an array or object on a tape is among the values of `enum` and `const`.
    pub(super) fn fixed(&mut self, value: Cursor<'_>, node: &node::Words, path: &Path<'_>) -> Verdict {
        let mut fits = true;
        for (place, rule) in RULES {
            let block = node[place];
            if block == 0 || self.tables.word(block + choice::CONTAINERS) == 0 {
                continue;
            }
            let mut found = false;
            for entry in found::entries(self.tables, block) {
                if self.tables.word(entry) == choice::CONTAINER {
                    let text = self.tables.text_at(entry + 1);
                    let mut tape = Tape::over(text);
                    // The text was written from a tree, so it is JSON.
                    found |=
                        tape.read(&mut Reader::new(text)).is_ok() && equal::values(Cursor::new(&tape), value);
                }
            }
            if !found {
                fits = self.broken(path, rule, found::choices(self.tables, &[block]), found::value(value));
            }
        }
        Ok(fits)
    }
}
