//! Explains why no alternative of `anyOf` or `oneOf` fits: by the tag that distinguishes the alternatives, or
//! by the nearest alternative.

use super::check::{CheckRun, SchemaFault, Verdict};
use super::found;
use super::report::ViolationList;
use super::source::{Cursor, ValueStream as _};
use crate::Violation;
use crate::json::reader::ValueType;
use crate::pointer::Path;
use crate::tables::{choice, kind, logic, node, object};
use skills_text::order;

/// The maximum number of alternatives that one violation names.
const NAMED: usize = 10;

/// A property whose fixed values distinguish the alternatives.
struct Tag<'t> {
    name: &'t str,
    /// The `enum` or `const` of each alternative.
    choices: Vec<u32>,
    rule: &'static str,
    is_required: bool,
}

impl<'t> CheckRun<'t> {
    /// Reports that no alternative fits. Always returns `false`.
    #[cold]
    pub(super) fn none(
        &mut self,
        mut value: Cursor<'_>,
        list: u32,
        rule: &'static str,
        path: &Path<'_>,
    ) -> Verdict {
        if self.quiet {
            return Ok(false);
        }
        let kind = value.bit()?;
        let tables = self.tables;
        let mut meant = tables.list(list).to_vec();
        meant.retain(|node| tables.word(node + node::KINDS) & kind != 0);
        let Some(first) = meant.first() else {
            return Ok(self.broken(path, rule, found::types(tables.kinds(list)), found::value(value)));
        };
        // Each property of the first alternative is looked for in all others.
        let blocks = self.objects(*first);
        let properties: usize = blocks.iter().map(|block| tables.word(block + object::COUNT) as usize).sum();
        self.spend(properties * meant.len(), path)?;
        let Some(tag) = self.tag(&meant).filter(|_| kind == kind::OBJECT) else {
            return self.nearest(value, &meant, rule, path);
        };
        let Some((_, given)) = value.members().find(|(key, _)| *key == tag.name) else {
            if !tag.is_required {
                return self.nearest(value, &meant, rule, path);
            }
            let which = format!(", which is {}", found::choices(tables, &tag.choices));
            return Ok(self.missing(path, "required", tag.name, which));
        };
        for (block, node) in tag.choices.iter().zip(&meant) {
            if self.is_among(given, *block, path)? {
                return self.check(&mut value, *node, path, None);
            }
        }
        let expected = found::choices(tables, &tag.choices);
        Ok(self.broken(&Path::Key(path, tag.name), tag.rule, expected, found::value(given)))
    }

