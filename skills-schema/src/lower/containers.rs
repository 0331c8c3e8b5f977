//! Writes what a schema says about objects and arrays.

use super::advice::count;
use super::documents::address;
use super::scalars::spell;
use super::{Draft, Lowering};
use crate::json::{Kind, Node};
use crate::tables::{array, node, object};
use skills_registry::order;

impl<'d> Lowering<'d> {
    fn optional(&mut self, schema: &'d Node, name: &str, resource: usize) -> u32 {
        self.get(schema, name, resource).map_or(0, |value| self.child(value, resource))
    }

    fn complex(&mut self, at: u32) {
        let types = self.writer.get(at + node::TYPES);
        self.writer.set(at + node::TYPES, types | node::COMPLEX);
    }

    pub(super) fn object(&mut self, at: u32, schema: &'d Node, resource: usize) {
        let min = self.rule(schema, "minProperties", resource).and_then(count);
        let max = self.rule(schema, "maxProperties", resource).and_then(count);
        let mut head = [0; object::FIRST as usize];
        head[object::MIN as usize] = min.unwrap_or(0);
        head[object::MAX as usize] = max.unwrap_or(u32::MAX);
        head[object::ADDITIONAL as usize] = self.optional(schema, "additionalProperties", resource);
        head[object::NAMES as usize] = self.optional(schema, "propertyNames", resource);
        head[object::UNEVALUATED as usize] = self.optional(schema, "unevaluatedProperties", resource);
        if head[object::UNEVALUATED as usize] != 0 {
            self.complex(at);
        }
        head[object::PATTERNS as usize] = self.pattern_properties(schema, resource);
        head[object::DEPENDENTS as usize] = self.dependents(at, schema, resource);
        let entries = self.properties(schema, resource);
        let total = entries.len() / object::STRIDE as usize;
        head[object::COUNT as usize] = self.writer.number(total);
        if total > object::FEW as usize {
            let text = self.writer.text().clone();
            let name = |i: usize| {
                let entry = i * object::STRIDE as usize;
                text.get(entries[entry] as usize..(entries[entry] + entries[entry + 1]) as usize)
                    .unwrap_or_default()
            };
            let by_name = order(total, &|a, b| name(a).cmp(name(b)));
            let order: Vec<u32> = by_name.into_iter().map(|i| self.writer.number(i)).collect();
            head[object::SORTED as usize] = self.writer.append(&order);
        }
        let said = head.iter().enumerate().any(|(i, word)| *word != if i == 1 { u32::MAX } else { 0 });
        if said {
            let block = self.writer.append(&head);
            self.writer.append(&entries);
            self.writer.set(at + node::OBJECT, block);
        }
    }

    /// The entries of `properties` and of the names that only `required` has.
    fn properties(&mut self, schema: &'d Node, resource: usize) -> Vec<u32> {
        let mut entries: Vec<u32> = Vec::new();
        let mut place = std::collections::HashMap::new();
        let declared = self.get(schema, "properties", resource).map_or(&[][..], Node::members);
        for member in declared {
            let target = self.child(&member.value, resource);
            let (offset, len) = self.writer.intern(&member.key);
            // Of a repeated key the last counts; the repetition itself is a fault of the text.
            let at = *place.entry(member.key.as_str()).or_insert(entries.len());
            if at == entries.len() {
                entries.extend([offset, len, target, object::DECLARED, 0, 0]);
            } else {
                entries[at + 2] = target;
            }
            if let Some(default) = self.default(&member.value, resource) {
                let (offset, len) = self.writer.intern(&spell(default));
                entries[at + 4..at + 6].copy_from_slice(&[offset, len]);
            }
        }
        let required = self.rule(schema, "required", resource).map_or(&[][..], Node::items);
        for name in required.iter().filter_map(Node::as_str) {
            let (offset, len) = self.writer.intern(name);
            let at = *place.entry(name).or_insert(entries.len());
            if at == entries.len() {
                entries.extend([offset, len, 0, 0, 0, 0]);
            }
            entries[at + 3] |= object::REQUIRED;
        }
        entries
    }

