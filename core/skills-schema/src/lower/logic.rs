//! Writes references and the keywords that combine schemas, and marks unions that can be decided by the
//! value's kind.

use super::{Lowering, ProblemKind};
use crate::document::{Lead, Part};
use crate::tables::{logic, node};
use skills_text::order;

impl<'d> Lowering<'d> {
    /// Returns the node that a reference leads to, and the dynamic anchor that it names.
    fn reference(&mut self, schema: Part<'d>, name: &str) -> Option<(u32, Option<&'d str>, Part<'d>)> {
        let value = schema.keyword_value(name)?;
        let reference = value.as_str()?.to_owned();
        let problem = match value.lead() {
            Lead::Found { anchor, .. } => {
                let target = value.target()?;
                return Some((self.child(target), anchor.as_deref(), target));
            }
            Lead::Remote(uri) => ProblemKind::RemoteRef { reference, uri: uri.to_string() },
            Lead::Nowhere | Lead::None => ProblemKind::UnresolvedRef { reference },
        };
        self.problem(schema, &value.span(), problem);
        None
    }

    pub(super) fn logic(&mut self, at: u32, schema: Part<'d>) {
        let mut block = [0; logic::WORDS as usize];
        let mut set = |place: u32, value: u32| block[place as usize] = value;
        if let Some((target, _, _)) = self.reference(schema, "$ref") {
            set(logic::REF, target);
        }
        if !schema.is_alone() {
            self.dynamic(schema, &mut set);
            for (name, place) in [("allOf", logic::ALL), ("anyOf", logic::ANY), ("oneOf", logic::ONE)] {
                let parts = schema.keyword_value(name).map(Part::items).unwrap_or_default();
                parts.into_iter().for_each(|part| self.branch(part));
                let children = self.children(schema, name);
                set(place, self.list(&children));
            }
            for (name, place) in
                [("not", logic::NOT), ("if", logic::IF), ("then", logic::THEN), ("else", logic::ELSE)]
            {
                // `then` and `else` have no effect without `if`.
                let wanted = place == logic::NOT || schema.has("if");
                if let Some(value) = schema.keyword_value(name).filter(|_| wanted) {
                    self.branch(value);
                    set(place, self.child(value));
                }
            }
        }
        if block.iter().any(|word| *word != 0) {
            let block = self.writer.append(&block);
            self.writer.set(at + node::LOGIC, block);
            self.complex(at);
        }
    }

    fn dynamic(&mut self, schema: Part<'d>, set: &mut dyn FnMut(u32, u32)) {
        let found = self.reference(schema, "$dynamicRef").or_else(|| {
            let (target, _, home) = self.reference(schema, "$recursiveRef")?;
            Some((target, home.resource().is_recursive.then_some(""), home))
        });
        let Some((target, dynamic, _)) = found else { return };
        set(logic::DYNAMIC, target);
        if let Some(name) = dynamic {
            let (offset, len) = self.writer.intern(name);
            // The stored number is one more than the length: 0 means that there is no name, while
            // `$recursiveAnchor` has an empty name.
            set(logic::NAME, offset);
            set(logic::NAME_LEN, len + 1);
            self.names.insert(name.to_owned(), 0);
        }
    }

    /// Marks the nodes that consist of one `anyOf` or `oneOf` whose branches accept different kinds.
    pub(super) fn unions(&mut self) {
        // The marks depend only on `type`, `enum` and `const`, so the order matters only for unions of
        // unions. Going from the last node to the first finds the inner unions first.
        let nodes: Vec<u32> = self.placed.iter().copied().filter(|at| *at != 0).collect();
        for i in order(nodes.len(), &|a, b| nodes[b].cmp(&nodes[a])) {
            let at = nodes[i];
            let types = self.writer.get(at + node::TYPES);
            let own = [node::OBJECT, node::ARRAY, node::STRING, node::NUMBER, node::ENUM, node::CONST];
            let block = self.writer.get(at + node::LOGIC);
            if block == 0 || own.iter().any(|place| self.writer.get(at + place) != 0) {
                continue;
            }
            let used: Vec<u32> = (0..logic::WORDS).filter(|i| self.writer.get(block + i) != 0).collect();
            let list = match used.as_slice() {
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
