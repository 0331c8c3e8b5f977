//! The types generated from a schema in short notation: one schema, one line for the root and for each named
//! type.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests fail by panicking")]

use skills_core::options::FormatPolicy;

use crate::shapes::{assert_shapes, shape_of, shape_under};

/// Checks the shape of a required property `p`, the only one of a closed object.
fn assert_property(cases: &[(&str, &str)]) {
    for (schema, wanted) in cases {
        let object = format!(
            r#"{{"type": "object", "properties": {{"p": {schema}}}, "required": ["p"], "additionalProperties": false}}"#
        );
        let shape_of = shape_of(&object);
        let (defs, rest) = wanted
            .split_once("; ")
            .map_or((*wanted, String::new()), |(own, rest)| (own, format!("; {rest}")));
        assert_eq!(shape_of, format!("Input; Input = {{p: {defs}}}{rest}"), "{schema}");
    }
}

// SPEC 6.1
#[test]
fn plain_types_are_mapped_directly() {
    assert_property(&[
        (r#"{}"#, "any"),
        (r#"true"#, "any"),
        (r#"{"type": "string", "pattern": "^a"}"#, "str"),
        (r#"{"type": "boolean"}"#, "bool"),
        (r#"{"type": "number"}"#, "f64"),
        (r#"{"type": "null"}"#, "null"),
        (r#"{"type": "array"}"#, "[any]"),
        (r#"{"type": "array", "items": {"type": "string"}}"#, "[str]"),
        (r#"{"type": "object"}"#, "{*: any}"),
        (r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "{*: i64}"),
        (
            r#"{"type": "object", "patternProperties": {"^x": {"type": "boolean"}}, "additionalProperties": false}"#,
            "{*: bool}",
        ),
        (r#"{"type": "object", "patternProperties": {"^x": {"type": "boolean"}}}"#, "{*: any}"),
    ]);
}

// SPEC 6.1
#[test]
fn the_width_of_an_integer_follows_its_bounds() {
    assert_property(&[
        (r#"{"type": "integer"}"#, "i64"),
        (r#"{"type": "integer", "minimum": 0}"#, "u64"),
        (r#"{"type": "integer", "minimum": 0.0}"#, "u64"),
        (r#"{"type": "integer", "minimum": 0.5}"#, "i64"),
        (r#"{"type": "integer", "exclusiveMinimum": -1}"#, "u64"),
        (r#"{"type": "integer", "minimum": 1, "maximum": 100}"#, "u32"),
        (r#"{"type": "integer", "minimum": 0, "maximum": 4294967295}"#, "u32"),
        (r#"{"type": "integer", "minimum": 0, "maximum": 4294967296}"#, "u64"),
        (r#"{"type": "integer", "minimum": 0, "exclusiveMaximum": 4294967296}"#, "u32"),
        (r#"{"type": "integer", "minimum": -1, "maximum": 2147483647}"#, "i32"),
        (r#"{"type": "integer", "minimum": -1, "maximum": 2147483648}"#, "i64"),
        (r#"{"type": "integer", "minimum": -2147483649, "maximum": 0}"#, "i64"),
        (r#"{"type": "integer", "maximum": 5}"#, "i64"),
    ]);
}

// SPEC 6.1: an asserted format has its own type: in draft-07, or if the options say so.
#[test]
fn an_asserted_format_is_a_type() {
    for name in ["date-time", "date", "time", "email", "ipv4", "ipv6", "uri"] {
        assert_property(&[(&format!(r#"{{"type": "string", "format": "{name}"}}"#), name)]);
    }
    assert_property(&[
        (r#"{"type": ["string", "null"], "format": "date"}"#, "date?"),
        (r#"{"type": ["string", "integer"], "format": "date"}"#, "P; P = kind<String(date) | Number(i64)>"),
        (r#"{"type": "array", "items": {"type": "string", "format": "uri"}}"#, "[uri]"),
        (r#"{"allOf": [{"type": "string", "format": "date"}, {"minLength": 1}]}"#, "date"),
        // A format that draft-07 does not define is not checked, or any text satisfies it.
        (r#"{"type": "string", "format": "uuid"}"#, "str"),
        (r#"{"type": "string", "format": "money"}"#, "str"),
        (r#"{"type": "string", "format": "regex"}"#, "str"),
        (r#"{"type": "string", "format": 3}"#, "str"),
        (
            r#"{"type": "string", "format": "date", "enum": ["2024-01-01", "2025"]}"#,
            r#"P; P = v2024_dash_01_dash_01="2024-01-01" | v2025="2025""#,
        ),
        (r#"{"format": "date"}"#, "any"),
    ]);
    let of = |draft: &str, name: &str| {
        format!(
            r#"{{"$schema": "https://json-schema.org/draft/{draft}/schema", "type": "string", "format": "{name}"}}"#
        )
    };
    for draft in ["2019-09", "2020-12"] {
        assert_eq!(shape_of(&of(draft, "date")), "str", "{draft}");
        for name in ["date", "uuid"] {
            assert_eq!(shape_under(FormatPolicy::Assert, &of(draft, name)), name, "{draft}");
        }
    }
    let old = r#"{"type": "string", "format": "date"}"#;
    assert_eq!(shape_under(FormatPolicy::Ignore, old), "str");
    assert_eq!(shape_under(FormatPolicy::Assert, r#"{"type": "string", "format": "uuid"}"#), "str");
}

// SPEC 6.1: all spellings of null.
#[test]
fn null_beside_a_type_makes_it_nullable() {
    assert_property(&[
        (r#"{"type": ["string", "null"]}"#, "str?"),
        (r#"{"type": ["null", "string"]}"#, "str?"),
        (r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, "str?"),
        (r#"{"oneOf": [{"type": "null"}, {"type": "integer"}]}"#, "i64?"),
        (r#"{"type": ["string", "null"], "enum": ["a", null]}"#, r#"P?; P = A="a""#),
        (r#"{"enum": ["a", null]}"#, r#"P?; P = A="a""#),
        (r#"{"enum": [null]}"#, "null"),
        (r#"{"type": "string", "enum": ["a", null]}"#, r#"P; P = A="a""#),
        (r#"{"anyOf": [{}, {"type": "null"}]}"#, "any"),
        // An OpenAPI keyword that JSON Schema does not define.
        (r#"{"type": "string", "nullable": true}"#, "str"),
    ]);
}

// SPEC 6.1
#[test]
fn strings_and_whole_numbers_become_enums() {
    assert_property(&[
        (
            r#"{"enum": ["fast", "very slow", "c++"]}"#,
            r#"P; P = Fast="fast" | Very_slow__="very slow" | vc_plus__plus_="c++""#,
        ),
        (r#"{"enum": ["a", "A", "a ", ""]}"#, r#"P; P = A="a" | A_="A" | va_space_="a " | v_empty_="""#),
        (
            r#"{"enum": ["Self", "1", "1.2", "_1"]}"#,
            r#"P; P = Self_="Self" | v1="1" | v1_dot_2="1.2" | v_line_1="_1""#,
        ),
        (r#"{"type": "integer", "enum": [1, -1, 2.0, 3e2]}"#, "P; P = N1=1 | Minus1=-1 | N2=2 | N300=300"),
        (r#"{"enum": ["a", 1]}"#, "any"),
        (r#"{"enum": [1.5]}"#, "any"),
        (r#"{"enum": [true, false]}"#, "any"),
        (r#"{"const": {"a": 1}}"#, "any"),
    ]);
}

// SPEC 6.1, 6.11: neither the order in the file nor another value affects the name of a variant.
#[test]
fn a_variant_has_the_same_name_beside_any_other_value() {
    let enumeration = |texts: [&str; 3]| {
        let property = format!(r#"{{"p": {{"enum": {texts:?}}}}}"#);
        shape_of(&format!(
            r#"{{"type": "object", "additionalProperties": false, "required": ["p"], "properties": {property}}}"#
        ))
    };
    for texts in [["a-b", "aB", "a_b"], ["a_b", "aB", "a-b"], ["aB", "a-b", "a_b"]] {
        let shape_of = enumeration(texts);
        for variant in [r#"A_B_lower="a-b""#, r#"AB__="aB""#, r#"AB_lower="a_b""#] {
            assert!(shape_of.contains(variant), "{texts:?}: {shape_of}");
        }
    }
    let one = |tag: &str| {
        format!(
            r#"{{"type": "object", "required": ["t", "x"], "properties": {{"t": {{"const": "{tag}"}}, "x": {{"type": "null"}}}}}}"#
        )
    };
    let union =
        |first: &str, second: &str| shape_of(&format!(r#"{{"oneOf": [{}, {}]}}"#, one(first), one(second)));
    for shape_of in [union("a-b", "aB"), union("aB", "a-b")] {
        assert!(shape_of.contains(r#"A_B_lower="a-b""#) && shape_of.contains(r#"AB__="aB""#), "{shape_of}");
    }
}

// SPEC 6.1
#[test]
fn arrays_of_fixed_length_are_tuples() {
    let two = r#"[{"type": "string"}, {"type": "boolean"}]"#;
    let bounds = r#""minItems": 2, "maxItems": 2"#;
    assert_property(&[
        (&format!(r#"{{"type": "array", "items": {two}, {bounds}}}"#), "(str, bool)"),
        (&format!(r#"{{"type": "array", "items": {two}}}"#), "[any]"),
        // draft-07 does not define this keyword, so it has no effect.
        (&format!(r#"{{"type": "array", "prefixItems": {two}, {bounds}}}"#), "[any]"),
    ]);
    assert_shapes(&[(
        &format!(
            r#"{{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "array", "prefixItems": {two}, {bounds}}}"#
        ),
        "(str, bool)",
    )]);
}

// SPEC 6.1: names are valid and stable; the JSON names are kept.
#[test]
fn any_property_name_becomes_a_field() {
    let object = |names: &[&str]| {
        let properties: Vec<String> =
            names.iter().map(|name| format!("{name:?}: {{\"type\": \"null\"}}")).collect();
        let required = names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(",");
        format!(
            r#"{{"type": "object", "properties": {{{}}}, "required": [{required}], "additionalProperties": false}}"#,
            properties.join(",")
        )
    };
    for (names, wanted) in [
        (&["type", "self", "crate", "async"][..], "type_, self_, crate_, async_"),
        (&["userId", "user_id", "USER-ID"], "user_id_3, user_id, user_id_2"),
        (&["", " ", "_"], "empty, empty_2, empty_3"),
        (&["查询", "查 询", "é"], "查询, 查_询, ue9"),
        (&["1st", "$ref", "@id"], "n1st, ref_, id"),
    ] {
        let wanted = wanted.split(", ").map(|name| format!("{name}: null")).collect::<Vec<_>>().join(", ");
        assert_eq!(shape_of(&object(names)), format!("Input; Input = {{{wanted}}}"));
    }
    // The field for additional properties, and types with the same name, get other names.
    assert_shapes(&[
        (
            r#"{"type": "object", "properties": {"additional": {"type": "null"}}}"#,
            "Input; Input = {additional: null or absent, ..additional_2: any}",
        ),
        (
            r#"{"type": "object", "additionalProperties": false, "properties": {
                "string": {"enum": ["a"]},
                "input": {"type": "object", "properties": {"mode": {"enum": ["a"]}}, "additionalProperties": false},
                "mode": {"enum": ["b"]}}}"#,
            "Input; Input = {string: InputString or absent, input: InputInput or absent, mode: Mode or absent}; \
             InputString = A=\"a\"; InputInput = {mode: InputMode or absent}; InputMode = A=\"a\"; Mode = B=\"b\"",
        ),
    ]);
}

// SPEC 6.1: a required constant is not a field; an optional one is.
#[test]
fn a_required_constant_is_not_a_field() {
    let object = |of: &str, required: &str| {
        shape_of(&format!(
            r#"{{"type": "object", "properties": {{"p": {of}}}, "required": [{required}], "additionalProperties": false}}"#
        ))
    };
    for (of, wanted) in [
        (r#"{"const": "only"}"#, r#"Input; Input = {p="only"}"#),
        (r#"{"type": "integer", "enum": [2.0]}"#, "Input; Input = {p=2}"),
        // No value is valid here, so the type is unknown.
        (r#"{"type": "integer", "const": "two"}"#, "Input; Input = {p: any}"),
        (r#"{"const": true}"#, "Input; Input = {p: any}"),
    ] {
        assert_eq!(object(of, r#""p""#), wanted, "{of}");
    }
    assert_eq!(object(r#"{"const": "only"}"#, ""), r#"Input; Input = {p: P or absent}; P = Only="only""#);
}

// SPEC 6.1: names do not depend on the order of properties, variants and definitions.
#[test]
fn the_order_of_a_schema_does_not_affect_names() {
    let enumeration = r#"{"enum": ["a", "b"]}"#;
    let object = |mode: &str| format!(r#"{{"type": "object", "properties": {{"{mode}": {enumeration}}}}}"#);
    let property = |name: &str, of: &str| format!("\"{name}\": {of}");
    let parts = [
        property("left", &object("mode")),
        property("right", &object("mode")),
        property("items", &format!(r#"{{"type": "array", "items": {}}}"#, object("kind"))),
        property("old_items", r##"{"type": "array", "items": {"$ref": "#/$defs/item"}}"##),
        property("kind", enumeration),
    ];
    let names = |parts: Vec<&String>| {
        let properties = parts.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(",");
        let shape_of = shape_of(&format!(
            r#"{{"type": "object", "properties": {{{properties}}}, "$defs": {{"item": {}}}}}"#,
            object("old")
        ));
        let mut parts: Vec<String> = shape_of.split("; ").skip(2).map(str::to_owned).collect();
        parts.sort();
        parts
    };
    let there = names(parts.iter().collect());
    assert_eq!(there, names(parts.iter().rev().collect()));
    let wanted = ["InputItem", "Item", "Kind", "ItemKind", "Left", "LeftMode", "Old", "Right", "RightMode"];
    for name in wanted {
        let count = there.iter().filter(|def| def.starts_with(&format!("{name} = "))).count();
        assert_eq!(count, 1, "{name}: {there:?}");
    }
}

// SPEC 6.1: a default that fits is inserted.
#[test]
fn a_default_counts_if_it_is_valid() {
    let optional = |property: &str, more: &str| {
        shape_of(&format!(
            r#"{{"type": "object", "properties": {{"p": {property}}}, "additionalProperties": false{more}}}"#
        ))
    };
    for (property, wanted) in [
        (r#"{"type": "integer", "default": 3}"#, "i64 or 3"),
        (r#"{"type": "integer", "default": "3"}"#, "i64 or absent"),
        (r#"{"type": "integer", "maximum": 2, "default": 3}"#, "i64 or absent"),
        (r#"{"type": "string", "default": null}"#, "str or absent"),
        (r#"{"type": ["string", "null"], "default": null}"#, "str? or null"),
        (r#"{"type": "array", "default": [1, 2]}"#, "[any] or [1, 2]"),
    ] {
        assert_eq!(optional(property, ""), format!("Input; Input = {{p: {wanted}}}"), "{property}");
    }
    assert_eq!(optional(r#"{"default": 3}"#, r#", "required": ["p"]"#), "Input; Input = {p: any}");
    // A default in a referenced schema does not apply to the property.
    let named =
        |default: &str| format!(r##", "definitions": {{"n": {{"type": "integer", "default": {default}}}}}"##);
    let reference = r##"{"$ref": "#/definitions/n"}"##;
    assert_eq!(optional(reference, &named("3")), "Input; Input = {p: i64 or 3}");
    assert_eq!(optional(reference, &named("true")), "Input; Input = {p: i64 or absent}");
}

// SPEC 6.1
#[test]
fn a_schema_that_leads_back_to_itself_is_boxed() {
    assert_shapes(&[
        (
            r##"{"type": "object", "properties": {"child": {"$ref": "#"}}, "additionalProperties": false}"##,
            "Input; Input = {child: Box Input or absent}",
        ),
        (
            r##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "additionalProperties": false,
                "properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}}}"##,
            "Input; Input = {next: Box Input? or absent}",
        ),
        // A reference back may be null, or a string, wherever the schema may.
        (
            r##"{"type": ["object", "null"], "properties": {"next": {"$ref": "#"}}, "additionalProperties": false}"##,
            "InputSome?; InputSome = {next: Box InputSome? or absent}",
        ),
        (
            r##"{"type": ["object", "string"], "properties": {"child": {"$ref": "#"}}, "additionalProperties": false}"##,
            "Input; Input = kind<Object(InputObject) | String(str)>; InputObject = {child: Box Input or absent}",
        ),
        (
            r##"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#"}}]}"##,
            "Input; Input = kind<String(str) | Array([Box Input])>",
        ),
        (r##"{"$ref": "#"}"##, "any"),
        (r##"{"$ref": "#/$defs/gone"}"##, "any"),
        (r##"{"$ref": "https://example.org/x"}"##, "any"),
    ]);
}

// SPEC 6.1
#[test]
fn alternatives_are_distinguished_or_any_value() {
    let arm = |tag: &str, name: &str| {
        format!(
            r#"{{"type": "object", "properties": {{"type": {{"const": "{tag}"}}, "{name}": {{"type": "string"}}}},
                "required": ["type"], "additionalProperties": false}}"#
        )
    };
    assert_shapes(&[
        (
            &format!(r#"{{"oneOf": [{}, {}]}}"#, arm("circle", "r"), arm("square", "a")),
            "Input; Circle = {type=\"circle\", r: str or absent}; Square = {type=\"square\", a: str or absent}; \
             Input = type<Circle=\"circle\"(Circle) | Square=\"square\"(Square)>",
        ),
        (&format!(r#"{{"oneOf": [{}, {}]}}"#, r#"{"minimum": 3}"#, r#"{"maximum": 2}"#), "any"),
        (
            r#"{"type": ["string", "integer", "null"]}"#,
            "InputSome?; InputSome = kind<String(str) | Number(i64)>",
        ),
        (r#"{"type": ["integer", "number"]}"#, "any"),
        (
            r#"{"anyOf": [{"type": "string"}, {"enum": [1, 2]}]}"#,
            "Input; Input = kind<String(str) | Number(InputNumber)>; InputNumber = N1=1 | N2=2",
        ),
        (r#"{"allOf": [{"type": "string"}]}"#, "str"),
        (r#"{"allOf": [{"type": "string"}, {"minLength": 1}]}"#, "str"),
        (r#"{"allOf": [{"type": "string"}, {"type": "string", "minLength": 1}]}"#, "any"),
    ]);
}

// SPEC 6.1: a schema that is nested too deeply accepts any value, and does not overflow the stack.
#[test]
fn a_deep_schema_is_any_value() {
    let deep = format!("{}{{}}{}", r#"{"type": "array", "items": "#.repeat(120), "}".repeat(120));
    assert!(shape_of(&deep).contains("[any]"));
}