    /// The default of a property: its own, or that of the schema it merely refers to.
    fn default(&self, schema: &'d Node, around: usize) -> Option<&'d Node> {
        let (mut schema, mut resource) = (schema, around);
        for _ in 0..16 {
            if let Some(default) = schema.get("default") {
                return Some(default);
            }
            resource = self.index.scopes.get(&address(schema)).copied().unwrap_or(resource);
            (schema, resource) = self.plain_reference(schema, resource)?;
        }
        None
    }

    fn pattern_properties(&mut self, schema: &'d Node, resource: usize) -> u32 {
        let members = self.get(schema, "patternProperties", resource).map_or(&[][..], Node::members);
        let mut list = Vec::new();
        for member in members {
            let program = self.program(&member.key, &member.key_span, resource);
            let (offset, len) = self.writer.intern(&member.key);
            let target = self.child(&member.value, resource);
            list.extend([program, offset, len, target]);
        }
        self.list(&list)
    }

    /// Writes a list; nothing for an empty one.
    pub(super) fn list(&mut self, entries: &[u32]) -> u32 {
        if entries.is_empty() {
            return 0;
        }
        let len = self.writer.number(entries.len());
        let at = self.writer.append(&[len]);
        self.writer.append(entries);
        at
    }

    fn dependents(&mut self, at: u32, schema: &'d Node, resource: usize) -> u32 {
        let mut list = Vec::new();
        for keyword in ["dependencies", "dependentRequired", "dependentSchemas"] {
            let members = self.get(schema, keyword, resource).map_or(&[][..], Node::members);
            for member in members {
                let (offset, len) = self.writer.intern(&member.key);
                let (mut names, mut target) = (0, 0);
                if let Kind::Array(items) = &member.value.kind
                    && keyword != "dependentSchemas"
                {
                    let mut pairs = Vec::new();
                    for name in items.iter().filter_map(Node::as_str) {
                        let (offset, len) = self.writer.intern(name);
                        pairs.extend([offset, len]);
                    }
                    names = self.list(&pairs);
                } else {
                    self.branches.insert(address(&member.value));
                    target = self.child(&member.value, resource);
                }
                list.extend([offset, len, names, target]);
            }
        }
        if !list.is_empty() {
            self.complex(at);
        }
        self.list(&list)
    }

    pub(super) fn array(&mut self, at: u32, schema: &'d Node, resource: usize) {
        let draft = self.index.resources[resource].draft;
        let mut head = [0; array::FIRST as usize];
        let min = self.rule(schema, "minItems", resource).and_then(count);
        let max = self.rule(schema, "maxItems", resource).and_then(count);
        head[array::MIN as usize] = min.unwrap_or(0);
        head[array::MAX as usize] = max.unwrap_or(u32::MAX);
        let items = self.get(schema, "items", resource);
        let mut prefix = Vec::new();
        let rest = match (draft, items.map(|value| &value.kind)) {
            (Draft::Draft2020, _) => {
                prefix = self.children(schema, "prefixItems", resource);
                items
            }
            (_, Some(Kind::Array(all))) => {
                prefix = all.iter().map(|item| self.child(item, resource)).collect();
                head[array::OLD_NAME as usize] = 1;
                self.get(schema, "additionalItems", resource)
            }
            _ => items,
        };
        head[array::PREFIX as usize] = self.writer.number(prefix.len());
        head[array::ITEMS as usize] = rest.map_or(0, |value| self.child(value, resource));
        head[array::CONTAINS as usize] = self.optional(schema, "contains", resource);
        if head[array::CONTAINS as usize] != 0 {
            let least = self.rule(schema, "minContains", resource).and_then(count);
            let most = self.rule(schema, "maxContains", resource).and_then(count);
            head[array::MIN_CONTAINS as usize] = least.unwrap_or(1);
            head[array::MAX_CONTAINS as usize] = most.unwrap_or(u32::MAX);
            head[array::CONTAINS_MARKS as usize] = u32::from(draft == Draft::Draft2020);
        }
        let unique =
            self.rule(schema, "uniqueItems", resource).is_some_and(|value| value.kind == Kind::Bool(true));
        head[array::UNIQUE as usize] = u32::from(unique);
        head[array::UNEVALUATED as usize] = self.optional(schema, "unevaluatedItems", resource);
        let twice = [array::CONTAINS, array::UNIQUE, array::UNEVALUATED];
        if twice.iter().any(|place| head[*place as usize] != 0) {
            self.complex(at);
        }
        let said = head.iter().enumerate().any(|(i, word)| *word != if i == 1 { u32::MAX } else { 0 });
        if said {
            let block = self.writer.append(&head);
            self.writer.append(&prefix);
            self.writer.set(at + node::ARRAY, block);
        }
    }

    pub(super) fn children(&mut self, schema: &'d Node, name: &str, resource: usize) -> Vec<u32> {
        let all = self.get(schema, name, resource).map_or(&[][..], Node::items);
        all.iter().map(|item| self.child(item, resource)).collect()
    }
}
