//! A part of a document: a schema or another value, with the facts about it.

use super::arena::{ArenaEntry, Key};
use super::index::Resource;
use super::{Document, Lead, Value, fits, keyword};
use crate::draft::Draft;
use crate::format::{self, TypedFormat};
use crate::json::{Node, make};
use std::fmt;
use std::ops::Range;

/// A value in a [`Document`], identified by its number.
#[derive(Clone, Copy)]
pub struct Part<'d> {
    document: &'d Document,
    at: u32,
}

/// A member of an object.
#[derive(Clone, Debug)]
pub struct PartMember<'d> {
    /// The key, unescaped.
    pub key: &'d str,
    /// The byte range of the key, including the quotes.
    pub key_span: Range<usize>,
    /// The value.
    pub value: Part<'d>,
}

impl PartialEq for Part<'_> {
    /// Returns `true` if both are the same part of the same document.
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && std::ptr::eq(self.document, other.document)
    }
}

impl Eq for Part<'_> {}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl<'d> Part<'d> {
    pub(super) fn new(document: &'d Document, at: u32) -> Self {
        Self { document, at }
    }

    fn entry(self) -> &'d ArenaEntry {
        self.document.entry(self.at)
    }

    /// Returns the number of the part in its document.
    pub fn number(self) -> u32 {
        self.at
    }

    /// Returns the document.
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// Returns the value itself.
    pub fn value(self) -> &'d Value {
        &self.entry().value
    }

    fn keys(self) -> &'d [Key] {
        if let Value::Object(keys) = self.value() { keys } else { &[] }
    }

    fn child(self, at: u32) -> Self {
        Self { document: self.document, at }
    }

    /// Returns the value of the (last) member with this key, if the part is an object that has one.
    pub fn get(self, key: &str) -> Option<Self> {
        let (keys, by_name) = (self.keys(), &self.entry().by_name);
        if by_name.is_empty() {
            return keys.iter().rev().find(|known| known.key == key).map(|known| self.child(known.value));
        }
        let behind = by_name
            .partition_point(|place| keys.get(*place as usize).is_none_or(|known| known.key.as_str() <= key));
        let last = by_name.get(behind.checked_sub(1)?)?;
        keys.get(*last as usize).filter(|known| known.key == key).map(|known| self.child(known.value))
    }

    /// Returns `true` if the part is an object with this key.
    pub fn has(self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Returns the members of an object, or an empty list for any other part.
    pub fn members(self) -> Vec<PartMember<'d>> {
        let mut members = Vec::with_capacity(self.keys().len());
        for Key { key, key_span, value } in self.keys() {
            members.push(PartMember { key, key_span: key_span.clone(), value: self.child(*value) });
        }
        members
    }

    /// Returns the members of the object under a key, or an empty list if the key is missing or not an
    /// object.
    pub fn members_of(self, key: &str) -> Vec<PartMember<'d>> {
        self.get(key).map(Self::members).unwrap_or_default()
    }

    /// Returns the first items of an array, at most the given number, or an empty list for any other part.
    pub fn first(self, count: usize) -> Vec<Self> {
        let Value::Array(items) = self.value() else { return Vec::new() };
        items.iter().take(count).map(|at| self.child(*at)).collect()
    }

    /// Returns the item at a place, from 0, if the part is an array that has one.
    pub fn item(self, place: usize) -> Option<Self> {
        let Value::Array(items) = self.value() else { return None };
        items.get(place).map(|at| self.child(*at))
    }

    /// Returns the items of an array, or an empty list for any other part.
    pub fn items(self) -> Vec<Self> {
        self.first(usize::MAX)
    }

    /// Returns the items of the array under a key, or an empty list if the key is missing or not an array.
    pub fn items_of(self, key: &str) -> Vec<Self> {
        self.get(key).map(Self::items).unwrap_or_default()
    }

    /// Returns the string, if the part is one.
    pub fn as_str(self) -> Option<&'d str> {
        if let Value::String(text) = self.value() { Some(text) } else { None }
    }

    /// Returns `true` if the part is an object.
    pub fn is_object(self) -> bool {
        matches!(self.value(), Value::Object(_))
    }

    /// Returns `true` if the part is an array.
    pub fn is_array(self) -> bool {
        matches!(self.value(), Value::Array(_))
    }

    /// Returns `true` if the part is this boolean.
    pub fn is_bool(self, wanted: bool) -> bool {
        matches!(self.value(), Value::Bool(value) if *value == wanted)
    }

    /// Returns the byte range in the source text, including brackets and quotes.
    pub fn span(self) -> Range<usize> {
        self.entry().span.clone()
    }

    /// Returns the text of the part, as written.
    pub fn text(self) -> &'d str {
        self.document.slice(self.source(), self.span())
    }

    /// Returns the whole source text that contains the part.
    pub fn source_text(self) -> &'d str {
        self.document.source_text(self.source())
    }

    /// Returns the URI of the source text. Empty for the schema itself unless the caller gave one.
    pub fn source_uri(self) -> &'d str {
        self.document.source_uri(self.source())
    }

    /// Returns the index of the source text: 0 for the schema itself, n for the n-th document that was found.
    pub fn source(self) -> usize {
        self.entry().source as usize
    }

    /// Returns the number of its resource.
    pub(crate) fn home(self) -> u32 {
        self.entry().resource
    }

    pub(crate) fn resource(self) -> &'d Resource {
        self.document.resource(self.home())
    }

    /// Returns `true` if the part belongs to the schema itself, and not to another document or to an embedded
    /// schema with its own URI.
    pub fn is_own(self) -> bool {
        self.home() == 0
    }

    /// Returns the draft that applies to the part.
    pub fn draft(self) -> Draft {
        self.resource().draft
    }

    /// Returns `true` if a keyword or a reference says that the part is a schema.
    pub fn is_schema(self) -> bool {
        self.entry().is_schema
    }

    /// Returns the target of the part if the part is a reference.
    pub(crate) fn lead(self) -> &'d Lead {
        &self.entry().lead
    }

    /// Returns the target of the part if it is the value of a `$ref`. Returns `None` if it leads nowhere or
    /// to an unknown document.
    pub fn target(self) -> Option<Self> {
        if let Lead::Found { at, .. } = self.lead() { Some(self.child(*at)) } else { None }
    }

    /// Returns `true` if the part contains a reference, whose target could change if the part is copied
    /// elsewhere.
    pub fn has_references(self) -> bool {
        let inside = self.number() as usize..self.entry().end as usize;
        let entries = self.document.entries.get(inside).unwrap_or_default();
        entries.iter().any(|entry| self.document.leads_of(entry).next().is_some())
    }

    /// Returns the target of the schema's `$ref`.
    pub fn reference(self) -> Option<Self> {
        self.get("$ref")?.target()
    }

    /// Returns the target of a schema that has only `$ref` and annotations.
    pub fn plain_reference(self) -> Option<Self> {
        let target = self.reference()?;
        let is_only = !self.document.is_dynamic
            && self.keys().iter().all(|key| key.key == "$ref" || keyword::is_annotation(&key.key));
        is_only.then_some(target)
    }

    /// Returns `true` if the `$ref` of the schema makes all other keywords ineffective, as in draft-07.
    pub fn is_alone(self) -> bool {
        self.draft() == Draft::Draft7 && self.has("$ref")
    }

    /// Returns the names in `type`, or an empty list if it is absent.
    pub fn types(self) -> Vec<&'d str> {
        let Some(types) = self.get("type") else { return Vec::new() };
        types
            .as_str()
            .map_or_else(|| types.items().into_iter().filter_map(Self::as_str).collect(), |name| vec![name])
    }

    /// Returns the default of a property's schema: its own default or, if the schema is only a reference, the
    /// default of its target.
    pub fn default(self) -> Option<Self> {
        let mut schema = self;
        for _ in 0..16 {
            if let Some(default) = schema.get("default") {
                return Some(default);
            }
            schema = schema.plain_reference()?;
        }
        None
    }

    /// Returns the value of a keyword if the draft has the keyword and the value has the right kind.
    pub(crate) fn keyword_value(self, name: &str) -> Option<Self> {
        let takes = keyword::takes(name, self.draft())?;
        self.get(name).filter(|value| fits(takes, *value))
    }

    /// Returns the value of a keyword like [`keyword_value`](Self::keyword_value), for a keyword of the validation vocabulary.
    pub(crate) fn rule(self, name: &str) -> Option<Self> {
        if self.resource().validation { self.keyword_value(name) } else { None }
    }

    /// Returns the format that the schema asserts. `None` for an annotation, and for a format without a Rust
    /// type.
    ///
    /// ```
    /// use skills_schema::lower::DocumentOptions;
    /// use skills_schema::{Document, TypedFormat};
    ///
    /// let read = |text| Document::read(text, &DocumentOptions::default());
    /// assert_eq!(read(r#"{"format": "date"}"#).root().format(), Some(TypedFormat::Date));
    /// let new = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "format": "date"}"#;
    /// assert_eq!(read(new).root().format(), None);
    /// ```
    pub fn format(self) -> Option<TypedFormat> {
        let name = self.get("format")?.as_str()?;
        if self.document.asserts_formats(self.resource()) { format::typed(name, self.draft()) } else { None }
    }

    /// Returns a copy without a position.
    pub fn to_node(self) -> Node {
        match self.value() {
            Value::Null => make::null(),
            Value::Bool(yes) => make::boolean(*yes),
            Value::Number(text) => make::number(text),
            Value::String(text) => make::string(text),
            Value::Array(_) => make::array(self.items().into_iter().map(Self::to_node)),
            Value::Object(_) => {
                make::object(self.members().iter().map(|member| (member.key, member.value.to_node())))
            }
        }
    }
}
