//! Tests the violations of refused values: pointer, rule, expected and found value.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and print their counts")]

use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::{Invalid, Tables, is_valid_str, validate_str};

fn tables(schema: &str) -> Tables {
    let lowered = lower(schema, &DocumentOptions::default());
    assert!(!lowered.has_errors(), "{:?}", lowered.problems);
    lowered.tables
}

/// Returns the violations, one per line.
fn violations_of(schema: &str, text: &str) -> String {
    let tables = tables(schema);
    let violations = validate_str(&tables, text).err().map(|invalid| invalid.to_string());
    assert_eq!(is_valid_str(&tables, text), violations.is_none());
    violations.unwrap_or_default()
}

#[test]
fn each_rule_reports_expected_and_found() {
    // SPEC 6.4: one line per violation, `POINTER: RULE: expected E, found A`.
    for (schema, text, want) in [
        (r#"{"type": "string"}"#, "3", "(root): type: expected a string, found 3"),
        (r#"{"type": ["integer", "null"]}"#, "2.5", "(root): type: expected an integer or null, found 2.5"),
        (r#"{"type": "array"}"#, "{}", "(root): type: expected an array, found an object"),
        (r#"{"enum": ["a", 1, null]}"#, "\"b\"", r#"(root): enum: expected "a", 1 or null, found "b""#),
        (
            r#"{"const": {"a": [1]}}"#,
            r#"{"a": [2]}"#,
            r#"(root): const: expected {"a":[1]}, found an object"#,
        ),
        (r#"{"minLength": 3}"#, "\"éé\"", "(root): minLength: expected at least 3 characters, found 2"),
        (r#"{"maxLength": 1}"#, "\"éé\"", "(root): maxLength: expected at most 1 characters, found 2"),
        (r#"{"pattern": "^a+$"}"#, "\"b\"", "(root): pattern: expected a match of `^a+$`, found \"b\""),
        (r#"{"format": "date"}"#, "\"x\"", "(root): format: expected the format date, found \"x\""),
        (r#"{"maximum": 1e2}"#, "1e40", "(root): maximum: expected at most 1e2, found 1e40"),
        (r#"{"exclusiveMinimum": 0}"#, "0", "(root): exclusiveMinimum: expected more than 0, found 0"),
        (r#"{"multipleOf": 0.1}"#, "0.35", "(root): multipleOf: expected a multiple of 0.1, found 0.35"),
        (r#"{"required": ["a"]}"#, "{}", "(root): required: expected the property \"a\", found none"),
        (
            r#"{"properties": {"a": true}, "additionalProperties": false}"#,
            r#"{"b~/": 1}"#,
            "/b~0~1: additionalProperties: expected no property but \"a\", found 1",
        ),
        (r#"{"properties": {"a": false}}"#, r#"{"a": 1}"#, "/a: properties: expected nothing here, found 1"),
        (
            r#"{"propertyNames": {"maxLength": 1}}"#,
            r#"{"ab": 1}"#,
            "/ab: maxLength: expected at most 1 characters, found 2",
        ),
        (
            r#"{"maxProperties": 1}"#,
            r#"{"a": 1, "b": 2}"#,
            "(root): maxProperties: expected at most 1 properties, found 2",
        ),
        (r#"{"minItems": 1}"#, "[]", "(root): minItems: expected at least 1 items, found 0"),
        (
            r#"{"uniqueItems": true}"#,
            "[1, 2, 1.0]",
            "(root): uniqueItems: expected no two equal items, found items 0 and 2 equal",
        ),
        (
            r#"{"contains": {"type": "null"}}"#,
            "[1]",
            "(root): contains: expected at least 1 items that fit, found 0",
        ),
        (
            r#"{"not": {"type": "null"}}"#,
            "null",
            "(root): not: expected a value that the schema of `not` refuses, found null",
        ),
        (
            r#"{"dependencies": {"a": ["b"]}}"#,
            r#"{"a": 1}"#,
            "(root): dependentRequired: expected the property \"b\" beside \"a\", found none",
        ),
        (
            r#"{"if": {"minimum": 5}, "then": {"multipleOf": 5}}"#,
            "6",
            "(root): multipleOf: expected a multiple of 5, found 6",
        ),
        (
            r#"{"oneOf": [{"minimum": 1}, {"minimum": 2}]}"#,
            "3",
            "(root): oneOf: expected exactly one schema to fit, found schemas 0, 1 that do",
        ),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
            "3",
            "(root): anyOf: expected a string or null, found 3",
        ),
        (
            r#"{"anyOf": [{"type": "integer", "minimum": 4}, {"type": "null"}]}"#,
            "3",
            "(root): minimum: expected at least 4, found 3",
        ),
        (
            r#"{"anyOf": [{"minimum": 5}, {"multipleOf": 2}]}"#,
            "3",
            "(root): anyOf: expected at least 5 or a multiple of 2, found 3",
        ),
        (
            r#"{"oneOf": [{"properties": {"t": {"const": "a"}, "n": {"type": "string"}}}, {"properties": {"t": {"const": "b"}, "n": {"type": "null"}}}]}"#,
            r#"{"t": "b", "n": 1}"#,
            "/n: type: expected null, found 1",
        ),
    ] {
        assert_eq!(violations_of(schema, text), want, "{schema} on {text}");
    }
}

const REVIEW: &str = r#"{"type": "object", "required": ["files"], "properties": {"files": {"type": "array",
    "items": {"type": "object", "properties": {"line": {"type": "string"}, "path": {"type": "string"}}, "required": ["path"]}}}}"#;

#[test]
fn all_violations_are_reported_in_order() {
    // SPEC 6.4: input validation reports all violations.
    let files = r#"{"files": [{"path": "a"}, {"path": 1}, {}, {"path": "b", "line": 12}]}"#;
    let want = "/files/1/path: type: expected a string, found 1\n\
                /files/2: required: expected the property \"path\", found none\n\
                /files/3/line: type: expected a string, found 12";
    assert_eq!(violations_of(REVIEW, files), want);
}

#[test]
fn more_than_64_properties_are_distinguished() {
    // SPEC 6.1: required properties beyond the 64th count too.
    let names: Vec<String> = (0..200).map(|i| format!("p{i}")).collect();
    let properties: Vec<String> =
        names.iter().map(|n| format!("\"{n}\": {{\"type\": \"integer\"}}")).collect();
    let schema = format!(
        "{{\"properties\": {{{}}}, \"required\": {names:?}, \"additionalProperties\": false}}",
        properties.join(",")
    );
    let with = |skipped: usize| {
        let members: Vec<String> =
            (0..200).filter(|i| *i != skipped).map(|i| format!("\"p{i}\": {i}")).collect();
        format!("{{{}}}", members.join(","))
    };
    assert_eq!(violations_of(&schema, &with(1000)), "");
    for missing in [0, 63, 64, 127, 128, 199] {
        let want = format!("(root): required: expected the property \"p{missing}\", found none");
        assert_eq!(violations_of(&schema, &with(missing)), want);
    }
}

#[test]
fn malformed_text_has_line_and_column() {
    // SPEC 3.3: JSON faults carry line:col; comments and trailing commas say so.
    let tables = tables(REVIEW);
    for (text, want) in [
        ("{\"files\": [],\n  // x\n}", "2:3: comments are not JSON"),
        ("{\"files\": [],\n}", "1:13: trailing comma"),
        ("{\"é\": [1 2]}", "1:10: expected `,` or the closing bracket"),
        ("{\"files\": 3, \"files\": []}", "1:14: duplicate key"),
        ("", "1:1: the JSON text ends inside a value"),
        ("{} {}", "1:4: unexpected text after the JSON value: `{}`"),
        (" Error: no such \u{1b}[31mfile\r\nat x", "1:2: `Error: no such \\u{1b}[31mfile`"),
        ("{\"files\": }", "1:11: `}`"),
    ] {
        let refused = validate_str(&tables, text).expect_err(text);
        assert!(matches!(refused, Invalid::Malformed(_)), "{refused:?}");
        let message = format!("(root): json: expected a JSON value, found {want}");
        assert_eq!(refused.to_string(), message);
        // A text that is not JSON breaks a rule like any other.
        let message: Vec<_> =
            refused.violations().iter().map(|broken| (broken.rule, broken.pointer.clone())).collect();
        assert_eq!(message, [("json", String::new())]);
        assert!(!is_valid_str(&tables, text));
    }
}

#[test]
fn numbers_are_exact() {
    // SPEC 6.1: integers of any size; 3.0 is an integer.
    let big = r#"{"type": "integer", "maximum": 18446744073709551616, "minimum": -9223372036854775808}"#;
    for (text, fits) in [
        ("3.0", true),
        ("1e2", true),
        ("18446744073709551616", true),
        ("18446744073709551616.0", true),
        ("18446744073709551617", false),
        ("-9223372036854775808", true),
        ("-9223372036854775809", false),
        ("1.5", false),
        ("1e400", false),
        ("1e-400", false),
    ] {
        assert_eq!(validate_str(&tables(big), text).is_ok(), fits, "{text}");
    }
}

#[test]
fn limits_end_in_a_violation() {
    // SPEC 6.1, 12.1: recursion, blow-up and slow patterns end in an error, also on a small stack.
    let check = || {
        let endless = lower(
            r##"{"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "minimum": 1}"##,
            &DocumentOptions::default(),
        )
        .tables;
        let message = validate_str(&endless, "1").expect_err("endless").to_string();
        assert_eq!(message, "(root): limit: expected at most 320 schemas within one another, found more");
        let list =
            r##"{"type": ["array", "null"], "allOf": [{"items": {"$ref": "#"}}], "uniqueItems": true}"##;
        let nested = format!("{}{}", "[".repeat(128), "]".repeat(128));
        assert!(validate_str(&tables(list), &nested).is_ok());
        let slow = tables(r#"{"pattern": "^(a+)+$"}"#);
        let message = validate_str(&slow, &format!("\"{}b\"", "a".repeat(50))).expect_err("slow").to_string();
        assert_eq!(
            message,
            "(root): limit: expected `^(a+)+$` to be decided in 1000000 steps, found a text that takes more"
        );
        let branching: String = (0..40).map(|i| format!("\"d{i}\": {{\"anyOf\": [{{\"allOf\": [{{\"$ref\": \"#/definitions/d{}\"}}, {{\"minimum\": 0}}]}}, {{\"allOf\": [{{\"$ref\": \"#/definitions/d{}\"}}, {{\"minimum\": 0}}]}}]}},", i + 1, i + 1)).collect();
        let schema = format!(
            "{{\"$ref\": \"#/definitions/d0\", \"definitions\": {{{branching} \"d40\": {{\"type\": \"null\"}}}}}}"
        );
        let message = validate_str(&tables(&schema), "1").expect_err("too many").to_string();
        assert!(
            message.starts_with("(root): limit: expected at most 1000064 steps of validation"),
            "{message}"
        );
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(check).expect("a thread");
    thread.join().expect("no overflow");
}

const CHANNEL: &str = r##"{"type": "object", "properties": {"channel": {"oneOf": [{"$ref": "#/$defs/email"}, {"$ref": "#/$defs/phone"}]}},
    "$defs": {
        "email": {"type": "object", "properties": {"kind": {"const": "email"}, "to": {"type": "string"}}, "required": ["kind", "to"], "additionalProperties": false},
        "phone": {"type": "object", "properties": {"kind": {"enum": ["phone", "fax-by-phone"]}, "number": {"type": "integer"}}, "required": ["kind", "number"]}}}"##;

#[test]
fn a_tagged_alternative_is_checked_by_its_tag() {
    // SPEC 6.7: an unknown tag is reported with the known ones; a value with a known tag only by the rules of its
    // alternative.
    for (text, want) in [
        (
            r#"{"channel": {"kind": "fax", "to": "a"}}"#,
            "/channel/kind: enum: expected \"email\", \"phone\" or \"fax-by-phone\", found \"fax\"",
        ),
        (
            r#"{"channel": {"kind": 1}}"#,
            "/channel/kind: enum: expected \"email\", \"phone\" or \"fax-by-phone\", found 1",
        ),
        (
            r#"{"channel": {"kind": "email", "number": 1}}"#,
            "/channel/number: additionalProperties: expected no property but \"kind\", \"to\", found 1\n\
             /channel: required: expected the property \"to\", found none",
        ),
        (
            r#"{"channel": {"kind": "fax-by-phone", "to": 3}}"#,
            "/channel: required: expected the property \"number\", found none",
        ),
        (
            r#"{"channel": {"to": "a"}}"#,
            "/channel: required: expected the property \"kind\", which is \"email\", \"phone\" or \"fax-by-phone\", found none",
        ),
        (r#"{"channel": 3}"#, "/channel: oneOf: expected an object, found 3"),
    ] {
        assert_eq!(violations_of(CHANNEL, text), want, "{text}");
    }
    let constants = r#"{"anyOf": [{"properties": {"n": {"const": 1}}}, {"properties": {"n": {"const": 2}, "m": {"const": 0}}}]}"#;
    assert_eq!(violations_of(constants, r#"{"n": 3}"#), "/n: const: expected 1 or 2, found 3");
    assert_eq!(violations_of(constants, r#"{"n": 2.0, "m": 1}"#), "/m: const: expected 0, found 1");
}

#[test]
fn the_nearest_alternative_without_a_tag_is_reported() {
    // SPEC 6.7: prefers the alternative with the fewest and deepest faults, and with known properties.
    let schema = r#"{"anyOf": [
        {"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "integer"}}}, "required": ["ids"]},
        {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}, "lang": {}}, "required": ["query", "lang"]},
        {"type": "null"}]}"#;
    for (text, want) in [
        (r#"{"ids": ["a"]}"#, "/ids/0: type: expected an integer, found \"a\""),
        (
            r#"{"query": "a", "limit": "3"}"#,
            "/limit: type: expected an integer, found \"3\"\n(root): required: expected the property \"lang\", found none",
        ),
        ("[]", "(root): anyOf: expected an object or null, found an array"),
    ] {
        assert_eq!(violations_of(schema, text), want, "{text}");
    }
    let either = r#"{"anyOf": [{"required": ["a", "b"]}, {"required": ["c", "d"]}]}"#;
    let want = "(root): required: expected the property \"a\" and the property \"b\" or the property \"c\" and the property \"d\", found none";
    assert_eq!(violations_of(either, "{}"), want);
}

#[test]
fn a_missing_property_is_reported_as_data() {
    // SPEC 6.7
    let schema = r#"{"required": ["a"], "dependentRequired": {"b": ["c\""]}, "$schema": "https://json-schema.org/draft/2020-12/schema"}"#;
    let refused = validate_str(&tables(schema), r#"{"b": 1}"#).expect_err("two are missing");
    let missing: Vec<_> = refused.violations().iter().map(|broken| broken.property.clone()).collect();
    assert_eq!(missing, [Some("a".to_owned()), Some("c\"".to_owned())]);
    let refused = validate_str(&tables(r#"{"type": "null"}"#), "1").expect_err("no null");
    assert_eq!(refused.violations()[0].property, None);
}
