//! Computes the alternatives of a schema, and the kinds, members and elements that each of them allows.
//!
//! A schema is split into alternatives, each a list of plain schemas that all apply: `$ref` is followed,
//! `allOf` is joined, `anyOf` and `oneOf` are multiplied out. An answer may include invalid values, but never
//! excludes a valid one: unsupported keywords are ignored.

use skills_schema::{Part, Value};

use super::kinds::Kinds;
use crate::tree::ScalarType;

/// Plain schemas that apply together.
#[derive(Clone, Debug)]
pub(crate) struct Alternative<'s> {
    pub(crate) parts: Vec<Part<'s>>,
    /// Whether it has keywords that are not supported, so that it may have any member.
    open: bool,
}

pub(crate) enum Member<'s> {
    Schema(Part<'s>),
    Anything,
    /// It cannot be present. Holds the properties that can be.
    Nothing(Known<'s>),
}

/// The keys that an object can have. They are listed only for a message, since there may be many.
#[derive(Debug, Default)]
pub(crate) struct Known<'s> {
    properties: Vec<Part<'s>>,
    names: Vec<&'static str>,
}

impl<'s> Known<'s> {
    fn from_part(part: Part<'s>) -> Self {
        Self { properties: part.get("properties").into_iter().collect(), names: Vec::new() }
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.properties.extend(other.properties);
        self.names.extend(other.names);
    }

    pub(crate) fn add(&mut self, name: &'static str) {
        self.names.push(name);
    }

    pub(crate) fn is_empty(&self) -> bool {
        let mut values = self.properties.iter().map(|part| part.value());
        self.names.is_empty() && !values.any(|value| matches!(value, Value::Object(keys) if !keys.is_empty()))
    }

    pub(crate) fn names(&self) -> Vec<&'s str> {
        let declared = self.properties.iter().flat_map(|part| part.members()).map(|member| member.key);
        let names: Vec<&'s str> = declared.chain(self.names.iter().copied()).collect();
        skills_text::work::count(names.len());
        names
    }
}

/// The maximum number of alternatives; with more, nothing is known about the schema.
const MAX_ALTERNATIVES: usize = 64;
/// The maximum depth and number of references and combinations that one query follows.
const DEEPEST: usize = 24;
const LONGEST: usize = 512;
/// The number of items of a list in a schema that one query looks at.
const SEARCHED: usize = 256;

/// Returns `true` if a schema has a keyword besides `properties` that can allow members, and that is not `false`.
fn is_opening(schema: &Part<'_>) -> bool {
    OPENING.split(' ').any(|word| schema.get(word).is_some_and(|value| !value.is_bool(false)))
}

const OPENING: &str = "\
    additionalProperties patternProperties unevaluatedProperties if then else dependencies \
    dependentSchemas $dynamicRef $recursiveRef";

/// Returns the alternatives of a schema; `None` if there are too many or they form a cycle.
pub(crate) fn alternatives(schema: Part<'_>) -> Option<Vec<Alternative<'_>>> {
    expand(schema, DEEPEST, &mut { LONGEST })
}

fn expand<'s>(schema: Part<'s>, depth: usize, left: &mut usize) -> Option<Vec<Alternative<'s>>> {
    let depth = depth.checked_sub(1)?;
    *left = left.checked_sub(1)?;
    let is_alone = schema.is_alone();
    let parts = if is_alone { Vec::new() } else { vec![schema] };
    let mut found = vec![Alternative { parts, open: false }];
    if schema.has("$ref") {
        match schema.reference() {
            Some(target) => found = product(found, expand(target, depth, left)?)?,
            None => found.iter_mut().for_each(|alternative| alternative.open = true),
        }
    }
    if is_alone {
        return Some(found);
    }
    for part in schema.items_of("allOf") {
        found = product(found, expand(part, depth, left)?)?;
    }
    for key in ["anyOf", "oneOf"] {
        let branches = schema.items_of(key);
        if branches.is_empty() {
            continue;
        }
        let mut either = Vec::new();
        for branch in branches {
            either.extend(expand(branch, depth, left)?);
        }
        found = product(found, either)?;
    }
    Some(found)
}

fn product<'s>(left: Vec<Alternative<'s>>, right: Vec<Alternative<'s>>) -> Option<Vec<Alternative<'s>>> {
    if left.len().saturating_mul(right.len()) > MAX_ALTERNATIVES {
        return None;
    }
    let mut both = Vec::new();
    for a in &left {
        for b in &right {
            both.push(Alternative { parts: [&*a.parts, &b.parts].concat(), open: a.open || b.open });
        }
    }
    Some(both)
}

impl<'s> Alternative<'s> {
    pub(crate) fn kinds(&self) -> Kinds {
        self.parts.iter().fold(Kinds::ALL, |kinds, part| kinds.and(kinds_of(*part)))
    }

