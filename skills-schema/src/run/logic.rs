//! References and the keywords that combine schemas.

use super::check::{Fault, Marks, Run};
use super::found;
use super::source::{Cursor, Source as _};
use crate::Violation;
use crate::pointer::Path;
use crate::tables::{header, logic, node};

impl Run<'_> {
    pub(super) fn logic(
        &mut self,
        value: Cursor<'_>,
        block: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Result<bool, Fault> {
        let tables = self.tables;
        let mut fits = true;
        let reference = tables.word(block + logic::REF);
        let dynamic = self.target(block);
        let all = tables.list(tables.word(block + logic::ALL));
        for node in [reference, dynamic].into_iter().chain(all).filter(|node| *node != 0) {
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
            fits &= self.one(value, one, path, marks.as_deref_mut())?;
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

    /// Where a dynamic reference leads: to the outermost resource in scope that has the anchor.
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
        let entries = || (0..tables.word(list) / 4).map(|i| list + 1 + i * 4).filter(|_| list != 0);
        let anchor = |resource: &u32| {
            let named = |entry: &u32| Some(tables.text_at(entry + 1)) == name;
            entries()
                .find(|entry| tables.word(*entry) == *resource && named(entry))
                .map(|entry| tables.word(entry + 3))
        };
        self.scope.iter().find_map(anchor).unwrap_or(fallback)
    }

    fn any(
        &mut self,
        value: Cursor<'_>,
        list: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Result<bool, Fault> {
        let mut fits = false;
        for node in self.tables.list(list) {
            fits |= self.quietly(value, node, path, marks.as_deref_mut())?;
            if fits && marks.is_none() {
                return Ok(true);
            }
        }
        if fits { Ok(true) } else { self.none(value, list, "anyOf", path) }
    }

    fn one(
        &mut self,
        value: Cursor<'_>,
        list: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Result<bool, Fault> {
        let mut fitting = Vec::new();
        for (i, node) in self.tables.list(list).enumerate() {
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

    /// Reports that no branch fits: by the rules of the one branch that was meant, where that can be told.
    #[cold]
    fn none(
        &mut self,
        mut value: Cursor<'_>,
        list: u32,
        rule: &'static str,
        path: &Path<'_>,
    ) -> Result<bool, Fault> {
        if self.quiet {
            return Ok(false);
        }
        let kind = value.kind()?;
        let tables = self.tables;
        let mut kinds = 0;
        let mut likely: Vec<Vec<Violation>> = Vec::new();
        let mut candidates = 0;
        for node in tables.list(list) {
            kinds |= tables.word(node + node::KINDS);
            if tables.word(node + node::KINDS) & kind == 0 {
                continue;
            }
            candidates += 1;
            let before = std::mem::take(&mut self.violations);
            let checked = self.check(&mut value.clone(), node, path, None);
            let violations = std::mem::replace(&mut self.violations, before);
            checked?;
            // A fixed value one level down is a tag: a branch whose tag differs was not meant.
            let here = path.pointer();
            let tag = |v: &Violation| {
                let below = v.pointer.strip_prefix(here.as_str()).unwrap_or_default();
                matches!(v.rule, "const" | "enum") && below.matches('/').count() == 1
            };
            if !violations.iter().any(tag) {
                likely.push(violations);
            }
        }
        if candidates > 0 && likely.len() == 1 {
            self.violations.extend(likely.into_iter().flatten());
            return Ok(false);
        }
        let expected = if candidates == 0 {
            found::types(kinds)
        } else {
            format!("a value that fits one of {} schemas", tables.word(list))
        };
        let found = found::value(value);
        Ok(self.broken(path, rule, expected, found))
    }
}
