//! `enum` and `const`.

use super::check::{Fault, Run};
use super::source::Cursor;
use super::{equal, found};
use crate::json::reader::Reader;
use crate::pointer::Path;
use crate::tables::{choice, node};
use crate::tape::Tape;

const RULES: [(u32, &str); 2] = [(node::ENUM, "enum"), (node::CONST, "const")];

impl Run<'_> {
    /// Whether a scalar is among the values of `enum` and `const`; `tag` is its kind there.
    #[inline]
    pub(super) fn chosen(&mut self, node: u32, path: &Path<'_>, tag: u32, text: &str) -> bool {
        self.tables.word(node + node::ENUM) | self.tables.word(node + node::CONST) == 0
            || self.among(node, path, tag, text)
    }

    fn among(&mut self, node: u32, path: &Path<'_>, tag: u32, text: &str) -> bool {
        let mut fits = true;
        for (place, rule) in RULES {
            let block = self.tables.word(node + place);
            if block != 0 && !self.holds(block, tag, text) {
                let found = match tag {
                    choice::STRING => found::string(text),
                    choice::NUMBER => found::number(text),
                    choice::TRUE => "true".to_owned(),
                    choice::FALSE => "false".to_owned(),
                    _ => "null".to_owned(),
                };
                fits = self.broken(path, rule, found::choices(self.tables, block), found);
            }
        }
        fits
    }

    fn holds(&self, block: u32, tag: u32, text: &str) -> bool {
        (0..self.tables.word(block + choice::COUNT)).any(|i| {
            let entry = block + choice::FIRST + i * choice::STRIDE;
            self.tables.word(entry) == tag
                && match tag {
                    choice::STRING => self.tables.is(entry + 1, text),
                    choice::NUMBER => equal::numbers(self.tables.text_at(entry + 1), text),
                    _ => true,
                }
        })
    }

    /// Whether an array or object can be a fixed value at all; where it can, [`Run::fixed`] decides.
    #[inline]
    pub(super) fn container(&mut self, node: u32, found: &str, path: &Path<'_>) -> bool {
        self.tables.word(node + node::ENUM) | self.tables.word(node + node::CONST) == 0
            || self.possible(node, found, path)
    }

    fn possible(&mut self, node: u32, found: &str, path: &Path<'_>) -> bool {
        let mut fits = true;
        for (place, rule) in RULES {
            let block = self.tables.word(node + place);
            if block != 0 && self.tables.word(block + choice::CONTAINERS) == 0 {
                fits = self.broken(path, rule, found::choices(self.tables, block), found);
            }
        }
        fits
    }

    /// Whether an array or object on a tape is among the values of `enum` and `const`.
    pub(super) fn fixed(&mut self, value: Cursor<'_>, node: u32, path: &Path<'_>) -> Result<bool, Fault> {
        let mut fits = true;
        for (place, rule) in RULES {
            let block = self.tables.word(node + place);
            if block == 0 || self.tables.word(block + choice::CONTAINERS) == 0 {
                continue;
            }
            let mut found = false;
            for i in 0..self.tables.word(block + choice::COUNT) {
                let entry = block + choice::FIRST + i * choice::STRIDE;
                if self.tables.word(entry) == choice::CONTAINER {
                    let text = self.tables.text_at(entry + 1);
                    let mut tape = Tape::over(text);
                    // The text was written from a tree, so it is JSON.
                    found |=
                        tape.read(&mut Reader::new(text)).is_ok() && equal::values(Cursor::new(&tape), value);
                }
            }
            if !found {
                fits = self.broken(path, rule, found::choices(self.tables, block), found::value(value));
            }
        }
        Ok(fits)
    }
}
