//! Finds every schema in the known texts, with its resource (`$id`), draft and anchors. This is the first
//! step after reading.

use super::keyword::{self, KeywordValue};
use super::{Document, Part, Value};
use crate::draft::Draft;
use crate::uri;
use std::ops::Range;

/// A schema with its own URI: a document's root, or a schema with `$id`.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub(super) uri: String,
    pub(crate) draft: Draft,
    pub(crate) root: u32,
    /// Whether the meta-schema's vocabularies include validation.
    pub(super) validation: bool,
    /// Whether they include format-assertion.
    pub(super) assert_format: bool,
    /// An unknown `$schema`, reported if the resource is used.
    pub(crate) unknown: Option<(String, Range<usize>)>,
    pub(crate) is_recursive: bool,
}

/// A schema with an anchor.
#[derive(Debug, Clone)]
pub(crate) struct Anchor {
    pub(crate) at: u32,
    pub(crate) is_dynamic: bool,
}

impl Document {
    /// Returns `true` if a reference may lead to a meta-schema of a draft.
    pub(super) fn mentions_meta_schemas(&self) -> bool {
        self.entries.iter().flat_map(|entry| self.leads_of(entry)).any(|(at, _)| {
            match &self.entry(at).value {
                Value::String(reference) => reference.contains("://json-schema.org/draft"),
                _ => false,
            }
        })
    }

    pub(super) fn index(&mut self) {
        for number in 0..self.sources.len() {
            let (uri, root) = (self.sources[number].uri.clone(), self.sources[number].root);
            // If another document has no `$schema`, the draft of the main schema applies to it.
            let draft = self.resources.first().map_or(Draft::default(), |first| first.draft);
            let resource = self.begin(uri, root, draft);
            self.walk(root, resource, true);
        }
    }

    /// Adds a resource. Its draft is given by `$schema`, or else `inherited`.
    fn begin(&mut self, uri: String, at: u32, inherited: Draft) -> u32 {
        let root = self.part(at);
        let mut resource = Resource {
            uri: uri.clone(),
            draft: inherited,
            root: at,
            validation: true,
            assert_format: false,
            unknown: None,
            is_recursive: root.get("$recursiveAnchor").is_some_and(|value| value.is_bool(true)),
        };
        if let Some(schema) = root.get("$schema") {
            let name = schema.as_str().unwrap_or_default();
            // The `$schema` of a meta-schema may lead to another one. Three steps are enough in practice.
            let mut meta = name;
            let mut draft = Draft::of_uri(meta);
            for _ in 0..3 {
                let wanted = uri::fragment(meta).0;
                let found = self.sources.iter().find(|source| {
                    let id = self.part(source.root).get("$id").and_then(Part::as_str);
                    source.uri == wanted || id == Some(wanted)
                });
                let Some(found) = found.filter(|_| draft.is_none()) else { break };
                let found = self.part(found.root);
                if let Some(vocabulary) = found.get("$vocabulary") {
                    let members = vocabulary.members();
                    resource.validation = members.iter().any(|m| m.key.ends_with("/vocab/validation"));
                    resource.assert_format =
                        members.iter().any(|m| m.key.ends_with("/vocab/format-assertion"));
                }
                let Some(next) = found.get("$schema").and_then(|value| value.as_str()) else { break };
                meta = next;
                draft = Draft::of_uri(meta);
            }
            match draft {
                Some(draft) => resource.draft = draft,
                // A `$schema` that is not a string is reported as a keyword of the wrong kind.
                None if schema.as_str().is_some() => {
                    resource.unknown = Some((name.to_owned(), schema.span()))
                }
                None => {}
            }
        }
        let number = u32::try_from(self.resources.len()).unwrap_or(u32::MAX);
        self.resources.push(resource);
        self.by_uri.first(uri, number as usize);
        number
    }

    /// Returns the resource that a schema's `$id` starts, or the surrounding one.
    fn identified(&mut self, at: u32, around: u32, is_top: bool) -> u32 {
        let draft = self.resource(around).draft;
        let schema = self.part(at);
        let Some(id) = schema.get("$id").and_then(|id| id.as_str()) else { return around };
        // draft-07 ignores all keywords next to `$ref`.
        if draft == Draft::Draft7 && !is_top && schema.has("$ref") {
            return around;
        }
        let (base, fragment) = uri::fragment(id);
        let fragment = fragment.to_owned();
        let mut resource = around;
        if !base.is_empty() {
            let full = uri::resolve(&self.resource(around).uri, base);
            if is_top {
                self.resources[around as usize].uri.clone_from(&full);
                self.by_uri.first(full, around as usize);
            } else {
                resource = self.begin(full, at, draft);
            }
        }
        if draft == Draft::Draft7 && !fragment.is_empty() {
            self.anchors.entry((resource, fragment)).or_insert(Anchor { at, is_dynamic: false });
        }
        resource
    }

    fn walk(&mut self, at: u32, around: u32, is_top: bool) {
        let resource = self.identified(at, around, is_top);
        self.entries[at as usize].is_schema = true;
        if is_top || resource != around {
            let end = self.entry(at).end;
            self.entries[at as usize..end as usize].iter_mut().for_each(|entry| entry.resource = resource);
        }
        let draft = self.resource(resource).draft;
        let schema = self.part(at);
        if draft != Draft::Draft7 {
            let [plain, dynamic] = ["$anchor", "$dynamicAnchor"]
                .map(|key| schema.get(key).and_then(Part::as_str).map(str::to_owned));
            let is_dynamic = schema.has("$dynamicRef") || schema.has("$recursiveRef");
            if let Some(name) = plain {
                self.anchors.entry((resource, name)).or_insert(Anchor { at, is_dynamic: false });
            }
            if let Some(name) = dynamic {
                self.anchors.insert((resource, name), Anchor { at, is_dynamic: true });
            }
            self.is_dynamic |= is_dynamic;
        }
        for schema in self.schemas_in(at, draft) {
            self.walk(schema, resource, false);
        }
    }

    /// Returns the schemas in the keywords of a schema.
    pub(super) fn schemas_in(&self, at: u32, draft: Draft) -> Vec<u32> {
        let mut found = Vec::new();
        let Value::Object(keys) = &self.entry(at).value else { return found };
        for key in keys {
            let inside = &self.entry(key.value).value;
            match (keyword::takes(&key.key, draft), inside) {
                (Some(KeywordValue::Schemas), Value::Array(items)) => found.extend(items),
                (Some(KeywordValue::Items), Value::Array(items)) if !items.is_empty() => found.extend(items),
                (Some(KeywordValue::Schema | KeywordValue::Items), _) => found.push(key.value),
                (Some(KeywordValue::Map | KeywordValue::Dependencies), Value::Object(keys)) => {
                    found.extend(keys.iter().map(|key| key.value));
                }
                _ => {}
            }
        }
        found
    }
}
