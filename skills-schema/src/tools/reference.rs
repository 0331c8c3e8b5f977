//! Finds what a `$ref` means, and copies in what lies outside the schema.

use crate::json::{self, Kind, Node};
use crate::lower::{Draft, uri};
use crate::pointer;

use super::tree;

/// How many schemas are copied at most, so that references to references cannot grow without end.
const LIMIT: usize = 4_000;

/// How many references may lie inside each other, so that the stack holds.
const NESTED: usize = 32;

/// A schema and the documents it may refer to.
pub(super) struct Documents {
    /// The schema itself comes first.
    all: Vec<(String, Node)>,
}

/// A schema with the number of the document it stands in.
pub(super) type Found<'d> = (&'d Node, usize);

impl Documents {
    /// Reads all texts; one that is no JSON is the schema `true`.
    pub(super) fn new(schema: &str, base: &str, others: &[(&str, &str)]) -> Self {
        let read = |text: &str| json::read(text).root.unwrap_or_else(|| tree::boolean(true));
        let own = read(schema);
        let base = own
            .get("$id")
            .and_then(Node::as_str)
            .map_or_else(|| base.to_owned(), |id| uri::resolve(base, id));
        let mut all = vec![(uri::fragment(&base).0.to_owned(), own)];
        all.extend(others.iter().map(|(uri, text)| ((*uri).to_owned(), read(text))));
        Self { all }
    }

    pub(super) fn schema(&self) -> &Node {
        &self.all[0].1
    }

    pub(super) fn draft(&self) -> Draft {
        self.schema().get("$schema").and_then(Node::as_str).and_then(Draft::of_uri).unwrap_or_default()
    }

    /// Finds the schema that a reference of a document means.
    pub(super) fn find(&self, from: usize, reference: &str) -> Option<Found<'_>> {
        let (base, fragment) = uri::fragment(reference);
        let document = if base.is_empty() {
            from
        } else {
            let wanted = uri::resolve(&self.all.get(from)?.0, base);
            self.all.iter().position(|(uri, _)| *uri == wanted)?
        };
        let root = &self.all.get(document)?.1;
        let fragment = uri::decode(fragment);
        if fragment.is_empty() || fragment.starts_with('/') {
            let found =
                pointer::steps(&fragment)?.into_iter().try_fold(root, |node, step| match &node.kind {
                    Kind::Array(items) => items.get(step.parse::<usize>().ok()?),
                    _ => node.get(&step),
                });
            return Some((found?, document));
        }
        Some((anchored(root, &fragment)?, document))
    }

    /// Copies a part of the schema with whatever it refers to in other documents; references inside the schema stay.
    pub(super) fn embedded(&self, part: &Node) -> Node {
        Copy { documents: self, left: LIMIT }.schema(part, 0, &mut Vec::new())
    }
}

/// The schema with a plain-name anchor.
fn anchored<'d>(node: &'d Node, name: &str) -> Option<&'d Node> {
    let is = |key: &str, text: &str| node.get(key).and_then(Node::as_str) == Some(text);
    if is("$anchor", name) || is("$dynamicAnchor", name) || is("$id", &format!("#{name}")) {
        return Some(node);
    }
    let below = node.items().iter().chain(node.members().iter().map(|member| &member.value));
    below.into_iter().find_map(|node| anchored(node, name))
}

/// Whether a reference in the schema starts from the schema's own URI.
pub(super) fn needs_base(node: &Node) -> bool {
    let starts_there = |text: &str| !text.starts_with('#') && !text.contains("://json-schema.org/");
    node.get("$ref").and_then(Node::as_str).is_some_and(starts_there)
        || node.items().iter().any(needs_base)
        || node.members().iter().any(|member| !is_data(&member.key) && needs_base(&member.value))
}

/// Keywords whose values are data and no schemas.
pub(super) fn is_data(key: &str) -> bool {
    matches!(key, "enum" | "const" | "default" | "examples" | "required" | "dependentRequired")
}

fn is_frame(key: &str) -> bool {
    matches!(key, "$schema" | "$id" | "$anchor" | "definitions" | "$defs")
}

struct Copy<'d> {
    documents: &'d Documents,
    left: usize,
}

impl Copy<'_> {
    fn schema(&mut self, node: &Node, document: usize, around: &mut Vec<usize>) -> Node {
        self.left = self.left.saturating_sub(1);
        let reference = node.get("$ref").and_then(Node::as_str);
        if let Some(reference) = reference
            && (document != 0 || !reference.starts_with('#'))
            && let Some((target, place)) = self.documents.find(document, reference)
        {
            let name = std::ptr::from_ref(target).addr();
            // A circle through other documents is cut: the copy then says less.
            if around.contains(&name) || around.len() == NESTED || self.left == 0 {
                return tree::object([]);
            }
            around.push(name);
            let mut copy = self.schema(target, place, around);
            around.pop();
            for key in ["title", "description", "default"] {
                if let Some(value) = node.get(key) {
                    tree::set(&mut copy, key, value.clone());
                }
            }
            return copy;
        }
        let kind = match &node.kind {
            Kind::Array(items) => {
                Kind::Array(items.iter().map(|item| self.schema(item, document, around)).collect())
            }
            Kind::Object(members) => {
                let mut copies = Vec::with_capacity(members.len());
                for member in members {
                    // What names a document or its parts means nothing where the copy stands.
                    if document != 0 && is_frame(&member.key) {
                        continue;
                    }
                    let value = match is_data(&member.key) {
                        true => member.value.clone(),
                        false => self.schema(&member.value, document, around),
                    };
                    copies.push(tree::member(&member.key, value));
                }
                Kind::Object(copies)
            }
            other => other.clone(),
        };
        tree::node(kind)
    }
}
