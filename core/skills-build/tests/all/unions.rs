//! Alternatives that are objects: enums of serde, unions of pydantic and zod, and common properties beside them.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::{Value, json};

use crate::package::{Asked, Package, Schemas, Side};
use crate::shapes::assert_shapes;

/// Schemas with their types in short notation.
fn cases() -> Vec<(Value, &'static str)> {
    let closed = |key: &str, value: Value| json!({"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": false});
    let open =
        |key: &str, value: Value| json!({"type": "object", "properties": {key: value}, "required": [key]});
    let tagged = |tag: &str, key: &str| json!({"properties": {"kind": {"const": tag}, key: {"type": "integer"}}, "required": ["kind", key]});
    vec![
        // Externally tagged.
        (
            json!({"oneOf": [closed("a", json!({"type": "integer"})), {"const": "Point"}, closed("b", json!({"type": "string"}))]}),
            "Input; Input = kind<A:a(A) | String(InputString) | B:b(B)>; A = {a: i64}; InputString = Point_=\"Point\"; B = {b: str}",
        ),
        // Untagged, with the same property in both.
        (
            json!({"anyOf": [open("a", json!({"type": "integer"})), open("b", json!({"type": "string"}))]}),
            "Input; Input = kind<A:a+..(A) | B:b+..(B)>; A = {a: i64, ..additional: any}; B = {b: str, ..additional: any}",
        ),
        (
            json!({"anyOf": [open("a", json!({"type": "integer"})), open("a", json!({"type": "string"})), {"type": "null"}]}),
            "InputSome?; InputSome = kind<A:a+..(A) | A2:a+..(A2)>; A = {a: i64, ..additional: any}; A2 = {a: str, ..additional: any}",
        ),
        (
            json!({"anyOf": [closed("a", json!({"enum": ["x"]})), closed("a", json!({"type": "string"})), {"type": "array", "items": {"type": "string"}}]}),
            "",
        ),
        // A part that leads back to the whole.
        (
            json!({"anyOf": [closed("a", json!({"type": "array", "items": {"$ref": "#"}})), {"type": "string"}, closed("b", json!({"type": "boolean"}))]}),
            "Input; Input = kind<A:a(A) | String(str) | B:b(B)>; A = {a: [Box Input]}; B = {b: bool}",
        ),
        // Common properties beside tagged alternatives.
        (
            json!({
                "type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"],
                "oneOf": [tagged("x", "b"), tagged("y", "c")]
            }),
            "Input; Input = kind<X=\"x\"(X) | Y=\"y\"(Y)>; X = {kind=\"x\", a: str, b: i64, ..additional: any}; \
             Y = {kind=\"y\", a: str, c: i64, ..additional: any}",
        ),
        (
            json!({
                "type": "object", "allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}],
                "oneOf": [tagged("x", "b"), tagged("y", "c")]
            }),
            "Input; Input = kind<X=\"x\"(X) | Y=\"y\"(Y)>; X = {kind=\"x\", a: str, b: i64, ..additional: any}; \
             Y = {kind=\"y\", a: str, c: i64, ..additional: any}",
        ),
        (
            json!({
                "type": "object", "properties": {"kind": {"enum": ["x", "y"]}, "b": {"type": "integer"}},
                "required": ["kind"], "anyOf": [tagged("x", "b"), tagged("y", "c")]
            }),
            "",
        ),
        // A common object that refuses the properties of one alternative.
        (
            json!({
                "type": "object", "properties": {"kind": true, "b": true}, "additionalProperties": false,
                "oneOf": [tagged("x", "b"), tagged("y", "c")]
            }),
            "",
        ),
        (
            json!({"anyOf": [open("a", json!({})), {"type": "object", "additionalProperties": {"type": "integer"}}]}),
            "",
        ),
        (json!({"oneOf": [tagged("x", "b"), {"type": "object", "required": ["a"]}]}), ""),
        (
            json!({"anyOf": [{"type": "object", "properties": {"a": {"default": 1}}}, open("b", json!({}))]}),
            "",
        ),
    ]
}

// SPEC 6.1
#[test]
#[ignore = "builds packages"]
fn alternatives_that_are_objects_are_enums() {
    let cases: Vec<(String, &str)> =
        cases().into_iter().map(|(schema, wanted)| (schema.to_string(), wanted)).collect();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(schema, wanted)| (schema.as_str(), *wanted)).collect();
    let named: Vec<(&str, &str)> = cases.into_iter().filter(|(_, wanted)| !wanted.is_empty()).collect();
    assert_shapes(&named);
}

/// Returns objects with up to two of a few properties, and other values.
fn values() -> Vec<Value> {
    let members = [
        ("a", json!(1)),
        ("a", json!("x")),
        ("a", json!(["s", {"b": true}, {"a": []}])),
        ("a", json!({})),
        ("b", json!(2)),
        ("b", json!("y")),
        ("b", json!(true)),
        ("c", json!(3)),
        ("kind", json!("x")),
        ("kind", json!("y")),
        ("kind", json!("z")),
    ];
    let mut values =
        vec![json!("Point"), json!("other"), json!(["x"]), json!([1]), json!(null), json!(1), json!({})];
    for (at, (key, value)) in members.iter().enumerate() {
        values.push(json!({*key: value}));
        for (second, (other, more)) in members.iter().enumerate().skip(at + 1) {
            values.push(json!({*key: value, *other: more}));
            for (third, last) in members.iter().skip(second + 1) {
                values.push(json!({*key: value, *other: more, *third: last}));
            }
        }
    }
    values
}

// SPEC 6.1: a type accepts exactly the values of its schema, and writes them unchanged.
#[test]
#[ignore = "builds packages"]
fn alternatives_accept_what_their_schema_accepts() {
    let schemas: Vec<Value> = cases()
        .into_iter()
        .map(|(mut schema, _)| {
            schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
            schema
        })
        .collect();
    let skills: Vec<Schemas> =
        schemas.iter().map(|schema| (json!({"type": "object"}), schema.clone())).collect();
    let package = Package::build("unions", &skills);
    let (mut asked, mut valid) = (Vec::new(), Vec::new());
    for (skill, schema) in schemas.iter().enumerate() {
        let oracle = jsonschema::validator_for(schema).unwrap();
        for value in values() {
            valid.push(oracle.is_valid(&value));
            asked.push(Asked { skill, side: Side::Output, text: value.to_string() });
        }
    }
    let accepted = valid.iter().filter(|valid| **valid).count();
    assert!(accepted > 200 && valid.len() - accepted > 500, "{accepted} of {}", valid.len());
    for ((asked, valid), answer) in asked.iter().zip(valid).zip(package.ask(&asked)) {
        let (schema, text) = (&schemas[asked.skill], &asked.text);
        assert_eq!(answer.is_ok(), valid, "{schema}\n{text}\n{answer:?}");
        if let Ok(again) = answer {
            let (mut again, before): (Value, Value) =
                (serde_json::from_str(&again).unwrap(), serde_json::from_str(text).unwrap());
            // A default is written where the value was absent.
            if schema.to_string().contains("default") && before.get("a").is_none() && again.is_object() {
                again.as_object_mut().unwrap().remove("a");
            }
            assert_eq!(again, before, "{schema}");
        }
    }
}
