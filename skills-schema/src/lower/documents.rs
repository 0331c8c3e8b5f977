//! Finds every schema in the documents at hand: its resource (`$id`), draft and anchors; called first by `lower`.

use super::draft::{BUILTIN, Draft};
use super::keyword::{self, Takes};
use super::uri;
use crate::json::{self, Kind, Node};
use std::collections::HashMap;
use std::ops::Range;

/// One text and the tree in it.
pub(super) struct Document {
    /// The URI it goes by; empty for the schema itself unless the caller gave one.
    pub(super) uri: String,
    pub(super) root: Node,
}

/// A schema with a URI of its own: a document's root, or one with `$id` inside.
pub(super) struct Resource<'d> {
    pub(super) uri: String,
    pub(super) draft: Draft,
    pub(super) root: &'d Node,
    pub(super) document: usize,
    /// Whether the meta-schema's vocabularies include validation.
    pub(super) validation: bool,
    /// Whether they include format-assertion.
    pub(super) assert_format: bool,
    /// A `$schema` that names no draft, to be reported when the resource is used.
    pub(super) unknown: Option<(String, Range<usize>)>,
    pub(super) recursive: bool,
}

/// All schemas of all documents.
pub(super) struct Index<'d> {
    pub(super) resources: Vec<Resource<'d>>,
    pub(super) by_uri: HashMap<String, usize>,
    /// Anchors by resource and name, with whether they are dynamic.
    pub(super) anchors: HashMap<(usize, String), (&'d Node, bool)>,
    /// The resource of each schema, by the address of its node.
    pub(super) scopes: HashMap<usize, usize>,
    /// Whether a reference depends on the dynamic scope.
    pub(super) dynamic: bool,
}

pub(super) fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

/// The meta-schemas that the documents refer to.
pub(super) fn builtin(documents: &[Document]) -> Vec<Document> {
    fn mentions(node: &Node) -> bool {
        let here = ["$ref", "$dynamicRef"].iter().filter_map(|key| node.get(key)?.as_str());
        here.into_iter().any(|text| text.contains("://json-schema.org/draft"))
            || node.items().iter().any(mentions)
            || node.members().iter().any(|member| mentions(&member.value))
    }
    if !documents.iter().any(|document| mentions(&document.root)) {
        return Vec::new();
    }
    let parsed = BUILTIN.iter().filter_map(|(uri, text)| Some((uri, json::read(text).root?)));
    parsed.map(|(uri, root)| Document { uri: (*uri).to_owned(), root }).collect()
}

impl<'d> Index<'d> {
    pub(super) fn of(documents: &'d [Document]) -> Self {
        let mut index = Self {
            resources: Vec::new(),
            by_uri: HashMap::new(),
            anchors: HashMap::new(),
            scopes: HashMap::new(),
            dynamic: false,
        };
        for (number, document) in documents.iter().enumerate() {
            // A further document without `$schema` is of the schema's draft.
            let draft = index.resources.first().map_or(Draft::default(), |first| first.draft);
            let resource = index.resource(document.uri.clone(), &document.root, number, draft, documents);
            index.walk(&document.root, resource, true, documents);
        }
        index
    }

