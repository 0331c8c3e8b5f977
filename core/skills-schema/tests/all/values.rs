//! Tests checked values: in a flat form for typed code, with defaults, and repaired.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and print their counts")]

use std::borrow::Cow;

use serde_json::Value;
use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::{Invalid, Tables, decode_str, insert_defaults, repair_str, validate_str};

use crate::random::Random;
use crate::shared;

fn tables(schema: &str) -> Tables {
    let lowered = lower(schema, &DocumentOptions::default());
    assert!(!lowered.has_errors(), "{:?}", lowered.problems);
    lowered.tables
}

#[test]
fn slots_contain_the_values_of_the_text() {
    // SPEC 6.1: typed code reads a value that is checked once.
    let schema = r#"{"properties": {"name": {"type": "string"}, "mode": {"enum": ["fast", "slow"]}, "n": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}}, "either": {"anyOf": [{"type": "object"}, {"minLength": 1}]}}}"#;
    let text = r#"{"n": 3.0, "name": "a\n\u00e9", "x": null, "either": {"k\"": [1e400, true]}, "tags": ["b", "c"], "mode": "slow"}"#;
    let decoded = decode_str(&tables(schema), text).expect("fits");
    let root = decoded.root();
    let [name, mode, n, tags, either, absent] =
        root.fields(&["name", "mode", "n", "tags", "either", "absent"]);
    assert_eq!(name.and_then(|s| s.as_str()), Some("a\né"));
    assert_eq!(mode.and_then(|s| s.position(&["fast", "slow"])), Some(1));
    assert_eq!(n.map(|s| (s.as_i64(), s.as_u64(), s.as_f64())), Some((Some(3), Some(3), Some(3.0))));
    assert_eq!(tags.map(|s| s.items().filter_map(|s| s.as_str()).collect()), Some(vec!["b", "c"]));
    assert_eq!(either.map(|s| s.to_json()).as_deref(), Some(r#"{"k\"":[1e400,true]}"#));
    assert!(absent.is_none());
    assert_eq!(
        root.members().map(|(key, _)| key).collect::<Vec<_>>(),
        ["n", "name", "x", "either", "tags", "mode"]
    );
    assert!(root.members().any(|(_, slot)| slot.is_null()));
    let big = decode_str(&tables("true"), "[18446744073709551615, -1, 1.5]").expect("fits");
    let read: Vec<_> = big.root().items().map(|s| (s.as_u64(), s.as_i64())).collect();
    assert_eq!(read, [(Some(u64::MAX), None), (None, Some(-1)), (None, None)]);
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn decoding_loses_nothing() {
    // SPEC 12.2: for every schema, the slots contain the whole value, and the result is the same.
    let suite = test_bed::json_schema_suite().join("tests");
    let (mut fitting, mut refused) = (0, 0);
    for file in shared::files(&suite.join("draft2020-12"), false) {
        for case in shared::json(&file).as_array().expect("cases") {
            let tables = lower(&case["schema"].to_string(), &DocumentOptions::default()).tables;
            for test in case["tests"].as_array().expect("tests") {
                let text = test["data"].to_string();
                match (decode_str(&tables, &text), validate_str(&tables, &text)) {
                    (Ok(decoded), Ok(())) => {
                        let back: Value = serde_json::from_str(&decoded.root().to_json()).expect("JSON");
                        assert_eq!(back, test["data"]);
                        fitting += 1;
                    }
                    (Err(ours), Err(theirs)) => {
                        assert_eq!(ours, theirs);
                        refused += 1;
                    }
                    (ours, theirs) => panic!("{text}: {:?} {theirs:?}", ours.is_ok()),
                }
            }
        }
    }
    assert!(fitting > 500 && refused > 400, "{fitting} {refused}");
}

#[test]
fn defaults_are_inserted_where_they_fit() {
    // SPEC 6.1: defaults are inserted once, after validation, unless their own schema refuses them.
    for (schema, text, want) in [
        (
            r#"{"properties": {"a": {"default": 1}, "b": {"type": "string", "default": null}}}"#,
            "{}",
            r#"{"a":1}"#,
        ),
        (r#"{"properties": {"a": {"default": 1}}}"#, r#"{"a": 2, "b": 3.50}"#, r#"{"a":2,"b":3.50}"#),
        (
            r#"{"properties": {"o": {"default": {}, "properties": {"p": {"default": [true]}}}}}"#,
            "{}",
            r#"{"o":{"p":[true]}}"#,
        ),
        (
            r#"{"items": {"properties": {"a": {"default": "x"}}}}"#,
            r#"[{}, 1, {"a": "y"}]"#,
            r#"[{"a":"x"},1,{"a":"y"}]"#,
        ),
        (r#"{"allOf": [{"properties": {"a": {"default": 1}}}]}"#, "{}", r#"{"a":1}"#),
        (
            r#"{"anyOf": [{"properties": {"t": {"const": 1}, "a": {"default": 1}}}, {"properties": {"t": {"const": 2}, "b": {"default": 2}}}], "required": ["t"]}"#,
            r#"{"t": 2}"#,
            r#"{"t":2,"b":2}"#,
        ),
        (
            r##"{"definitions": {"n": {"default": 5}}, "properties": {"a": {"$ref": "#/definitions/n"}}}"##,
            "{}",
            r#"{"a":5}"#,
        ),
        (
            r#"{"patternProperties": {"^x": {"properties": {"a": {"default": 1}}}}}"#,
            r#"{"x1": {}}"#,
            r#"{"x1":{"a":1}}"#,
        ),
    ] {
        let tables = tables(schema);
        let complete = insert_defaults(&tables, text).expect("fits");
        assert_eq!(complete, want, "{schema}");
        assert_eq!(insert_defaults(&tables, &complete).as_deref(), Ok(want), "again: {schema}");
    }
    // A recursive schema would never end, so its default is inserted once per pass.
    let endless = tables(r##"{"properties": {"a": {"$ref": "#", "default": {}}}}"##);
    assert_eq!(insert_defaults(&endless, "{}").as_deref(), Ok(r#"{"a":{}}"#));
    let refused =
        insert_defaults(&tables(r#"{"required": ["a"], "properties": {"a": {"default": 1}}}"#), "{}");
    assert!(refused.is_err(), "a default does not stand in for a required property");
}

// SPEC 6.4: an input is passed on as compact JSON, whether its schema has defaults or not.
#[test]
fn a_text_is_written_again_only_if_that_changes_it() {
    let schemas =
        [r#"{"properties": {"a": {"minimum": 1}}}"#, r#"{"properties": {"a": {}, "z": {"default": 1}}}"#];
    let [without, with] = schemas.map(tables);
    for (text, compact) in [
        (
            r#"{"a":[1.50,-0,1e2,"é\n\"\\",null,true],"b":{}}"#,
            r#"{"a":[1.50,-0,1e2,"é\n\"\\",null,true],"b":{}}"#,
        ),
        (" {}", "{}"),
        ("{}\n", "{}"),
        (r#"{ }"#, "{}"),
        (r#"{"a" :1}"#, r#"{"a":1}"#),
        (r#"{"a": 1}"#, r#"{"a":1}"#),
        (r#"{"a":[1 ,2]}"#, r#"{"a":[1,2]}"#),
        (r#"{"\u0061":"\/"}"#, r#"{"a":"/"}"#),
    ] {
        let written = insert_defaults(&without, text).expect("fits");
        assert_eq!(written, compact, "{text}");
        assert_eq!(matches!(written, Cow::Borrowed(_)), text == compact, "{text}");
        let completed =
            insert_defaults(&with, text).expect("fits").replace(",\"z\":1", "").replace("\"z\":1", "");
        assert_eq!(completed, compact, "{text}");
    }
    assert_eq!(
        insert_defaults(&without, r#"{"a":0}"#),
        validate_str(&without, r#"{"a":0}"#).map(|()| "".into())
    );
    assert!(matches!(insert_defaults(&without, r#"{"a":1,"a":1}"#), Err(Invalid::Malformed(_))));
}

#[test]
fn repairs_are_made_and_reported() {
    // SPEC 6.1: strict by default; the lenient mode repairs frequent mistakes of models and reports the repairs.
    let schema = r#"{"type": "object", "required": ["r"], "properties": {"r": {"type": ["string", "null"]}, "n": {"type": "integer", "maximum": 9},
        "b": {"type": "boolean"}, "s": {"type": "string"}, "o": {"type": "object", "properties": {"x": {"type": "number"}}},
        "l": {"type": "array", "items": {"type": "integer"}}, "u": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}"#;
    let tables = tables(schema);
    for (text, want, repairs) in [
        (r#"{"r": null}"#, r#"{"r": null}"#, &[][..]),
        (r#"{"r": "1", "s": "3"}"#, r#"{"r": "1", "s": "3"}"#, &[]),
        (r#"{"r": "", "n": "3"}"#, r#"{"r":"","n":3}"#, &[("/n", "a string for a number")]),
        (
            r#"{"r": "", "s": null, "n": null}"#,
            r#"{"r":""}"#,
            &[("/s", "null for an absent property"), ("/n", "null for an absent property")],
        ),
        (r#"{"r": "", "b": "true"}"#, r#"{"r":"","b":true}"#, &[("/b", "a string for a boolean")]),
        (
            r#"{"r": "", "o": "{\"x\": \"1.50\"}"}"#,
            r#"{"r":"","o":{"x":1.50}}"#,
            &[("/o", "a string for an object"), ("/o/x", "a string for a number")],
        ),
        (r#"{"r": "", "l": "[1, 2]"}"#, r#"{"r":"","l":[1,2]}"#, &[("/l", "a string for an array")]),
        (r#"{"r": "", "u": "7"}"#, r#"{"r":"","u":7}"#, &[("/u", "a string for a number")]),
    ] {
        let repaired = repair_str(&tables, text).expect(text);
        let made: Vec<_> = repaired.repairs.iter().map(|r| (r.pointer.as_str(), r.what)).collect();
        assert_eq!((repaired.text.as_str(), made.as_slice()), (want, repairs), "{text}");
        assert!(validate_str(&tables, &repaired.text).is_ok());
        assert_eq!(validate_str(&tables, text).is_ok(), repairs.is_empty(), "strict by default: {text}");
    }
    for (text, rule) in [
        (r#"{"r": "", "n": "x"}"#, "type"),
        (r#"{"r": "", "n": "12"}"#, "maximum"),
        (r#"{"n": 1}"#, "required"),
        (r#"{"r": "", "n": 3.5}"#, "type"),
    ] {
        assert_eq!(repair_str(&tables, text).expect_err(text).violations()[0].rule, rule);
    }
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn rewriting_never_panics_and_always_fits() {
    // SPEC 12.1, 12.2: every output fits the schema.
    let suite = test_bed::json_schema_suite().join("tests");
    let random = &mut Random::new(5);
    let mut repaired = 0;
    for file in shared::files(&suite.join("draft7"), false) {
        for case in shared::json(&file).as_array().expect("cases") {
            let tables = lower(&case["schema"].to_string(), &DocumentOptions::default()).tables;
            for test in case["tests"].as_array().expect("tests") {
                let plain = test["data"].to_string();
                let texts = [
                    plain.clone(),
                    Value::String(plain.clone()).to_string(),
                    plain.replacen('1', random.pick::<&str>(&["\"1\"", "null"]), 1),
                ];
                for text in texts {
                    if let Ok(result) = repair_str(&tables, &text) {
                        assert!(validate_str(&tables, &result.text).is_ok(), "{text} {result:?}");
                        repaired += usize::from(!result.repairs.is_empty());
                    }
                    let _ = insert_defaults(&tables, &text);
                }
            }
        }
    }
    assert!(repaired > 30, "{repaired}");
}
