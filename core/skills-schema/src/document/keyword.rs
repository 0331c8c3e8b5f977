//! The keywords of the three drafts and the kinds of their values. Used to find schemas, to check them and
//! for hints.

use crate::draft::Draft;

/// The kind of a keyword's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeywordValue {
    Any,
    Schema,
    /// A non-empty array of schemas.
    Schemas,
    /// An object of schemas.
    Map,
    /// A schema or a non-empty array of schemas.
    Items,
    /// An object of schemas or arrays of strings.
    Dependencies,
    /// A non-negative integer.
    Count,
    Number,
    /// A number above 0.
    Positive,
    Text,
    Flag,
    /// An array of strings.
    Strings,
    /// An object of arrays of strings.
    StringsMap,
    /// A type name, or an array of type names.
    Types,
    Array,
    /// An object.
    Object,
}

impl KeywordValue {
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Schema => "a schema (an object or a boolean)",
            Self::Schemas => "an array of schemas, not empty",
            Self::Map => "an object of schemas",
            Self::Items => "a schema or an array of schemas, not empty",
            Self::Dependencies => "an object of schemas or arrays of names",
            Self::Count => "an integer, 0 or more",
            Self::Number => "a number",
            Self::Positive => "a number above 0",
            Self::Text => "a string",
            Self::Flag => "a boolean",
            Self::Strings => "an array of strings",
            Self::StringsMap => "an object of arrays of names",
            Self::Types => "the name of a type or an array of them",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

const D7: u8 = 1;
const D19: u8 = 2;
const D20: u8 = 4;
const ALL: u8 = 7;
/// The keyword does not affect which values are valid.
const NOTE: u8 = 8;

/// Every keyword, with bits for the drafts that have it and for annotations, and the kind of its value.
const KEYWORDS: &[(&str, u8, KeywordValue)] = &[
    ("$schema", NOTE | ALL, KeywordValue::Text),
    ("$id", NOTE | ALL, KeywordValue::Text),
    ("$ref", ALL, KeywordValue::Text),
    ("$comment", NOTE | ALL, KeywordValue::Text),
    ("definitions", NOTE | ALL, KeywordValue::Map),
    ("$defs", NOTE | D19 | D20, KeywordValue::Map),
    ("$anchor", NOTE | D19 | D20, KeywordValue::Text),
    ("$recursiveRef", D19, KeywordValue::Text),
    ("$recursiveAnchor", NOTE | D19, KeywordValue::Flag),
    ("$dynamicRef", D20, KeywordValue::Text),
    ("$dynamicAnchor", NOTE | D20, KeywordValue::Text),
    ("$vocabulary", NOTE | D19 | D20, KeywordValue::Object),
    ("type", ALL, KeywordValue::Types),
    ("enum", ALL, KeywordValue::Array),
    ("const", ALL, KeywordValue::Any),
    ("multipleOf", ALL, KeywordValue::Positive),
    ("maximum", ALL, KeywordValue::Number),
    ("exclusiveMaximum", ALL, KeywordValue::Number),
    ("minimum", ALL, KeywordValue::Number),
    ("exclusiveMinimum", ALL, KeywordValue::Number),
    ("maxLength", ALL, KeywordValue::Count),
    ("minLength", ALL, KeywordValue::Count),
    ("pattern", ALL, KeywordValue::Text),
    ("format", ALL, KeywordValue::Text),
    ("items", D7 | D19, KeywordValue::Items),
    ("items", D20, KeywordValue::Schema),
    ("prefixItems", D20, KeywordValue::Schemas),
    ("additionalItems", D7 | D19, KeywordValue::Schema),
    ("unevaluatedItems", D19 | D20, KeywordValue::Schema),
    ("contains", ALL, KeywordValue::Schema),
    ("maxContains", D19 | D20, KeywordValue::Count),
    ("minContains", D19 | D20, KeywordValue::Count),
    ("maxItems", ALL, KeywordValue::Count),
    ("minItems", ALL, KeywordValue::Count),
    ("uniqueItems", ALL, KeywordValue::Flag),
    ("properties", ALL, KeywordValue::Map),
    ("patternProperties", ALL, KeywordValue::Map),
    ("additionalProperties", ALL, KeywordValue::Schema),
    ("unevaluatedProperties", D19 | D20, KeywordValue::Schema),
    ("propertyNames", ALL, KeywordValue::Schema),
    ("required", ALL, KeywordValue::Strings),
    ("maxProperties", ALL, KeywordValue::Count),
    ("minProperties", ALL, KeywordValue::Count),
    ("dependencies", ALL, KeywordValue::Dependencies),
    ("dependentRequired", D19 | D20, KeywordValue::StringsMap),
    ("dependentSchemas", D19 | D20, KeywordValue::Map),
    ("allOf", ALL, KeywordValue::Schemas),
    ("anyOf", ALL, KeywordValue::Schemas),
    ("oneOf", ALL, KeywordValue::Schemas),
    ("not", ALL, KeywordValue::Schema),
    ("if", ALL, KeywordValue::Schema),
    ("then", ALL, KeywordValue::Schema),
    ("else", ALL, KeywordValue::Schema),
    ("title", NOTE | ALL, KeywordValue::Text),
    ("description", NOTE | ALL, KeywordValue::Text),
    ("default", NOTE | ALL, KeywordValue::Any),
    ("examples", NOTE | ALL, KeywordValue::Array),
    ("readOnly", NOTE | ALL, KeywordValue::Flag),
    ("writeOnly", NOTE | ALL, KeywordValue::Flag),
    ("deprecated", NOTE | D7, KeywordValue::Any),
    ("deprecated", NOTE | D19 | D20, KeywordValue::Flag),
    ("contentMediaType", NOTE | ALL, KeywordValue::Text),
    ("contentEncoding", NOTE | ALL, KeywordValue::Text),
    ("contentSchema", NOTE | D19 | D20, KeywordValue::Schema),
];

/// Returns the kind of the keyword's value in this draft, or `None` if the draft does not have the keyword.
pub(crate) fn takes(name: &str, draft: Draft) -> Option<KeywordValue> {
    of_draft(draft).find(|(known, ..)| *known == name).map(|(.., takes)| *takes)
}

/// Returns the keyword with this name in any draft.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    KEYWORDS.iter().find(|(known, ..)| *known == name).map(|(known, ..)| *known)
}

