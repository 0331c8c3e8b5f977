//! Writes references and the keywords that combine schemas, and finds the unions whose branch the kind decides.

use super::documents::address;
use super::keyword;
use super::resolve::Target;
use super::{Draft, Lowering, ProblemKind};
use crate::json::Node;
use crate::tables::{logic, node};
use skills_registry::order;

impl<'d> Lowering<'d> {
    /// The target of a schema that says nothing but `$ref`.
    pub(super) fn plain_reference(&self, schema: &'d Node, resource: usize) -> Option<(&'d Node, usize)> {
        let reference = schema.get("$ref")?.as_str()?;
        let only = schema.members().iter().all(|m| m.key == "$ref" || keyword::is_annotation(&m.key));
        if self.index.dynamic || !only {
            return None;
        }
        match self.index.resolve(resource, reference) {
            Target::Found { node, resource, .. } => Some((node, resource)),
            _ => None,
        }
    }

    fn reference(
        &mut self,
        schema: &'d Node,
        name: &str,
        resource: usize,
    ) -> Option<(u32, Option<String>, usize)> {
        let value = self.get(schema, name, resource)?;
        let reference = value.as_str()?.to_owned();
        match self.index.resolve(resource, &reference) {
            Target::Found { node, resource: home, dynamic } => Some((self.child(node, home), dynamic, home)),
            Target::Nowhere => {
                self.problem(resource, &value.span, ProblemKind::UnresolvedRef { reference });
                None
            }
            Target::Remote(uri) => {
                self.problem(resource, &value.span, ProblemKind::RemoteRef { reference, uri });
                None
            }
        }
    }

    pub(super) fn logic(&mut self, at: u32, schema: &'d Node, resource: usize) {
        let mut block = [0; logic::WORDS as usize];
        let mut set = |place: u32, value: u32| block[place as usize] = value;
        if let Some((target, _, _)) = self.reference(schema, "$ref", resource) {
            set(logic::REF, target);
        }
        let alone = self.index.resources[resource].draft == Draft::Draft7 && schema.get("$ref").is_some();
        if !alone {
            self.dynamic(schema, resource, &mut set);
            for (name, place) in [("allOf", logic::ALL), ("anyOf", logic::ANY), ("oneOf", logic::ONE)] {
                let parts = self.get(schema, name, resource).map_or(&[][..], Node::items);
                self.branches.extend(parts.iter().map(address));
                let children = self.children(schema, name, resource);
                set(place, self.list(&children));
            }
            for (name, place) in
                [("not", logic::NOT), ("if", logic::IF), ("then", logic::THEN), ("else", logic::ELSE)]
            {
                // `then` and `else` mean nothing without `if`.
                let wanted = place == logic::NOT || schema.get("if").is_some();
                if let Some(value) = self.get(schema, name, resource).filter(|_| wanted) {
                    self.branches.insert(address(value));
                    set(place, self.child(value, resource));
                }
            }
        }
        if block.iter().any(|word| *word != 0) {
            let block = self.writer.append(&block);
            self.writer.set(at + node::LOGIC, block);
            let types = self.writer.get(at + node::TYPES);
            self.writer.set(at + node::TYPES, types | node::COMPLEX);
        }
    }

    fn dynamic(&mut self, schema: &'d Node, resource: usize, set: &mut dyn FnMut(u32, u32)) {
        let found = self.reference(schema, "$dynamicRef", resource).or_else(|| {
            let (target, _, home) = self.reference(schema, "$recursiveRef", resource)?;
            let recursive = self.index.resources[home].recursive;
            Some((target, recursive.then(String::new), home))
        });
        let Some((target, dynamic, _)) = found else { return };
        set(logic::DYNAMIC, target);
        if let Some(name) = dynamic {
            let (offset, len) = self.writer.intern(&name);
            // One more than the length, so that the empty name of `$recursiveAnchor` is told from none.
            set(logic::NAME, offset);
            set(logic::NAME_LEN, len + 1);
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        }
    }

    /// Marks the nodes that are nothing but one `anyOf` or `oneOf` of schemas with different kinds.
    pub(super) fn unions(&mut self) {
        // What a node becomes here depends on `type`, `enum` and `const` alone, so the order does not matter, but
        // for unions of unions: those are found by going from the last node back to the first.
        let nodes: Vec<u32> = self.placed.values().copied().collect();
        for i in order(nodes.len(), &|a, b| nodes[b].cmp(&nodes[a])) {
            let at = nodes[i];
            let types = self.writer.get(at + node::TYPES);
            let own = [node::OBJECT, node::ARRAY, node::STRING, node::NUMBER, node::ENUM, node::CONST];
            let block = self.writer.get(at + node::LOGIC);
            if block == 0 || own.iter().any(|place| self.writer.get(at + place) != 0) {
                continue;
            }
            let said: Vec<u32> = (0..logic::WORDS).filter(|i| self.writer.get(block + i) != 0).collect();
            let list = match said.as_slice() {
                [place @ (logic::ANY | logic::ONE)] => self.writer.get(block + place),
                _ => continue,
            };
            let branches: Vec<u32> = (1..=self.writer.get(list))
                .map(|i| self.writer.get(self.writer.get(list + i) + node::KINDS))
                .collect();
            let mut all = 0;
            if branches.iter().all(|kinds| (all & kinds == 0, all |= kinds).0) {
                self.writer.set(at + node::TYPES, types & !node::COMPLEX | node::UNION);
                let kinds = self.writer.get(at + node::KINDS);
                self.writer.set(at + node::KINDS, kinds & all);
            }
        }
    }
}
