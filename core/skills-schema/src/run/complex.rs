//! The rules that read a value more than once. The value is on a tape.

use super::check::{CheckRun, Marks, Verdict, per_step};
use super::source::Cursor;
use super::{equal, found};
use crate::json::reader::ValueType;
use crate::pointer::Path;
use crate::tables::{array, node, object};
use std::collections::HashSet;

impl CheckRun<'_> {
    /// Checks a value against all rules of a node.
    pub(super) fn complex(
        &mut self,
        value: Cursor<'_>,
        node: u32,
        path: &Path<'_>,
        marks: Marks<'_>,
    ) -> Verdict {
        let kind = value.token().kind;
        let block = match kind {
            ValueType::Object => self.tables.word(node + node::OBJECT),
            ValueType::Array => self.tables.word(node + node::ARRAY),
            _ => 0,
        };
        let place = if kind == ValueType::Object { object::UNEVALUATED } else { array::UNEVALUATED };
        let unevaluated = if block == 0 { 0 } else { self.tables.word(block + place) };
        if unevaluated == 0 {
            return self.rules(value, node, block, path, marks);
        }
        let mut own = vec![false; value.token().a as usize];
        let mut fits = self.rules(value, node, block, path, Some(&mut own))?;
        if fits || !self.quiet {
            fits &= self.unevaluated(value, unevaluated, path, &own)?;
        }
        if let Some(marks) = marks {
            // For the surrounding schemas, members that `unevaluatedProperties` or `unevaluatedItems` checked
            // count as evaluated.
            marks.fill(true);
        }
        Ok(fits)
    }

    fn rules(
        &mut self,
        value: Cursor<'_>,
        node: u32,
        block: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Verdict {
        let token = value.token();
        let mut fits = self.plain(&mut value.clone(), node, path, marks.as_deref_mut())?;
        if self.quiet && !fits {
            return Ok(false);
        }
        if token.is_container() {
            fits &= self.fixed(value, self.tables.block(node), path)?;
        }
        if block != 0 && token.kind == ValueType::Array {
            fits &= self.repeated(value, block, path)?;
            fits &= self.contains(value, block, path, marks.as_deref_mut())?;
        }
        if block != 0 && token.kind == ValueType::Object {
            fits &= self.dependents(value, block, path, marks.as_deref_mut())?;
        }
        if self.quiet && !fits {
            return Ok(false);
        }
        let logic = self.tables.word(node + node::LOGIC);
        if logic != 0 {
            fits &= self.logic(value, logic, path, marks)?;
        }
        Ok(fits)
    }

    fn repeated(&mut self, value: Cursor<'_>, block: u32, path: &Path<'_>) -> Verdict {
        if self.tables.word(block + array::UNIQUE) == 0 {
            return Ok(true);
        }
        self.spend(value.size() / per_step::VALUES, path)?;
        match equal::twins(value) {
            None => Ok(true),
            Some((first, second)) => {
                let found = format!("items {first} and {second} equal");
                Ok(self.broken(path, "uniqueItems", "no two equal items", found))
            }
        }
    }

    fn contains(&mut self, value: Cursor<'_>, block: u32, path: &Path<'_>, mut marks: Marks<'_>) -> Verdict {
        let node = self.tables.word(block + array::CONTAINS);
        if node == 0 {
            return Ok(true);
        }
        let counts = self.tables.word(block + array::CONTAINS_MARKS) == 1;
        let mut count = 0u32;
        for (i, item) in value.inside().enumerate() {
            if !self.quietly(item, node, &Path::Index(path, i), None)? {
                continue;
            }
            count = count.saturating_add(1);
            if let Some(mark) = marks.as_deref_mut().and_then(|marks| marks.get_mut(i)) {
                *mark |= counts;
            }
        }
        let bounds = [array::MIN_CONTAINS, array::MAX_CONTAINS].map(|place| self.tables.word(block + place));
        // Without `minContains`, the rule is called `contains`.
        let least = if bounds[0] == 1 { "contains" } else { "minContains" };
        Ok(self.within(path, count, bounds, [least, "maxContains"], "items that fit"))
    }

    fn dependents(
        &mut self,
        value: Cursor<'_>,
        block: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Verdict {
        let list = self.tables.word(block + object::DEPENDENTS);
        if list == 0 {
            return Ok(true);
        }
        let tables = self.tables;
        self.spend(value.token().a as usize / per_step::VALUES, path)?;
        let keys: HashSet<&str> = value.members().map(|(key, _)| key).collect();
        let mut fits = true;
        let end = list + 1 + tables.word(list);
        let mut entry = list + 1;
        while entry < end {
            let name = tables.text_at(entry);
            let (names, node) = (tables.word(entry + 2), tables.word(entry + 3));
            entry += 4;
            if !keys.contains(name) {
                continue;
            }
            let mut pair = names + 1;
            while names != 0 && pair <= names + tables.word(names) {
                let wanted = tables.text_at(pair);
                if !keys.contains(wanted) {
                    fits = self.missing(path, "dependentRequired", wanted, format_args!(" beside {name:?}"));
                }
                pair += 2;
            }
            if node != 0 {
                self.via = "dependentSchemas";
                fits &= self.check(&mut value.clone(), node, path, marks.as_deref_mut())?;
            }
        }
        Ok(fits)
    }

    fn unevaluated(&mut self, value: Cursor<'_>, node: u32, path: &Path<'_>, marks: &[bool]) -> Verdict {
        let mut fits = true;
        if value.token().kind == ValueType::Array {
            for (i, mut item) in value.inside().enumerate() {
                if marks.get(i).copied().unwrap_or(false) {
                    continue;
                }
                self.via = "unevaluatedItems";
                fits &= self.check(&mut item, node, &Path::Index(path, i), None)?;
            }
        } else {
            for (i, (key, mut member)) in value.members().enumerate() {
                if marks.get(i).copied().unwrap_or(false) {
                    continue;
                }
                self.via = "unevaluatedProperties";
                fits &= self.check(&mut member, node, &Path::Key(path, key), None)?;
            }
        }
        Ok(fits)
    }

    /// Checks without reporting violations. Marks are kept only if the value fits.
    pub(super) fn quietly(
        &mut self,
        mut value: Cursor<'_>,
        node: u32,
        path: &Path<'_>,
        marks: Marks<'_>,
    ) -> Verdict {
        let before = std::mem::replace(&mut self.quiet, true);
        let fits = match marks {
            None => self.check(&mut value, node, path, None),
            Some(marks) => {
                self.spend(marks.len() / per_step::BYTES, path)?;
                let mut own = vec![false; marks.len()];
                let fits = self.check(&mut value, node, path, Some(&mut own));
                if matches!(fits, Ok(true)) {
                    marks.iter_mut().zip(own).for_each(|(mark, own)| *mark |= own);
                }
                fits
            }
        };
        self.quiet = before;
        fits
    }

    /// Describes a value for a violation.
    pub(super) fn shown(&self, value: Cursor<'_>) -> String {
        if self.quiet { String::new() } else { found::value(value) }
    }
}