/// Returns the earliest draft that has the keyword.
pub(crate) fn draft_of(name: &str) -> Option<Draft> {
    [Draft::Draft7, Draft::Draft2019, Draft::Draft2020]
        .into_iter()
        .find(|draft| takes(name, *draft).is_some())
}

/// Returns `true` if the keyword does not affect which values are valid.
pub(crate) fn is_annotation(name: &str) -> bool {
    KEYWORDS.iter().any(|(known, drafts, _)| *known == name && drafts & NOTE != 0)
}

/// Returns the keyword of this draft that `name` most likely misspells.
pub(crate) fn near(name: &str, draft: Draft) -> Option<&'static str> {
    skills_text::nearest(name, of_draft(draft).map(|(known, ..)| *known))
}

fn of_draft(draft: Draft) -> impl Iterator<Item = &'static (&'static str, u8, KeywordValue)> {
    KEYWORDS.iter().filter(move |(_, drafts, _)| drafts & draft.bit() != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_meant_keyword() {
        // SPEC 6.1: unknown keywords are warnings with the nearest known one.
        for (name, want) in [
            ("requried", Some("required")),
            ("minlength", Some("minLength")),
            ("propertis", Some("properties")),
            ("additional_properties", Some("additionalProperties")),
            ("id", Some("$id")),
            ("x-order", None),
        ] {
            assert_eq!(near(name, Draft::Draft7), want, "{name}");
        }
        assert_eq!(near("prefixItem", Draft::Draft2020), Some("prefixItems"));
    }
}