    /// Returns all valid scalars, if the schema lists them and the list is short.
    pub(crate) fn scalars(&self) -> Option<Vec<ListedScalar<'s>>> {
        let listed = self.parts.iter().find_map(|part| match part.get("const") {
            Some(value) => Some(vec![value]),
            None => part.get("enum").map(|values| values.first(SEARCHED + 1)),
        })?;
        skills_text::work::count(listed.len());
        if listed.len() > SEARCHED {
            return None;
        }
        let kinds = self.kinds();
        let scalars = listed.into_iter().filter_map(ListedScalar::from_value);
        Some(scalars.filter(|scalar| scalar.kinds().meets(kinds)).collect())
    }

    /// Returns the names that every valid object has, in the order of the schema.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'s str> + use<'s, '_> {
        let listed = self.parts.iter().flat_map(|part| part.items_of("required"));
        listed.filter_map(Part::as_str)
    }

    /// Returns names that every valid object has. From a long list, returns only the first ones.
    pub(crate) fn first_required(&self) -> Vec<&'s str> {
        let lists = self.parts.iter().filter_map(|part| Some(part.get("required")?.first(SEARCHED)));
        let names: Vec<_> = lists.flatten().filter_map(Part::as_str).collect();
        skills_text::work::count(names.len());
        names
    }

    pub(crate) fn declares(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.get("properties").is_some_and(|properties| properties.has(name)))
    }

    /// Returns the schema for a key of an object.
    pub(crate) fn member(&self, key: &str) -> Member<'s> {
        let mut known = Known::default();
        let mut open = self.open;
        for part in &self.parts {
            if let Some(schema) = part.get("properties").and_then(|properties| properties.get(key)) {
                return Member::Schema(schema);
            }
            known.extend(Known::from_part(*part));
            open |= is_opening(part);
        }
        for part in &self.parts {
            let beyond = accepts(*part, key);
            if matches!(beyond, Member::Schema(_)) {
                return beyond;
            }
        }
        if known.is_empty() || open { Member::Anything } else { Member::Nothing(known) }
    }

    /// Returns the declared property that an undeclared key probably misspells; `None` if the schema has a keyword
    /// for undeclared members. `is_used` returns `true` for properties that are already present.
    pub(crate) fn intended_key(&self, key: &str, is_used: &dyn Fn(&str) -> bool) -> Option<&'s str> {
        if self.open || self.parts.iter().any(is_opening) {
            return None;
        }
        let declared =
            self.parts.iter().flat_map(|part| part.members_of("properties")).map(|member| member.key);
        skills_text::nearest(key, declared.filter(|name| !is_used(name)))
    }

    /// Returns the schemas of all elements or, with `place`, the schema of the element at this index. Returns
    /// `None` if any element is allowed, or if the tuple of schemas is too long.
    pub(crate) fn elements(&self, place: Option<usize>) -> Option<Vec<Part<'s>>> {
        let part = self.parts.iter().find(|part| part.has("items") || part.has("prefixItems"))?;
        let (items, prefix) = (part.get("items"), part.get("prefixItems"));
        let (tuple, rest) =
            match (items.filter(|part| part.is_array()), prefix.filter(|part| part.is_array())) {
                (Some(tuple), None) => (Some(tuple), part.get("additionalItems")),
                (_, Some(tuple)) => (Some(tuple), items),
                (None, None) => (None, items),
            };
        if let Some(place) = place {
            return Some(vec![tuple.and_then(|tuple| tuple.item(place)).or(rest)?]);
        }
        let first = tuple.map(|tuple| tuple.first(SEARCHED + 1)).unwrap_or_default();
        skills_text::work::count(first.len());
        // Without a schema for the rest, any element may follow the tuple.
        let is_known = first.len() <= SEARCHED && (first.is_empty() || rest.is_some());
        is_known.then(|| first.into_iter().chain(rest).collect())
    }
}

/// Returns what a plain schema accepts at a key.
pub(crate) fn accepts<'s>(part: Part<'s>, key: &str) -> Member<'s> {
    if let Some(schema) = part.get("properties").and_then(|properties| properties.get(key)) {
        return Member::Schema(schema);
    }
    match part.get("additionalProperties") {
        Some(_) if part.has("patternProperties") => Member::Anything,
        Some(schema) if schema.is_bool(false) => Member::Nothing(Known::from_part(part)),
        Some(schema) => Member::Schema(schema),
        None => Member::Anything,
    }
}

fn kinds_of(part: Part<'_>) -> Kinds {
    if part.is_bool(false) {
        return Kinds::NONE;
    }
    let named = part.types().into_iter().map(Kinds::named).reduce(Kinds::or);
    let mut kinds = named.unwrap_or(Kinds::ALL);
    if let Some(value) = part.get("const") {
        kinds = kinds.and(kind_of(value));
    }
    if let Some(values) = part.get("enum").filter(|values| values.is_array()) {
        let listed = values.first(SEARCHED + 1);
        skills_text::work::count(listed.len());
        // The kinds in a long list are not computed, since many expressions may read the value.
        if listed.len() <= SEARCHED {
            kinds = kinds.and(listed.into_iter().map(kind_of).fold(Kinds::NONE, Kinds::or));
        }
    }
    kinds
}

/// Returns the kind of a value in a schema.
pub(crate) fn kind_of(value: Part<'_>) -> Kinds {
    match value.value() {
        Value::Array(_) => Kinds::ARRAY,
        Value::Object(_) => Kinds::OBJECT,
        _ => ListedScalar::from_value(value).map_or(Kinds::NONE, |scalar| scalar.kinds()),
    }
}

/// A scalar that a schema lists or that a template writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListedScalar<'s> {
    pub(crate) kind: ScalarType,
    /// The text of a string, and any other scalar as JSON.
    pub(crate) text: &'s str,
}

impl<'s> ListedScalar<'s> {
    fn from_value(value: Part<'s>) -> Option<Self> {
        let (kind, text) = match value.value() {
            Value::Null => (ScalarType::Null, "null"),
            Value::Bool(yes) => (ScalarType::Bool, if *yes { "true" } else { "false" }),
            Value::Number(text) => (ScalarType::Number, text.as_str()),
            Value::String(text) => (ScalarType::String, text.as_str()),
            Value::Array(_) | Value::Object(_) => return None,
        };
        Some(Self { kind, text })
    }

    fn kinds(self) -> Kinds {
        Kinds::of_scalar(self.kind, self.text)
    }
}
