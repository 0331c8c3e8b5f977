//! Pipelines whose steps take values of large schemas: enumerations, tuples, required members, and long names.

use super::pipelines::{ANY, pipeline};
use super::{Files, Input, input, list, replaced};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("an enumeration for an enumeration", |size| {
        taken("{{input.a}}", &enumeration(size / 2, "v"), &enumeration(size / 2, "w"))
    }),
    input("fields that take enumerations", |size| {
        let fields = list(size / 2, r#""a{at}": "{{input.a}}""#);
        shaped(
            &fields,
            &enumeration(200, "v"),
            &format!(r#""additionalProperties": {{{}}}"#, enumeration(size / 2, "w")),
        )
    }),
    input("fields that read a long text", |size| {
        let fields = list(size / 2, r#""a{at}": "{{input.a | upcase}}""#);
        shaped(&fields, &format!(r#""enum": ["{}"]"#, "v".repeat(size / 2)), r#""title": "a""#)
    }),
    input("fields that take an object of many", |size| {
        let fields = list(size / 3, r#""a{at}": "{{input.a}}""#);
        let required = |size| format!(r#""type": "object", "required": [{}]"#, list(size, r#""r{at}""#));
        shaped(
            &fields,
            &required(size / 3),
            &format!(r#""additionalProperties": {{{}}}"#, required(size / 3)),
        )
    }),
    input("fields that read a tuple", |size| {
        let fields = list(size / 2, r#""a{at}": "{{input.a.{at}}}""#);
        let tuple = list(size / 2, r#"{"type": "string"}"#);
        shaped(&fields, &format!(r#""prefixItems": [{tuple}]"#), r#""title": "a""#)
    }),
    input("elements for a tuple", |size| {
        let fields = format!(r#""a": [{}]"#, list(size / 2, "{at}"));
        let tuple = list(size / 2, r#"{"type": "string"}"#);
        let wanted = format!(r#""properties": {{"a": {{"prefixItems": [{tuple}]}}}}"#);
        shaped(&fields, r#""title": "a""#, &wanted)
    }),
    input("empty objects for a long list of required members", |size| {
        let fields = format!(r#""a": [{}]"#, list(size / 2, "{}"));
        let required = list(size / 2, r#""r{at}""#);
        let wanted = format!(r#""properties": {{"a": {{"items": {{"required": [{required}]}}}}}}"#);
        shaped(&fields, r#""title": "a""#, &wanted)
    }),
    input("members below a long key", |size| {
        let fields = format!(r#""{}": {{{}}}"#, "k".repeat(size / 2), list(size / 2, r#""a{at}": 1"#));
        let inside = r#"{"additionalProperties": false, "properties": {"b": {}}}"#;
        shaped(&fields, r#""title": "a""#, &format!(r#""additionalProperties": {inside}"#))
    }),
    input("members that are required", |size| {
        let fields = list(size / 2, r#""a{at}": 1"#);
        let required = list(size / 2, r#""a{at}""#);
        shaped(&fields, r#""title": "a""#, &format!(r#""required": [{required}]"#))
    }),
];

/// A list of texts that a schema allows.
fn enumeration(size: usize, word: &str) -> String {
    format!(r#""enum": [{}]"#, list(size, &format!(r#""{word}{{at}}""#)))
}

/// A step with one field. `given` are the schema keywords of the value that the step reads, and `wanted` are
/// the keywords of the field.
fn taken(field: &str, given: &str, wanted: &str) -> Files {
    shaped(&format!(r#""a": "{field}""#), given, &format!(r#""properties": {{"a": {{{wanted}}}}}"#))
}

/// A step with fields. `given` are the schema keywords of `input.a`, and `wanted` are the keywords of the
/// input that the step creates.
fn shaped(fields: &str, given: &str, wanted: &str) -> Files {
    let files = pipeline(format!(r#"{{"step": "s0", "skill": "p", "input": {{{fields}}}}}"#));
    let given = format!(r#""input": {{"type": "object", "properties": {{"a": {{{given}}}}}}}"#);
    let wanted = format!(r#""input": {{"type": "object", {wanted}}}"#);
    replaced(replaced(files, "it/skill.json", ANY, &given), "p/skill.json", ANY, &wanted)
}
