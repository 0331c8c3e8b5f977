//! Writes the rules for objects and arrays.

use super::Lowering;
use crate::document::{Part, Value, count};
use crate::draft::Draft;
use crate::tables::{array, header, node, object};
use skills_text::{Places, order};

/// Returns the value of a counting keyword, or `absent`.
pub(super) fn bound(schema: Part<'_>, name: &str, absent: u32) -> u32 {
    schema.rule(name).and_then(count).unwrap_or(absent)
}

impl<'d> Lowering<'d> {
    fn optional(&mut self, schema: Part<'d>, name: &str) -> u32 {
        schema.keyword_value(name).map_or(0, |value| self.child(value))
    }

    pub(super) fn complex(&mut self, at: u32) {
        let types = self.writer.get(at + node::TYPES);
        self.writer.set(at + node::TYPES, types | node::COMPLEX);
    }

    pub(super) fn object(&mut self, at: u32, schema: Part<'d>) {
        let mut head = [0; object::FIRST as usize];
        head[object::MIN as usize] = bound(schema, "minProperties", 0);
        head[object::MAX as usize] = bound(schema, "maxProperties", u32::MAX);
        head[object::ADDITIONAL as usize] = self.optional(schema, "additionalProperties");
        head[object::NAMES as usize] = self.optional(schema, "propertyNames");
        head[object::UNEVALUATED as usize] = self.optional(schema, "unevaluatedProperties");
        if head[object::UNEVALUATED as usize] != 0 {
            self.complex(at);
        }
        head[object::PATTERNS as usize] = self.pattern_properties(schema);
        head[object::DEPENDENTS as usize] = self.dependents(at, schema);
        let entries = self.properties(schema);
        let total = entries.len() / object::STRIDE as usize;
        head[object::COUNT as usize] = self.writer.number(total);
        if total > object::LINEAR_SEARCH_MAX as usize {
            let text = self.writer.text().clone();
            let mut names = Vec::with_capacity(total);
            for entry in entries.chunks(object::STRIDE as usize) {
                let name = text.get(entry[0] as usize..(entry[0] + entry[1]) as usize);
                names.push(name.unwrap_or_default());
            }
            let by_name = order(total, &|a, b| names[a].cmp(names[b]));
            let order: Vec<u32> = by_name.into_iter().map(|i| self.writer.number(i)).collect();
            head[object::SORTED as usize] = self.writer.append(&order);
        }
        self.block(at + node::OBJECT, &head, &entries);
    }

    /// Writes a block of an object or array, unless it has no rules: then its maximum, the second word, is unlimited
    /// and all other words are 0.
    fn block(&mut self, place: u32, head: &[u32], entries: &[u32]) {
        if head.iter().enumerate().any(|(i, word)| *word != if i == 1 { u32::MAX } else { 0 }) {
            let block = self.writer.append(head);
            self.writer.append(entries);
            self.writer.set(place, block);
        }
    }

    /// Writes the entries of `properties`, and of names that occur only in `required`.
    fn properties(&mut self, schema: Part<'d>) -> Vec<u32> {
        let mut entries: Vec<u32> = Vec::new();
        let mut place = Places::default();
        let declared = schema.keyword_value("properties").map(Part::members).unwrap_or_default();
        for member in declared {
            let target = self.child(member.value);
            let (offset, len) = self.writer.intern(member.key);
            // The last of repeated keys counts. The repetition itself is an error of the text.
            let at = place.first(member.key.to_owned(), entries.len());
            if at == entries.len() {
                entries.extend([offset, len, target, object::DECLARED, 0, 0]);
            } else {
                entries[at + 2] = target;
            }
            if let Some(default) = member.value.default() {
                self.writer.set(header::NO_DEFAULTS, 0);
                let (offset, len) = self.writer.intern(&default.to_node().to_string());
                entries[at + 4..at + 6].copy_from_slice(&[offset, len]);
            }
        }
        let required = schema.rule("required").map(Part::items).unwrap_or_default();
        for name in required.into_iter().filter_map(Part::as_str) {
            let (offset, len) = self.writer.intern(name);
            let at = place.first(name.to_owned(), entries.len());
            if at == entries.len() {
                entries.extend([offset, len, 0, 0, 0, 0]);
            }
            entries[at + 3] |= object::REQUIRED;
        }
        entries
    }

