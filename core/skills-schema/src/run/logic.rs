//! Checks references and the keywords that combine schemas.

use super::check::{CheckRun, Marks, Verdict};
use super::source::Cursor;
use crate::pointer::Path;
use crate::tables::{header, logic};

impl CheckRun<'_> {
    pub(super) fn logic(
        &mut self,
        value: Cursor<'_>,
        block: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Verdict {
        let tables = self.tables;
        let mut fits = true;
        let reference = tables.word(block + logic::REF);
        let dynamic = self.target(block);
        let all = tables.list(tables.word(block + logic::ALL));
        for node in [reference, dynamic].iter().chain(all).copied().filter(|node| *node != 0) {
            self.via = if node == reference { "$ref" } else { "allOf" };
            fits &= self.check(&mut value.clone(), node, path, marks.as_deref_mut())?;
            if self.quiet && !fits {
                return Ok(false);
            }
        }
        let any = tables.word(block + logic::ANY);
        if any != 0 {
            fits &= self.any(value, any, path, marks.as_deref_mut())?;
        }
        let one = tables.word(block + logic::ONE);
        if one != 0 {
            fits &= self.check_one_of(value, one, path, marks.as_deref_mut())?;
        }
        let not = tables.word(block + logic::NOT);
        if not != 0 && self.quietly(value, not, path, None)? {
            let found = self.shown(value);
            fits = self.broken(path, "not", "a value that the schema of `not` refuses", found);
        }
        let condition = tables.word(block + logic::IF);
        if condition != 0 {
            let (then, otherwise) = (tables.word(block + logic::THEN), tables.word(block + logic::ELSE));
            let (node, via) = if self.quietly(value, condition, path, marks.as_deref_mut())? {
                (then, "then")
            } else {
                (otherwise, "else")
            };
            self.via = via;
            fits &= self.check(&mut value.clone(), node, path, marks)?;
        }
        Ok(fits)
    }

    /// Returns the target of a dynamic reference: the outermost resource in scope that has the anchor.
    pub(super) fn target(&self, block: u32) -> u32 {
        let tables = self.tables;
        let fallback = tables.word(block + logic::DYNAMIC);
        let len = tables.word(block + logic::NAME_LEN);
        if fallback == 0 || len == 0 {
            return fallback;
        }
        let from = tables.word(block + logic::NAME) as usize;
        let name = tables.text.get(from..from + len as usize - 1);
        let list = tables.word(header::ANCHORS);
        let count = if list == 0 { 0 } else { tables.word(list) / 4 };
        for resource in &self.scope {
            for entry in (0..count).map(|i| list + 1 + i * 4) {
                if tables.word(entry) == *resource && Some(tables.text_at(entry + 1)) == name {
                    return tables.word(entry + 3);
                }
            }
        }
        fallback
    }

    fn any(&mut self, value: Cursor<'_>, list: u32, path: &Path<'_>, mut marks: Marks<'_>) -> Verdict {
        let mut fits = false;
        for &node in self.tables.list(list) {
            fits |= self.quietly(value, node, path, marks.as_deref_mut())?;
            if fits && marks.is_none() {
                return Ok(true);
            }
        }
        if fits { Ok(true) } else { self.none(value, list, "anyOf", path) }
    }

    fn check_one_of(
        &mut self,
        value: Cursor<'_>,
        list: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Verdict {
        let mut fitting = Vec::new();
        for (i, &node) in self.tables.list(list).iter().enumerate() {
            if self.quietly(value, node, path, marks.as_deref_mut())? {
                fitting.push(i.to_string());
            }
        }
        match fitting.len() {
            0 => self.none(value, list, "oneOf", path),
            1 => Ok(true),
            _ => {
                let found = format!("schemas {} that do", fitting.join(", "));
                Ok(self.broken(path, "oneOf", "exactly one schema to fit", found))
            }
        }
    }
}
