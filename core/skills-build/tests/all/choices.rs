//! `oneOf` and `anyOf` of constants become enums that accept the same values as the `jsonschema` crate.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::{Value, json};

use crate::package::{Asked, Package, Schemas, Side};
use crate::shapes::shape_of;

/// Schemas of a property, and the types that they become.
fn cases() -> Vec<(Value, &'static str)> {
    let a_or_b = r#"P; P = A="a" | B="b""#;
    let nullable = r#"P?; P = A="a" | B="b""#;
    let level = r#"Level; Level = A="a" | B="b""#;
    vec![
        (
            json!({"oneOf": [{"const": "a", "title": "First"}, {"const": "b", "description": "Second"}]}),
            a_or_b,
        ),
        (json!({"anyOf": [{"const": "a"}, {"type": "string", "enum": ["b"]}]}), a_or_b),
        (json!({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]}), a_or_b),
        (json!({"type": "string", "oneOf": [{"const": "a"}]}), r#"P; P = A="a""#),
        (json!({"oneOf": [{"enum": ["a", "b"]}, {"enum": ["c"]}]}), r#"P; P = A="a" | B="b" | C="c""#),
        (json!({"anyOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}), r#"P; P = A="a" | B="b" | C="c""#),
        // `b` fits two alternatives, so it is refused when it is read.
        (json!({"oneOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}), r#"P; P = A="a" | B="b" | C="c""#),
        (json!({"oneOf": [{"const": 1}, {"const": 2.0, "title": "Two"}]}), "P; P = N1=1 | N2=2"),
        (json!({"type": "integer", "anyOf": [{"const": 1}, {"const": -1}]}), "P; P = N1=1 | Minus1=-1"),
        // Alternatives that another keyword refuses.
        (json!({"type": "string", "oneOf": [{"const": "a"}, {"const": 1}]}), r#"P; P = A="a""#),
        (json!({"oneOf": [{"const": "a"}, {"const": "b", "type": "integer"}, false]}), r#"P; P = A="a""#),
        (json!({"oneOf": [{"const": "a"}, {"const": "b", "minLength": 2}]}), a_or_b),
        (json!({"oneOf": [{"const": "a"}, {"const": "b"}], "not": {"const": "b"}}), a_or_b),
        (
            json!({"oneOf": [{"const": "a"}, {"const": "b"}], "anyOf": [{"minLength": 2}, {"const": "b"}]}),
            a_or_b,
        ),
        // `null`.
        (json!({"oneOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]}), nullable),
        (json!({"anyOf": [{"const": "a"}, {"const": "b"}, {"const": null}]}), nullable),
        (json!({"anyOf": [{"oneOf": [{"const": "a"}, {"const": "b"}]}, {"type": "null"}]}), nullable),
        (json!({"type": ["string", "null"], "oneOf": [{"const": "a"}, {"const": "b"}]}), a_or_b),
        (json!({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]}), a_or_b),
        // References.
        (json!({"$ref": "#/$defs/Level"}), level),
        (json!({"anyOf": [{"$ref": "#/$defs/Level"}, {"type": "null"}]}), r#"Level?; Level = A="a" | B="b""#),
        (json!({"anyOf": [{"$ref": "#/$defs/Level"}, {"const": null}]}), r#"Level?; Level = A="a" | B="b""#),
        (json!({"type": "array", "items": {"$ref": "#/$defs/Level"}}), r#"[Level]; Level = A="a" | B="b""#),
        (
            json!({"anyOf": [{"$ref": "#/$defs/Level"}, {"$ref": "#/$defs/More"}]}),
            r#"P; P = A="a" | B="b" | C="c""#,
        ),
        // Beside another JSON type.
        (
            json!({"anyOf": [{"$ref": "#/$defs/Level"}, {"type": "integer"}]}),
            r#"P; P = kind<String(Level) | Number(i64)>; Level = A="a" | B="b""#,
        ),
        // Not a choice of strings or of integers.
        (json!({"anyOf": [{"const": "a"}, {"type": "string"}]}), "any"),
        (json!({"anyOf": [{"const": "a"}, {"const": "b"}, {}]}), "any"),
        (json!({"anyOf": [{"const": "a"}, {"const": "b"}, {"const": 1.5}]}), "any"),
        (json!({"anyOf": [{"const": "a"}, {"const": "b"}, {"const": 1}]}), "any"),
    ]
}

/// Returns a schema with the property, and the definitions that it refers to.
fn whole(property: &Value) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object", "properties": {"p": property}, "required": ["p"], "additionalProperties": false,
        "$defs": {
            "Level": {"oneOf": [{"const": "a", "description": "Low."}, {"const": "b", "description": "High."}]},
            "More": {"oneOf": [{"const": "c"}]},
        },
    })
}

// SPEC 6.1
#[test]
fn a_choice_of_constants_is_an_enum() {
    for (property, wanted) in cases() {
        let (own, rest) = wanted.split_once("; ").unwrap_or((wanted, ""));
        let rest = if rest.is_empty() { String::new() } else { format!("; {rest}") };
        let found = shape_of(&whole(&property).to_string());
        assert_eq!(found, format!("Input; Input = {{p: {own}}}{rest}"), "{property}");
    }
}

// SPEC 6.1: a chain of references of any length ends, and so do references that share their targets.
#[test]
fn references_between_choices_end() {
    for count in [10, 100_000] {
        let definitions: Vec<String> =
            (0..count).map(|at| format!(r##""D{at}": {{"$ref": "#/definitions/D{}"}}"##, at + 1)).collect();
        let schema = format!(
            r##"{{"anyOf": [{{"$ref": "#/definitions/D0"}}, {{"const": "b"}}],
                "definitions": {{{}, "D{count}": {{"const": "a"}}}}}}"##,
            definitions.join(", ")
        );
        let wanted = if count == 10 { r#"Input; Input = A="a" | B="b""# } else { "any" };
        assert_eq!(shape_of(&schema), wanted);
    }
    let circle = r##"{"anyOf": [{"const": "b"}, {"$ref": "#/definitions/A"}],
        "definitions": {"A": {"anyOf": [{"const": "a"}, {"$ref": "#"}]}}}"##;
    assert_eq!(shape_of(circle), "any");
    let definitions: Vec<String> = (0..60)
        .map(|at| {
            let next = format!(r##"{{"$ref": "#/definitions/D{}"}}"##, at + 1);
            format!(r#""D{at}": {{"anyOf": [{next}, {next}]}}"#)
        })
        .collect();
    let schema = format!(
        r##"{{"anyOf": [{{"$ref": "#/definitions/D0"}}, {{"const": "b"}}],
            "definitions": {{{}, "D60": {{"const": "a"}}}}}}"##,
        definitions.join(", ")
    );
    assert_eq!(shape_of(&schema), "any");
}

// SPEC 6.1: a type accepts exactly the values of its schema, and writes them unchanged.
#[test]
#[ignore = "builds packages"]
fn a_choice_of_constants_accepts_what_its_schema_accepts() {
    let schemas: Vec<Value> = cases().iter().map(|(property, _)| whole(property)).collect();
    let skills: Vec<Schemas> =
        schemas.iter().map(|schema| (json!({"type": "object"}), schema.clone())).collect();
    let package = Package::build("choices", &skills);
    let values = [
        json!("a"),
        json!("b"),
        json!("c"),
        json!("A"),
        json!(""),
        json!(1),
        json!(2),
        json!(2.0),
        json!(-1),
        json!(1.5),
        json!(null),
        json!(true),
        json!([]),
        json!(["a", "b"]),
        json!(["c"]),
        json!({}),
        json!({"a": 1}),
    ];
    let mut asked = Vec::new();
    let mut valid = Vec::new();
    for (skill, schema) in schemas.iter().enumerate() {
        let oracle = jsonschema::validator_for(schema).unwrap();
        for value in &values {
            let value = json!({"p": value});
            valid.push(oracle.is_valid(&value));
            asked.push(Asked { skill, side: Side::Output, text: value.to_string() });
        }
    }
    let accepted = valid.iter().filter(|valid| **valid).count();
    assert!(accepted > 50 && valid.len() - accepted > 300, "{accepted} of {}", valid.len());
    for ((asked, valid), answer) in asked.iter().zip(valid).zip(package.ask(&asked)) {
        let (schema, text) = (&schemas[asked.skill], &asked.text);
        assert_eq!(answer.is_ok(), valid, "{schema}\n{text}\n{answer:?}");
        if let Ok(again) = answer {
            let numbers = again.replace(".0}", "}") == text.replace(".0}", "}");
            assert!(numbers, "{schema}\n{text}\n{again}");
        }
    }
}