    fn pattern_properties(&mut self, schema: Part<'d>) -> u32 {
        let members = schema.keyword_value("patternProperties").map(Part::members).unwrap_or_default();
        let mut list = Vec::new();
        for member in members {
            let program = self.program(member.key, &member.key_span, schema);
            let (offset, len) = self.writer.intern(member.key);
            let target = self.child(member.value);
            list.extend([program, offset, len, target]);
        }
        self.list(&list)
    }

    /// Writes a list. Returns 0 if it is empty.
    pub(super) fn list(&mut self, entries: &[u32]) -> u32 {
        if entries.is_empty() {
            return 0;
        }
        let len = self.writer.number(entries.len());
        let at = self.writer.append(&[len]);
        self.writer.append(entries);
        at
    }

    fn dependents(&mut self, at: u32, schema: Part<'d>) -> u32 {
        let mut list = Vec::new();
        for keyword in ["dependencies", "dependentRequired", "dependentSchemas"] {
            let members = schema.keyword_value(keyword).map(Part::members).unwrap_or_default();
            for member in members {
                let (offset, len) = self.writer.intern(member.key);
                let (mut names, mut target) = (0, 0);
                if member.value.is_array() && keyword != "dependentSchemas" {
                    let mut pairs = Vec::new();
                    for name in member.value.items().into_iter().filter_map(Part::as_str) {
                        let (offset, len) = self.writer.intern(name);
                        pairs.extend([offset, len]);
                    }
                    names = self.list(&pairs);
                } else {
                    self.branch(member.value);
                    target = self.child(member.value);
                }
                list.extend([offset, len, names, target]);
            }
        }
        if !list.is_empty() {
            self.complex(at);
        }
        self.list(&list)
    }

    pub(super) fn array(&mut self, at: u32, schema: Part<'d>) {
        let draft = schema.draft();
        let mut head = [0; array::FIRST as usize];
        head[array::MIN as usize] = bound(schema, "minItems", 0);
        head[array::MAX as usize] = bound(schema, "maxItems", u32::MAX);
        let items = schema.keyword_value("items");
        let mut prefix = Vec::new();
        let rest = match (draft, items.map(Part::value)) {
            (Draft::Draft2020, _) => {
                prefix = self.children(schema, "prefixItems");
                items
            }
            (_, Some(Value::Array(_))) => {
                prefix = self.children(schema, "items");
                head[array::OLD_NAME as usize] = 1;
                schema.keyword_value("additionalItems")
            }
            _ => items,
        };
        head[array::PREFIX as usize] = self.writer.number(prefix.len());
        head[array::ITEMS as usize] = rest.map_or(0, |value| self.child(value));
        head[array::CONTAINS as usize] = self.optional(schema, "contains");
        if head[array::CONTAINS as usize] != 0 {
            head[array::MIN_CONTAINS as usize] = bound(schema, "minContains", 1);
            head[array::MAX_CONTAINS as usize] = bound(schema, "maxContains", u32::MAX);
            head[array::CONTAINS_MARKS as usize] = u32::from(draft == Draft::Draft2020);
        }
        let unique = schema.rule("uniqueItems").is_some_and(|value| value.is_bool(true));
        head[array::UNIQUE as usize] = u32::from(unique);
        head[array::UNEVALUATED as usize] = self.optional(schema, "unevaluatedItems");
        let twice = [array::CONTAINS, array::UNIQUE, array::UNEVALUATED];
        if twice.iter().any(|place| head[*place as usize] != 0) {
            self.complex(at);
        }
        self.block(at + node::ARRAY, &head, &prefix);
    }

    pub(super) fn children(&mut self, schema: Part<'d>, name: &str) -> Vec<u32> {
        let all = schema.keyword_value(name).map(Part::items).unwrap_or_default();
        all.into_iter().map(|item| self.child(item)).collect()
    }
}
