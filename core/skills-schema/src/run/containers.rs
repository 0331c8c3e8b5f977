//! The rules for objects and arrays that need one pass over the members.

use super::check::{CheckRun, Marks, SchemaFault, Verdict, per_step};
use super::source::{Cursor, ValueStream};
use crate::pointer::Path;
use crate::tables::{array, node, object};
use crate::tape::Tape;

/// A set of small numbers. Does not allocate for numbers below 64.
#[derive(Default)]
struct NumberSet {
    first: u64,
    more: Vec<u64>,
}

impl NumberSet {
    /// Adds a number. Returns `false` if it was already present.
    #[inline]
    fn add(&mut self, i: u32) -> bool {
        let bit = 1u64 << (i % 64);
        let word = if i < 64 {
            &mut self.first
        } else {
            let at = (i / 64) as usize - 1;
            if self.more.len() <= at {
                self.more.resize(at + 1, 0);
            }
            &mut self.more[at]
        };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn has(&self, i: u32) -> bool {
        let word = if i < 64 { Some(&self.first) } else { self.more.get((i / 64) as usize - 1) };
        word.is_some_and(|word| word & (1 << (i % 64)) != 0)
    }
}

type Property = [u32; object::STRIDE as usize];

impl CheckRun<'_> {
    /// Finds a property of a block by name. `next` is its likely position.
    pub(super) fn property(&self, block: u32, name: &str, next: u32) -> Option<u32> {
        let known = self.tables.properties(block);
        let is = |[offset, length, ..]: &Property| self.tables.is(*offset, *length, name);
        if known.get(next as usize).is_some_and(is) {
            return Some(next);
        }
        let sorted = self.tables.word(block + object::SORTED);
        if sorted == 0 {
            return (0..).zip(known).find(|(_, property)| is(property)).map(|(i, _)| i);
        }
        let (mut low, mut high) = (0, self.tables.word(block + object::COUNT));
        while low < high {
            let middle = low + (high - low) / 2;
            let i = self.tables.word(sorted + middle);
            match self.tables.text_at(block + object::FIRST + i * object::STRIDE).cmp(name) {
                std::cmp::Ordering::Equal => return Some(i),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    #[inline(never)]
    pub(super) fn object(
        &mut self,
        source: &mut impl ValueStream,
        block: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Verdict {
        let tables = self.tables;
        let rules = tables.block::<{ object::FIRST as usize }>(block);
        self.spend(rules[object::COUNT as usize] as usize / per_step::PROPERTIES, path)?;
        let additional = rules[object::ADDITIONAL as usize];
        let names = rules[object::NAMES as usize];
        let patterns = rules[object::PATTERNS as usize];
        let mut seen = NumberSet::default();
        let (mut fits, mut count, mut next) = (true, 0u32, 0);
        let mut frame = source.open()?;
        while let Some((key, at)) = source.next_key(&mut frame)? {
            let here = Path::Key(path, &key);
            let mut target = 0;
            let mut declared = false;
            if let Some(i) = self.property(block, &key, next) {
                next = i + 1;
                if !seen.add(i) {
                    source.repeated(at)?;
                }
                let property: &Property = tables.block(block + object::FIRST + i * object::STRIDE);
                target = property[2];
                declared = property[3] & object::DECLARED != 0;
            } else {
                source.note(&frame, &key, at)?;
            }
            if names != 0 {
                fits &= self.name(&key, names, &here)?;
            }
            let mut also = Vec::new();
            if patterns != 0 {
                also = self.matching(patterns, &key, &here)?;
            }
            let known = declared || !also.is_empty();
            if let Some(mark) = marks.as_deref_mut().and_then(|marks| marks.get_mut(count as usize)) {
                *mark |= known || additional != 0;
            }
            count = count.saturating_add(1);
            if !known {
                fits &= self.beyond(source, block, additional, &here)?;
            } else if also.is_empty() {
                self.via = "properties";
                fits &= self.check(source, target, &here, None)?;
            } else {
                if declared {
                    also.push(target);
                }
                self.via = "patternProperties";
                fits &= self.each(source, &also, &here)?;
            }
            if self.quiet && !fits {
                return Ok(false);
            }
        }
        Ok(self.counted(block, count, &seen, path) & fits)
    }

    /// Checks a property that neither `properties` nor `patternProperties` declares.
    fn beyond(
        &mut self,
        source: &mut impl ValueStream,
        block: u32,
        additional: u32,
        path: &Path<'_>,
    ) -> Verdict {
        if additional == 0 || self.tables.word(additional + node::TYPES) & node::NOTHING == 0 {
            self.via = "additionalProperties";
            return self.check(source, additional, path, None);
        }
        if self.quiet {
            return Ok(false);
        }
        let entries =
            (0..self.tables.word(block + object::COUNT)).map(|i| block + object::FIRST + i * object::STRIDE);
        let declared = entries.filter(|entry| self.tables.word(entry + 3) & object::DECLARED != 0);
        let names: Vec<String> =
            declared.take(30).map(|entry| format!("{:?}", self.tables.text_at(entry))).collect();
        let expected = if names.is_empty() {
            "no property".to_owned()
        } else {
            format!("no property but {}", names.join(", "))
        };
        let found = self.describe(source)?;
        Ok(self.broken(path, "additionalProperties", expected, found))
    }

    /// Checks the number of properties, and that the required ones are present.
    fn counted(&mut self, block: u32, count: u32, seen: &NumberSet, path: &Path<'_>) -> bool {
        let mut fits = true;
        let tables = self.tables;
        for (i, property) in (0..).zip(tables.properties(block)) {
            if property[3] & object::REQUIRED != 0 && !seen.has(i) {
                let name = tables.text_at(block + object::FIRST + i * object::STRIDE);
                fits = self.missing(path, "required", name, "");
            }
        }
        let bounds = [tables.word(block + object::MIN), tables.word(block + object::MAX)];
        fits & self.within(path, count, bounds, ["minProperties", "maxProperties"], "properties")
    }

    /// Checks a count against a minimum and a maximum.
    #[inline]
    pub(super) fn within(
        &mut self,
        path: &Path<'_>,
        count: u32,
        bounds: [u32; 2],
        rules: [&'static str; 2],
        words: &str,
    ) -> bool {
        let [min, max] = bounds;
        (min <= count && count <= max) || self.beside(path, count, bounds, rules, words)
    }

    #[cold]
    fn beside(
        &mut self,
        path: &Path<'_>,
        count: u32,
        [min, max]: [u32; 2],
        [least, most]: [&'static str; 2],
        words: &str,
    ) -> bool {
        let (rule, bound) = if count < min { (least, ("least", min)) } else { (most, ("most", max)) };
        self.broken(path, rule, format!("at {} {} {words}", bound.0, bound.1), count.to_string())
    }

    /// Checks a property's name against `propertyNames`.
    fn name(&mut self, name: &str, node: u32, path: &Path<'_>) -> Verdict {
        let tape = Tape::string(name);
        self.via = "propertyNames";
        self.check(&mut Cursor::new(&tape), node, path, None)
    }

    /// Returns the schemas of `patternProperties` whose patterns match the name.
    pub(super) fn matching(
        &mut self,
        list: u32,
        name: &str,
        path: &Path<'_>,
    ) -> Result<Vec<u32>, SchemaFault> {
        let mut nodes = Vec::new();
        let end = list + 1 + self.tables.word(list);
        let mut entry = list + 1;
        while entry < end {
            let program = self.tables.word(entry);
            if program != 0 && self.matches(program, entry + 1, name, path)? {
                nodes.push(self.tables.word(entry + 3));
            }
            entry += 4;
        }
        Ok(nodes)
    }

    /// Checks one value against several nodes.
    fn each(&mut self, source: &mut impl ValueStream, nodes: &[u32], path: &Path<'_>) -> Verdict {
        if let [node] = nodes {
            return self.check(source, *node, path, None);
        }
        let captured = source.capture()?;
        let mut fits = true;
        for node in nodes {
            fits &= self.check(&mut captured.cursor(), *node, path, None)?;
        }
        Ok(fits)
    }

    #[inline(never)]
    pub(super) fn array(
        &mut self,
        source: &mut impl ValueStream,
        block: u32,
        path: &Path<'_>,
        mut marks: Marks<'_>,
    ) -> Verdict {
        let tables = self.tables;
        let prefix = tables.word(block + array::PREFIX);
        let items = tables.word(block + array::ITEMS);
        let old = tables.word(block + array::OLD_NAME) == 1;
        let (mut fits, mut count) = (true, 0u32);
        let mut frame = source.open()?;
        while source.next_item(&mut frame)? {
            let here = Path::Index(path, count as usize);
            let fixed = count < prefix;
            let target = if fixed { tables.word(block + array::FIRST + count) } else { items };
            self.via = match (fixed, old) {
                (true, false) => "prefixItems",
                (false, true) => "additionalItems",
                _ => "items",
            };
            if let Some(mark) = marks.as_deref_mut().and_then(|marks| marks.get_mut(count as usize)) {
                *mark |= fixed || items != 0;
            }
            fits &= self.check(source, target, &here, None)?;
            count = count.saturating_add(1);
            if self.quiet && !fits {
                return Ok(false);
            }
        }
        let bounds = [tables.word(block + array::MIN), tables.word(block + array::MAX)];
        Ok(self.within(path, count, bounds, ["minItems", "maxItems"], "items") & fits)
    }
}
