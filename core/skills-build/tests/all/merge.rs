//! Object schemas that apply together are merged into one struct if its fields are exact.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use crate::shapes::assert_shapes;

// SPEC 6.1
#[test]
fn compatible_objects_are_one_struct() {
    let base = r#""definitions": {"base": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}}"#;
    let refers = r##"{"$ref": "#/definitions/base"}"##;
    let named = r#"{"properties": {"name": {"type": "string"}}, "required": ["name"]}"#;
    let merged = "Input; Input = {id: i64, name: str, ..additional: any}";
    let turned = "Input; Input = {name: str, id: i64, ..additional: any}";
    assert_shapes(&[
        (&format!(r#"{{"allOf": [{refers}, {named}], {base}}}"#), merged),
        (&format!(r#"{{"type": "object", "allOf": [{refers}, {named}], {base}}}"#), merged),
        (
            &format!(
                r#"{{"type": "object", "properties": {{"name": {{"type": "string"}}}}, "required": ["name"],
                    "allOf": [{refers}], {base}}}"#
            ),
            turned,
        ),
        (&format!(r#"{{"allOf": [{{"allOf": [{refers}]}}, {named}], {base}}}"#), merged),
        // Later drafts also apply keywords beside a reference; draft-07 ignores them.
        (
            &format!(
                r##"{{"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/definitions/base",
                    "properties": {{"name": {{"type": "string"}}}}, {base}}}"##
            ),
            "Input; Input = {name: str or absent, id: i64, ..additional: any}",
        ),
        (
            &format!(
                r##"{{"$ref": "#/definitions/base", "properties": {{"name": {{"type": "string"}}}}, {base}}}"##
            ),
            "any",
        ),
    ]);
}

// SPEC 6.1
#[test]
fn the_parts_of_a_property_have_one_type() {
    let both = |a: &str, b: &str| {
        format!(
            r#"{{"type": "object", "allOf": [{{"properties": {{"p": {a}}}}}, {{"properties": {{"p": {b}}}}}]}}"#
        )
    };
    let string = r#"{"type": "string"}"#;
    for (a, b, wanted) in [
        (string, string, "Input; Input = {p: str or absent, ..additional: any}"),
        (string, r#"{"minLength": 1}"#, "Input; Input = {p: str or absent, ..additional: any}"),
        (r#"{"pattern": "a"}"#, string, "Input; Input = {p: str or absent, ..additional: any}"),
        ("true", string, "Input; Input = {p: str or absent, ..additional: any}"),
        (r#"{"minimum": 1}"#, r#"{"maximum": 2}"#, "Input; Input = {p: any or absent, ..additional: any}"),
        (
            r#"{"type": "string", "minLength": 1}"#,
            r#"{"type": "string", "maxLength": 9}"#,
            "Input; Input = {p: any or absent, ..additional: any}",
        ),
        // It is never present.
        (string, "false", "Input; Input = {p: str or absent, ..additional: any}"),
        // With two schemas, neither default is the default of the property.
        (string, r#"{"default": "a"}"#, "{*: any}"),
    ] {
        assert_shapes(&[(&both(a, b), wanted)]);
    }
    let one = r#"{"type": "object", "allOf": [{"properties": {"p": {"type": "string", "default": "a"}}}, {"minProperties": 1}]}"#;
    assert_shapes(&[(one, "Input; Input = {p: str or \"a\", ..additional: any}")]);
    let required =
        r#"{"type": "object", "properties": {"p": {"type": "string"}}, "allOf": [{"required": ["p"]}]}"#;
    assert_shapes(&[(required, "Input; Input = {p: str, ..additional: any}")]);
}

// SPEC 6.1
#[test]
fn additional_properties_are_allowed_if_no_part_refuses_them() {
    let a = r#"{"properties": {"a": {"type": "string"}}"#;
    let b = r#"{"properties": {"b": {"type": "string"}}}"#;
    let fields = "Input; Input = {a: str or absent, b: str or absent";
    let new = r#""$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object""#;
    assert_shapes(&[
        (
            &format!(r#"{{"type": "object", "allOf": [{a}, "additionalProperties": false}}, {b}]}}"#),
            &format!("{fields}}}"),
        ),
        (
            &format!(
                r#"{{"type": "object", "allOf": [{a}, "additionalProperties": {{"type": "string"}}}}, {b}]}}"#
            ),
            &format!("{fields}, ..additional: str}}"),
        ),
        (
            &format!(
                r#"{{"type": "object", "allOf": [{a}, "patternProperties": {{"c": true}}, "additionalProperties": false}}, {b}]}}"#
            ),
            &format!("{fields}, ..additional: any}}"),
        ),
        (
            &format!(r#"{{{new}, "allOf": [{a}}}, {b}], "unevaluatedProperties": false}}"#),
            &format!("{fields}}}"),
        ),
        (
            &format!(
                r#"{{{new}, "allOf": [{a}, "anyOf": [{{"properties": {{"c": true}}}}]}}, {b}], "unevaluatedProperties": false}}"#
            ),
            &format!("{fields}, ..additional: any}}"),
        ),
    ]);
}

// SPEC 6.1: a field that one struct cannot represent accepts any value.
#[test]
fn other_types_and_recursive_schemas_are_not_merged() {
    assert_shapes(&[
        (r#"{"allOf": [{"properties": {"a": true}}, {"properties": {"b": true}}]}"#, "any"),
        (
            r#"{"allOf": [{"type": "object", "properties": {"a": true}}, {"type": ["object", "null"]}]}"#,
            "any",
        ),
        (r#"{"allOf": [{"type": "object", "properties": {"a": true}}, {"const": {"a": 1}}]}"#, "any"),
        (r##"{"type": "object", "properties": {"a": true}, "allOf": [{"$ref": "#"}]}"##, "{*: any}"),
        (r#"{"type": "object", "allOf": [{"required": ["a"]}]}"#, "{*: any}"),
        (
            r##"{"type": "object", "properties": {"n": {"type": "integer"}}, "allOf": [{"properties": {"next": {"$ref": "#"}}}]}"##,
            "Input; Input = {n: i64 or absent, next: Box Input or absent, ..additional: any}",
        ),
    ]);
}