    /// Notes a resource; its draft is what `$schema` says, else `inherited`.
    fn resource(
        &mut self,
        uri: String,
        root: &'d Node,
        document: usize,
        inherited: Draft,
        documents: &'d [Document],
    ) -> usize {
        let mut resource = Resource {
            uri: uri.clone(),
            draft: inherited,
            root,
            document,
            validation: true,
            assert_format: false,
            unknown: None,
            recursive: false,
        };
        if let Some(schema) = root.get("$schema") {
            let name = schema.as_str().unwrap_or_default();
            // A meta-schema's own `$schema` may lead on to another: three steps are plenty.
            let mut meta = name.to_owned();
            let mut draft = Draft::of_uri(&meta);
            for _ in 0..3 {
                let wanted = uri::fragment(&meta).0;
                let is_it = |d: &&Document| {
                    d.uri == wanted || d.root.get("$id").and_then(Node::as_str) == Some(wanted)
                };
                let Some(found) = documents.iter().find(is_it).filter(|_| draft.is_none()) else { break };
                if let Some(vocabulary) = found.root.get("$vocabulary") {
                    let has = |part: &str| vocabulary.members().iter().any(|m| m.key.ends_with(part));
                    resource.validation = has("/vocab/validation");
                    resource.assert_format = has("/vocab/format-assertion");
                }
                let Some(next) = found.root.get("$schema").and_then(Node::as_str) else { break };
                meta = next.to_owned();
                draft = Draft::of_uri(&meta);
            }
            match draft {
                Some(draft) => resource.draft = draft,
                // A `$schema` that is no string is reported as a keyword of the wrong kind.
                None if schema.as_str().is_some() => {
                    resource.unknown = Some((name.to_owned(), schema.span.clone()));
                }
                None => {}
            }
        }
        resource.recursive = matches!(root.get("$recursiveAnchor").map(|n| &n.kind), Some(Kind::Bool(true)));
        self.resources.push(resource);
        let number = self.resources.len() - 1;
        self.by_uri.entry(uri).or_insert(number);
        number
    }

    /// The resource that begins at a schema with this `$id`, or the one around it.
    fn identified(&mut self, node: &'d Node, around: usize, top: bool, documents: &'d [Document]) -> usize {
        let outer = &self.resources[around];
        let (draft, document) = (outer.draft, outer.document);
        let Some(id) = node.get("$id").and_then(Node::as_str) else { return around };
        // draft-07: whatever stands beside `$ref` is ignored.
        if draft == Draft::Draft7 && !top && node.get("$ref").is_some() {
            return around;
        }
        let (base, fragment) = uri::fragment(id);
        let mut resource = around;
        if !base.is_empty() {
            let full = uri::resolve(&outer.uri, base);
            if top {
                self.resources[around].uri.clone_from(&full);
                self.by_uri.entry(full).or_insert(around);
            } else {
                resource = self.resource(full, node, document, draft, documents);
            }
        }
        if draft == Draft::Draft7 && !fragment.is_empty() {
            self.anchors.entry((resource, fragment.to_owned())).or_insert((node, false));
        }
        resource
    }

    fn walk(&mut self, node: &'d Node, around: usize, top: bool, documents: &'d [Document]) {
        let resource = self.identified(node, around, top, documents);
        self.scopes.insert(address(node), resource);
        let draft = self.resources[resource].draft;
        if draft != Draft::Draft7 {
            if let Some(name) = node.get("$anchor").and_then(Node::as_str) {
                self.anchors.entry((resource, name.to_owned())).or_insert((node, false));
            }
            if let Some(name) = node.get("$dynamicAnchor").and_then(Node::as_str) {
                self.anchors.insert((resource, name.to_owned()), (node, true));
            }
            self.dynamic |= node.get("$dynamicRef").is_some() || node.get("$recursiveRef").is_some();
        }
        for member in node.members() {
            let value = &member.value;
            match keyword::takes(&member.key, draft) {
                Some(Takes::Schema) => self.walk(value, resource, false, documents),
                Some(Takes::Schemas) => {
                    value.items().iter().for_each(|item| self.walk(item, resource, false, documents));
                }
                Some(Takes::Items) => {
                    let items = value.items();
                    items.iter().for_each(|item| self.walk(item, resource, false, documents));
                    if items.is_empty() {
                        self.walk(value, resource, false, documents);
                    }
                }
                Some(Takes::Map | Takes::Dependencies) => {
                    let values = value.members().iter().map(|m| &m.value);
                    values.for_each(|schema| self.walk(schema, resource, false, documents));
                }
                _ => {}
            }
        }
    }
}
