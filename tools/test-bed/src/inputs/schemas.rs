//! JSON Schemas of inputs: references, patterns and alternatives.

use super::{Files, Input, file, input, list, list_by, typed};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("a chain of references", |size| defs(size, r##"{"$ref": "#/definitions/d{next}"}"##)),
    input("a chain back of references", |size| defs(size, r##"{"$ref": "#/definitions/d{before}"}"##)),
    input("references to one", |size| defs(size, r##"{"$ref": "#/definitions/d0"}"##)),
    input("a chain of properties", |size| {
        defs(size, r##"{"properties": {"a": {"$ref": "#/definitions/d{next}"}}}"##)
    }),
    input("a chain of alternatives", |size| {
        defs(size, r##"{"anyOf": [{"type": "null"}, {"$ref": "#/definitions/d{next}"}]}"##)
    }),
    input("a chain of allOf", |size| {
        defs(size, r##"{"allOf": [{"type": "object"}, {"$ref": "#/definitions/d{next}"}]}"##)
    }),
    input("a chain with defaults", |size| defs(size, r##"{"$ref": "#/definitions/d{next}", "default": 1}"##)),
    input("references to nothing", |size| defs(size, r##"{"$ref": "#/definitions/x{at}"}"##)),
    input("references to elsewhere", |size| defs(size, r#"{"$ref": "https://x.y/d{at}"}"#)),
    input("references to files", |size| defs(size, r#"{"$ref": "d{at}.json"}"#)),
    input("long pointers", |size| defs(size, r##"{"$ref": "#/definitions/d0/a/b/c/d/e/f"}"##)),
    input("a circle of references", |size| {
        let count = (size / 45).max(1);
        let defs =
            list_by(size, |at| format!(r##""d{at}": {{"$ref": "#/definitions/d{}"}}"##, (at + 1) % count));
        defined(OLD, &defs)
    }),
    input("anchors of schemas", |size| defs_of(NEW, size, r##"{"$anchor": "a{at}", "$ref": "#a{next}"}"##)),
    input("dynamic anchors", |size| {
        defs_of(NEW, size, r##"{"$dynamicAnchor": "a{at}", "not": {"$dynamicRef": "#a{next}"}}"##)
    }),
    input("the same anchor", |size| defs_of(NEW, size, r#"{"$anchor": "a"}"#)),
    input("ids", |size| defs_of(NEW, size, r#"{"$id": "https://x.y/{at}", "$ref": "{next}"}"#)),
    input("dynamic anchors in ids", |size| {
        defs_of(
            NEW,
            size,
            r##"{"$id": "https://x.y/{at}", "$dynamicAnchor": "a", "$ref": "{next}", "not": {"$dynamicRef": "#a"}}"##,
        )
    }),
    input("definitions that are their own meta-schema", |size| {
        defs_of(NEW, size, r#"{"$id": "https://x.y/{at}", "$schema": "https://x.y/{at}"}"#)
    }),
    input("properties", |size| properties(size, r#"{"type": "string"}"#)),
    input("properties with faults", |size| properties(size, r#"{"typ": 1}"#)),
    input("properties with defaults", |size| properties(size, r#"{"type": "string", "default": 1}"#)),
    input("properties with patterns", |size| {
        properties(size, r#"{"type": "string", "pattern": "^a{at}(b|c)*$"}"#)
    }),
    input("properties with faulty patterns", |size| {
        properties(size, r#"{"type": "string", "pattern": "^a{at}("}"#)
    }),
    input("a long pattern", |size| {
        properties(1, r#"{"type": "string", "pattern": "X"}"#)
            .into_iter()
            .map(|(path, text)| (path, text.replace('X', &"(a|b)".repeat(size / 5))))
            .collect()
    }),
    input("patterns of properties", |size| {
        schema(size, r#"{"type": "object", "patternProperties": {ITEMS}}"#, r#""^a{at}": {}"#)
    }),
    input("required names", |size| schema(size, r#"{"type": "object", "required": [ITEMS]}"#, r#""e{at}""#)),
    input("the same required name", |size| {
        schema(size, r#"{"type": "object", "required": [ITEMS]}"#, r#""e""#)
    }),
    input("an enumeration", |size| schema(size, r#"{"properties": {"a": {"enum": [ITEMS]}}}"#, r#""e{at}""#)),
    input("an enumeration of lists", |size| {
        schema(size, r#"{"properties": {"a": {"enum": [ITEMS]}}}"#, r#"[{at}, {"a": 1}]"#)
    }),
    input("an enumeration of numbers", |size| {
        schema(size, r#"{"properties": {"a": {"enum": [ITEMS]}}}"#, "{at}.0")
    }),
    input("allOf", |size| schema(size, r#"{"allOf": [ITEMS]}"#, r#"{"required": ["a{at}"]}"#)),
    input("oneOf", |size| schema(size, r#"{"oneOf": [ITEMS]}"#, r#"{"properties": {"a": {"const": {at}}}}"#)),
    input("anyOf", |size| {
        schema(size, r#"{"anyOf": [ITEMS]}"#, r#"{"type": "object", "properties": {"p{at}": {}}}"#)
    }),
    input("dependencies", |size| schema(size, r#"{"dependencies": {ITEMS}}"#, r#""a{at}": ["b{at}"]"#)),
    input("nested allOf", |size| {
        let deep = size.min(1000) / 25;
        typed(&format!(r#""input": {}{{}}{}"#, r#"{"allOf": ["#.repeat(deep), "]}".repeat(deep)))
    }),
    input("unused definitions", |size| {
        schema(size, r#"{"definitions": {ITEMS}}"#, r#""d{at}": {"type": "string"}"#)
    }),
    input("a schema file", |size| {
        vec![
        file("SKILL.md", "---\nname: it\ndescription: It grows. Use to grow.\nexec: run.sh\nschema: s.json\n---\nGrow.\n".to_owned()),
        file("run.sh", "#!/bin/sh\n".to_owned()),
        file("s.json", format!(r#"{{"type": "object", "properties": {{{}}}}}"#, list(size, r#""p{at}": {"typ": "string"}"#))),
    ]
    }),
];

const NEW: &str = "https://json-schema.org/draft/2020-12/schema";

const OLD: &str = "http://json-schema.org/draft-07/schema#";

/// An input with a list of items in place of `ITEMS`.
fn schema(size: usize, schema: &str, item: &str) -> Files {
    typed(&format!(r#""input": {}"#, schema.replace("ITEMS", &list(size, item))))
}

fn defs(size: usize, def: &str) -> Files {
    defs_of(OLD, size, def)
}

fn defs_of(draft: &str, size: usize, def: &str) -> Files {
    defined(draft, &list(size, &format!(r#""d{{at}}": {def}"#)))
}

/// Definitions. The last one may lead to a definition that does not exist, which adds one more.
fn defined(draft: &str, defs: &str) -> Files {
    typed(&format!(
        r##""input": {{"$schema": "{draft}", "type": "object", "properties": {{"a": {{"$ref": "#/definitions/d0"}}}}, "definitions": {{{defs}}}}}"##
    ))
}

pub(super) fn properties(size: usize, property: &str) -> Files {
    schema(size, r#"{"type": "object", "properties": {ITEMS}}"#, &format!(r#""p{{at}}": {property}"#))
}
