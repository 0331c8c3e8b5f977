//! Pipelines whose steps take values of large schemas: enumerations, tuples, required members, and long names.

use super::pipelines::pipeline;
use super::{Files, Input, input, list};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("an enumeration for an enumeration", |size| {
        taken("{{input.a}}", &enumeration(size / 2, "v"), &enumeration(size / 2, "w"))
    }),
    input("fields that take enumerations", |size| {
        let fields = list(size / 2, |at| format!("\"a{at}\": \"{{{{input.a}}}}\""));
        shaped(
            &fields,
            &enumeration(200, "v"),
            &format!("\"additionalProperties\": {{{}}}", enumeration(size / 2, "w")),
        )
    }),
    input("fields that read a long text", |size| {
        let fields = list(size / 2, |at| format!("\"a{at}\": \"{{{{input.a | upcase}}}}\""));
        shaped(&fields, &format!("\"enum\": [\"{}\"]", "v".repeat(size / 2)), "\"title\": \"a\"")
    }),
    input("fields that take an object of many", |size| {
        let fields = list(size / 3, |at| format!("\"a{at}\": \"{{{{input.a}}}}\""));
        let required =
            |size| format!("\"type\": \"object\", \"required\": [{}]", list(size, |at| format!("\"r{at}\"")));
        shaped(&fields, &required(size / 3), &format!("\"additionalProperties\": {{{}}}", required(size / 3)))
    }),
    input("fields that read a tuple", |size| {
        let fields = list(size / 2, |at| format!("\"a{at}\": \"{{{{input.a.{at}}}}}\""));
        let tuple = list(size / 2, |_| "{\"type\": \"string\"}".to_owned());
        shaped(&fields, &format!("\"prefixItems\": [{tuple}]"), "\"title\": \"a\"")
    }),
    input("elements for a tuple", |size| {
        let fields = format!("\"a\": [{}]", list(size / 2, |at| at.to_string()));
        let tuple = list(size / 2, |_| "{\"type\": \"string\"}".to_owned());
        let wanted = format!("\"properties\": {{\"a\": {{\"prefixItems\": [{tuple}]}}}}");
        shaped(&fields, "\"title\": \"a\"", &wanted)
    }),
    input("empty objects for a long list of required members", |size| {
        let fields = format!("\"a\": [{}]", list(size / 2, |_| "{}".to_owned()));
        let required = list(size / 2, |at| format!("\"r{at}\""));
        let wanted = format!("\"properties\": {{\"a\": {{\"items\": {{\"required\": [{required}]}}}}}}");
        shaped(&fields, "\"title\": \"a\"", &wanted)
    }),
    input("members below a long key", |size| {
        let fields =
            format!("\"{}\": {{{}}}", "k".repeat(size / 2), list(size / 2, |at| format!("\"a{at}\": 1")));
        let inside = "{\"additionalProperties\": false, \"properties\": {\"b\": {}}}";
        shaped(&fields, "\"title\": \"a\"", &format!("\"additionalProperties\": {inside}"))
    }),
    input("members that are required", |size| {
        let fields = list(size / 2, |at| format!("\"a{at}\": 1"));
        let required = list(size / 2, |at| format!("\"a{at}\""));
        shaped(&fields, "\"title\": \"a\"", &format!("\"required\": [{required}]"))
    }),
];

/// A list of texts that a schema allows.
fn enumeration(size: usize, word: &str) -> String {
    format!("\"enum\": [{}]", list(size, |at| format!("\"{word}{at}\"")))
}

/// A step with one field. `given` are the schema keywords of the value that the step reads, and `wanted` are
/// the keywords of the field.
fn taken(field: &str, given: &str, wanted: &str) -> Files {
    shaped(&format!("\"a\": \"{field}\""), given, &format!("\"properties\": {{\"a\": {{{wanted}}}}}"))
}

/// A step with fields. `given` are the schema keywords of `input.a`, and `wanted` are the keywords of the
/// input that the step creates.
fn shaped(fields: &str, given: &str, wanted: &str) -> Files {
    let mut files = pipeline(format!("{{\"step\": \"s0\", \"skill\": \"p\", \"input\": {{{fields}}}}}"));
    let none = "\"input\": {\"type\": \"object\"}";
    for (path, text) in &mut files {
        *text = if path == "it/skill.json" {
            let given = format!("\"properties\": {{\"a\": {{{given}}}}}");
            text.replacen(none, &format!("\"input\": {{\"type\": \"object\", {given}}}"), 1)
        } else {
            text.replacen(none, &format!("\"input\": {{\"type\": \"object\", {wanted}}}"), 1)
        };
    }
    files
}