    /// Finds a property that distinguishes the alternatives, preferably one that all of them require.
    fn tag(&self, alternatives: &[u32]) -> Option<Tag<'t>> {
        let tables = self.tables;
        let blocks: Vec<Vec<u32>> = alternatives.iter().map(|node| self.objects(*node)).collect();
        let (first, [_, ..]) = blocks.split_first()? else { return None };
        let mut optional = None;
        for block in first {
            for i in 0..tables.word(block + object::COUNT) {
                let name = tables.text_at(block + object::FIRST + i * object::STRIDE);
                let fixed: Option<Vec<_>> =
                    blocks.iter().map(|blocks| self.fixed_values(blocks, name)).collect();
                let Some(fixed) = fixed else { continue };
                let is_required = fixed.iter().all(|(.., required)| *required);
                let rule = if fixed.iter().all(|(_, rule, _)| *rule == "const") { "const" } else { "enum" };
                let choices: Vec<u32> = fixed.into_iter().map(|(block, ..)| block).collect();
                if !self.is_distinct(&choices) {
                    continue;
                }
                let tag = Tag { name, choices, rule, is_required };
                if is_required {
                    return Some(tag);
                }
                optional = optional.or(Some(tag));
            }
        }
        optional
    }

    /// Returns the object rules of a schema, including those from references and `allOf`.
    fn objects(&self, node: u32) -> Vec<u32> {
        const FOLLOWED: usize = 16;
        let tables = self.tables;
        let (mut nodes, mut at) = (vec![node], 0);
        while let Some(&node) = nodes.get(at).filter(|_| at < FOLLOWED) {
            at += 1;
            let block = tables.word(node + node::LOGIC);
            if block != 0 {
                let all = tables.list(tables.word(block + logic::ALL));
                for more in [tables.word(block + logic::REF)].iter().chain(all) {
                    if *more != 0 && !nodes.contains(more) {
                        nodes.push(*more);
                    }
                }
            }
        }
        nodes.iter().map(|node| tables.word(node + node::OBJECT)).filter(|block| *block != 0).collect()
    }

    /// Returns the fixed values of a property: their block, its keyword, and whether the property is
    /// required.
    fn fixed_values(&self, blocks: &[u32], name: &str) -> Option<(u32, &'static str, bool)> {
        let tables = self.tables;
        let (mut found, mut is_required) = (None, false);
        for block in blocks {
            let Some(i) = self.property(*block, name, 0) else { continue };
            let entry = block + object::FIRST + i * object::STRIDE;
            is_required |= tables.word(entry + 3) & object::REQUIRED != 0;
            let node = tables.word(entry + 2);
            for (place, rule) in [(node::CONST, "const"), (node::ENUM, "enum")] {
                let choices = if node == 0 { 0 } else { tables.word(node + place) };
                if choices != 0 && tables.word(choices + choice::CONTAINERS) == 0 {
                    found = found.or(Some((choices, rule)));
                }
            }
        }
        found.map(|(choices, rule)| (choices, rule, is_required))
    }

    /// Returns `true` if no value is in two of the blocks.
    fn is_distinct(&self, blocks: &[u32]) -> bool {
        let tables = self.tables;
        let mut values: Vec<(u32, &str)> = Vec::new();
        for block in blocks {
            let entries = found::entries(tables, *block);
            values.extend(entries.map(|entry| (tables.word(entry), tables.text_at(entry + 1))));
        }
        let sorted = order(values.len(), &|a, b| values[a].cmp(&values[b]));
        sorted.windows(2).all(|pair| values[pair[0]] != values[pair[1]])
    }

    fn is_among(&mut self, value: Cursor<'_>, block: u32, path: &Path<'_>) -> Verdict {
        let token = value.token();
        let (tag, text) = match token.kind {
            ValueType::Null => (choice::NULL, ""),
            ValueType::Bool => (if token.a == 1 { choice::TRUE } else { choice::FALSE }, ""),
            ValueType::Number => (choice::NUMBER, value.text()),
            ValueType::String => (choice::STRING, value.text()),
            ValueType::Array | ValueType::Object => return Ok(false),
        };
        self.holds(block, tag, text, path)
    }

    /// Reports the violations of the nearest alternative. If several are equally near, their requirements for
    /// the same place are combined into one violation.
    fn nearest(
        &mut self,
        value: Cursor<'_>,
        alternatives: &[u32],
        rule: &'static str,
        path: &Path<'_>,
    ) -> Verdict {
        let here = path.pointer();
        let (mut least, mut nearest): (_, Vec<ViolationList>) = (None, Vec::new());
        for node in alternatives {
            let before = std::mem::take(&mut self.report);
            let checked = self.check(&mut value.clone(), *node, path, None);
            let report = std::mem::replace(&mut self.report, before);
            // Even an alternative with more violations than a report holds may be the nearest one.
            if let Err(fault @ (SchemaFault::Json(_) | SchemaFault::Limit(_))) = checked {
                return Err(fault);
            }
            let violations = report.violations();
            let distance = (self.distance(value, *node, &here, violations), violations.len());
            if least.is_none_or(|least| distance < least) {
                (least, nearest) = (Some(distance), vec![report]);
            } else if least == Some(distance) && !nearest.iter().any(|other| other.violations() == violations)
            {
                nearest.push(report);
            }
        }
        let all: Vec<&Violation> = nearest.iter().flat_map(ViolationList::violations).collect();
        let first =
            all.first().filter(|first| nearest.len() > 1 && all.iter().all(|v| v.pointer == first.pointer));
        let merged = first.map(|first| {
            let rule = if all.iter().all(|v| v.rule == first.rule) { first.rule } else { rule };
            let is_same = first.pointer != here || all.iter().all(|v| v.found == first.found);
            let found = if is_same { first.found.clone() } else { found::value(value) };
            let mut words = Vec::new();
            for report in nearest.iter().take(NAMED) {
                let asked: Vec<&str> = report.violations().iter().map(|v| v.expected.as_str()).collect();
                words.push(asked.join(" and "));
            }
            if nearest.len() > NAMED {
                words.push(format!("{} more", nearest.len() - NAMED));
            }
            Violation::new(first.pointer.clone(), rule, found::one_of(&words), found)
        });
        match merged {
            Some(merged) => self.report.add(|| merged),
            None => self.report.extend(nearest.into_iter().next().unwrap_or_default()),
        }
        Ok(false)
    }

    /// Returns the distance of a value from an alternative. Violations deeper inside count less than
    /// violations of the value itself. Known properties reduce the distance, and a fixed property with
    /// another value increases it.
    fn distance(&self, value: Cursor<'_>, node: u32, here: &str, violations: &[Violation]) -> i64 {
        const NOT_MEANT: i64 = 1000;
        let mut distance = 0;
        for violation in violations {
            let below = violation.pointer.strip_prefix(here).unwrap_or_default();
            distance += match (below.matches('/').count(), violation.rule) {
                (1, "const") => NOT_MEANT,
                (0, _) | (1, "additionalProperties" | "unevaluatedProperties") => 1,
                _ => 0,
            };
        }
        let blocks = self.objects(node);
        for (key, _) in value.members() {
            if blocks.iter().any(|block| self.declares(*block, key)) {
                distance -= 1;
            }
        }
        distance
    }

    /// Returns `true` if a block has a property in `properties`.
    fn declares(&self, block: u32, key: &str) -> bool {
        let Some(number) = self.property(block, key, 0) else { return false };
        let flags = block + object::FIRST + number * object::STRIDE + 3;
        self.tables.word(flags) & object::DECLARED != 0
    }
}
