//! Tests the problems that lowering reports: text, level and position.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and print their counts")]

use skills_schema::lower::{
    DocumentOptions, Draft, Formats, ProblemKind, SchemaLevel, lower, lower_document,
};
use skills_schema::{Document, validate_str};

use crate::random::Random;
use crate::shared;

/// Returns each problem as `level: message @ source text`.
fn problems_of(schema: &str) -> Vec<String> {
    let lowered = lower(schema, &DocumentOptions::default());
    let line = |p: &skills_schema::lower::SchemaProblem| {
        let level = if p.level() == SchemaLevel::Error { "error" } else { "warning" };
        format!("{level}: {} @ {}", p.kind, &schema[p.span.clone()])
    };
    lowered.problems.iter().map(line).collect()
}

#[test]
fn every_problem_has_a_message_and_a_place() {
    // SPEC 3.2, 3.3, 6.1: errors and warnings of schemas, each with its byte range.
    for (schema, want) in [
        (r#"{"type": "strnig"}"#, r#"error: unknown type `strnig` @ "strnig""#),
        (
            r##"{"$ref": "#/definitions/x"}"##,
            r##"error: `#/definitions/x` leads nowhere in this schema @ "#/definitions/x""##,
        ),
        (
            r#"{"$ref": "other.json#/a"}"#,
            r#"error: `other.json#/a` leads to another document @ "other.json#/a""#,
        ),
        (
            r##"{"properties": {"a": {"$ref": "#/properties/a"}}}"##,
            r##"error: `#/properties/a` leads back to itself @ {"$ref": "#/properties/a"}"##,
        ),
        (r#"{"pattern": "a("}"#, r#"error: `a(` is not a valid pattern: this group is never closed @ "a(""#),
        (
            r#"{"patternProperties": {"[": true}}"#,
            r#"error: `[` is not a valid pattern: this `[` is never closed @ "[""#,
        ),
        (r#"{"minLength": -1}"#, "error: `minLength` takes an integer, 0 or more, not -1 @ -1"),
        (r#"{"properties": {"a": 3}}"#, "error: a schema must be an object or a boolean, not a number @ 3"),
        (r#"{"required": true}"#, "error: `required` takes an array of strings, not true @ true"),
        (
            r#"{"required": ["a", "a"]}"#,
            r#"error: `required` takes an array of strings, not an array with `a` twice @ ["a", "a"]"#,
        ),
        (r#"{"description": 3}"#, "error: `description` takes a string, not 3 @ 3"),
        (r#"{"then": {"type": 3}}"#, "error: `type` takes the name of a type or an array of them, not 3 @ 3"),
        (r#"{"exclusiveMinimum": true}"#, "error: `exclusiveMinimum` takes a number, not true @ true"),
        (r#"{"anyOf": []}"#, "error: `anyOf` takes an array of schemas, not empty, not an empty array @ []"),
        (
            r#"{"$schema": "http://json-schema.org/draft-04/schema#"}"#,
            "error: unknown draft `http://json-schema.org/draft-04/schema#`; known are http://json-schema.org/draft-07/schema#, https://json-schema.org/draft/2019-09/schema, https://json-schema.org/draft/2020-12/schema @ \"http://json-schema.org/draft-04/schema#\"",
        ),
        (
            r##"{"$schema": "https://json-schema.org/draft/2019-09/schema", "$defs": {"a": {"$id": "#a"}}}"##,
            r##"error: `$id` takes a URI without a fragment, not one with a fragment @ "#a""##,
        ),
        (r##"{"definitions": {"a": {"$id": "#a"}}, "$ref": "#a"}"##, ""),
        (r#"{"minimum": 5, "maximum": 4.5}"#, "warning: `minimum` and `maximum` exclude each other @ 4.5"),
        (r#"{"properties": {"a": {"enum": []}}}"#, "warning: `enum` is empty @ []"),
        (r#"{"enum": 3}"#, "error: `enum` takes an array, not 3 @ 3"),
        (
            r#"{"minimum": 5, "exclusiveMaximum": 5}"#,
            "warning: `minimum` and `exclusiveMaximum` exclude each other @ 5",
        ),
        (
            r#"{"type": "string", "default": null}"#,
            "warning: `default` does not fit its own schema: (root): type: expected a string, found null @ null",
        ),
        (
            r#"{"properties": {"name": true}, "required": ["nmae"], "additionalProperties": false}"#,
            r#"warning: `required` names `nmae`, which `properties` does not declare @ "nmae""#,
        ),
        (r#"{"nullable": true}"#, r#"warning: unknown keyword `nullable` @ "nullable""#),
        (
            r##"{"definitions": {"a": {}}, "$ref": "#/definitions/a", "minimum": 1}"##,
            r#"warning: draft-07 ignores `minimum` beside `$ref` @ "minimum""#,
        ),
        ("3", "error: a schema must be an object or a boolean, not a number @ 3"),
        (
            r#"{"a": /* x */ 1}"#,
            r#"warning: unknown keyword `a` @ "a"|error: comments are not JSON @ /* x */"#,
        ),
        (r#"{"type": "string",}"#, "error: trailing comma @ ,"),
    ] {
        assert_eq!(problems_of(schema).join("|"), want, "{schema}");
    }
}

// SPEC 3.2, 6.1: an undeclared required property is a warning, unless it may be declared elsewhere.
#[test]
fn required_properties_are_declared() {
    let warning = r#"warning: `required` names `b`, which `properties` does not declare @ "b""#;
    let in_2020 = |rest: &str| format!(r#"{{"$schema": "{}", {rest}}}"#, Draft::Draft2020.uri());
    let object = r#""properties": {"a": true}, "required": ["a", "b"]"#;
    for (rest, warned) in [
        ("", true),
        (r#", "additionalProperties": false"#, true),
        (r#", "unevaluatedProperties": false"#, true),
        (r#", "minProperties": 2"#, true),
        (r#", "additionalProperties": {"type": "string"}"#, false),
        (r#", "additionalProperties": true"#, false),
        (r#", "patternProperties": {"^b": true}"#, false),
        (r#", "patternProperties": {"^b": true}, "additionalProperties": false"#, false),
        (r#", "allOf": [{"properties": {"b": true}}]"#, false),
        (r#", "allOf": [{"properties": {"b": true}}], "additionalProperties": false"#, true),
        (r##", "$ref": "#/$defs/more", "$defs": {"more": {"properties": {"b": true}}}"##, false),
        (r#", "if": {"properties": {"b": true}}"#, false),
        (r#", "dependentSchemas": {"a": {"properties": {"b": true}}}"#, false),
    ] {
        let schema = in_2020(&format!("{object}{rest}"));
        assert_eq!(problems_of(&schema), if warned { vec![warning] } else { vec![] }, "{schema}");
    }
    for schema in [
        r#"{"required": ["b"]}"#.to_owned(),
        format!(r#"{{"properties": {{"b": true}}, "oneOf": [{{{object}}}, {{"required": ["b"]}}]}}"#),
        format!(r#"{{"properties": {{"b": true}}, "if": {{{object}}}, "then": {{{object}}}}}"#),
        format!(r#"{{"properties": {{"b": true}}, "dependencies": {{"a": {{{object}}}}}}}"#),
    ] {
        assert_eq!(problems_of(&schema), Vec::<String>::new(), "{schema}");
    }
}

// SPEC 3.2: faults of a definition are reported even if nothing refers to it, and do not change the tables.
#[test]
fn unused_definitions_are_checked() {
    let bad = r#"{"type": "strnig"}"#;
    let error = r#"error: unknown type `strnig` @ "strnig""#;
    for schema in [
        format!(r#"{{"definitions": {{"a": {bad}}}}}"#),
        format!(r#"{{"definitions": {{"a": {{"definitions": {{"b": {bad}}}}}}}}}"#),
        format!(r#"{{"definitions": {{"a": {{"properties": {{"b": {bad}}}}}}}}}"#),
        format!(r#"{{"properties": {{"a": {{"definitions": {{"b": {bad}}}}}}}}}"#),
        format!(r##"{{"$ref": "#/definitions/b", "definitions": {{"a": {bad}, "b": {{}}}}}}"##),
        format!(r#"{{"$schema": "{}", "$defs": {{"a": {bad}}}}}"#, Draft::Draft2020.uri()),
    ] {
        assert_eq!(problems_of(&schema), [error], "{schema}");
    }
    let problems_of = |schema: &str| problems_of(schema).join("|");
    assert_eq!(
        problems_of(r#"{"definitions": {"a": {"type": "string", "default": 3}}}"#),
        "warning: `default` does not fit its own schema: (root): type: expected a string, found 3 @ 3"
    );
    assert_eq!(
        problems_of(r##"{"definitions": {"a": {"$ref": "#/definitions/a"}}}"##).split(" @").count(),
        2
    );
    let tables = |schema: &str| lower(schema, &DocumentOptions::default()).tables;
    let sound = r#"{"properties": {"n": {"type": "integer"}}, "definitions": {"a": {"type": "string"}}}"#;
    assert_eq!(tables(sound), tables(r#"{"properties": {"n": {"type": "integer"}}}"#));
}

#[test]
fn suggestions_come_with_the_problem() {
    // SPEC 6.1: unknown keywords and types suggest the likely one.
    let kind = |schema: &str| lower(schema, &DocumentOptions::default()).problems.remove(0).kind;
    let ProblemKind::UnknownKeyword { suggestion, note, .. } =
        kind(r#"{"type": "integer", "nullable": true}"#)
    else {
        panic!()
    };
    assert_eq!(
        (suggestion, note.as_deref()),
        (None, Some(r#"JSON Schema spells this `"type": ["integer", "null"]`"#))
    );
    let ProblemKind::UnknownKeyword { suggestion, .. } = kind(r#"{"requried": []}"#) else { panic!() };
    assert_eq!(suggestion, Some("required"));
    let ProblemKind::UnknownKeyword { note, .. } = kind(r#"{"prefixItems": [true]}"#) else { panic!() };
    assert!(note.expect("a note").starts_with("`prefixItems` came with 2020-12; this schema is draft-07"));
    let ProblemKind::UnknownType { suggestion, .. } = kind(r#"{"type": "int"}"#) else { panic!() };
    assert_eq!(suggestion, Some("integer"));
    let ProblemKind::RequiredUnknown { suggestion, .. } =
        kind(r#"{"properties": {"name": true}, "required": ["nmae"], "additionalProperties": false}"#)
    else {
        panic!()
    };
    assert_eq!(suggestion.as_deref(), Some("name"));
}

#[test]
fn contradictory_bounds_refuse_everything() {
    // SPEC 6.1: contradictory bounds are a warning, and the tables refuse every value of the type.
    let lowered = lower(r#"{"type": "integer", "minimum": 3, "maximum": 2}"#, &DocumentOptions::default());
    assert!(!lowered.has_errors());
    for text in ["2", "3", "2.5", "null"] {
        assert!(validate_str(&lowered.tables, text).is_err());
    }
}

#[test]
fn formats_follow_the_draft_by_default() {
    // SPEC 6.1: `format` is asserted in draft-07, an annotation later; both can be overridden.
    let later = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "format": "ipv4"}"#;
    for (schema, formats, asserted) in [
        (r#"{"format": "ipv4"}"#, Formats::AsDraft, true),
        (r#"{"format": "ipv4"}"#, Formats::Ignore, false),
        (later, Formats::AsDraft, false),
        (later, Formats::Assert, true),
        (r#"{"format": "no-such-format"}"#, Formats::Assert, false),
    ] {
        let lowered = lower(schema, &DocumentOptions { formats, ..DocumentOptions::default() });
        assert_eq!(lowered.problems, []);
        assert_eq!(validate_str(&lowered.tables, "\"1.2.3\"").is_err(), asserted, "{schema} {formats:?}");
        assert!(validate_str(&lowered.tables, "\"1.2.3.4\"").is_ok());
    }
}

#[test]
fn further_documents_resolve_and_report() {
    // SPEC 6.1: references to given documents resolve, and their problems name them.
    let documents = [
        ("http://x/a.json", r#"{"definitions": {"n": {"type": "intger"}}}"#),
        ("http://x/b.json", r#"{"type": "null"}"#),
    ];
    let schema =
        r#"{"$id": "http://x/root.json", "anyOf": [{"$ref": "a.json#/definitions/n"}, {"$ref": "b.json"}]}"#;
    let lowered = lower_document(Document::gather(schema, &DocumentOptions::default(), &mut |uri| {
        documents.iter().find(|(known, _)| *known == uri).map(|(_, text)| (*text).to_owned())
    }));
    assert_eq!(lowered.document.draft(), Draft::Draft7);
    let problems: Vec<_> =
        lowered.problems.iter().map(|p| (p.document, &documents[p.document - 1].1[p.span.clone()])).collect();
    assert_eq!(problems, [(1, "\"intger\"")]);
    assert!(validate_str(&lowered.tables, "null").is_ok());
}

#[test]
fn the_meta_schemas_lower_and_accept_themselves() {
    // SPEC 3.2: `input` and `output` must themselves be valid schemas of their draft.
    for draft in [Draft::Draft7, Draft::Draft2019, Draft::Draft2020] {
        let lowered = lower(
            &format!("{{\"$schema\": \"{0}\", \"$ref\": \"{0}\"}}", draft.uri()),
            &DocumentOptions::default(),
        );
        assert!(!lowered.has_errors(), "{:?}", lowered.problems);
        assert_eq!(lowered.document.draft(), draft);
        for (schema, fits) in [
            (r#"{"type": "string", "minLength": 1}"#, true),
            (r#"{"type": "strnig"}"#, false),
            (r#"{"properties": {"a": {"minLength": -1}}}"#, false),
            (r#"{"required": ["a", "a"]}"#, false),
            ("3", false),
        ] {
            assert_eq!(validate_str(&lowered.tables, schema).is_ok(), fits, "{draft} {schema}");
        }
    }
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn lowering_never_panics() {
    // SPEC 12.1: no input panics, neither as a schema nor as a value.
    let random = &mut Random::new(3);
    let dir = test_bed::json_schema_suite().join("tests");
    let mut schemas: Vec<String> = Vec::new();
    for file in ["draft7", "draft2020-12"].iter().flat_map(|draft| shared::files(&dir.join(draft), true)) {
        let cases = shared::json(&file);
        schemas.extend(cases.as_array().expect("cases").iter().map(|case| case["schema"].to_string()));
    }
    let keywords = [
        "$ref",
        "$id",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$recursiveRef",
        "$schema",
        "items",
        "prefixItems",
        "allOf",
        "not",
        "type",
        "enum",
        "const",
        "pattern",
        "properties",
        "required",
        "dependencies",
        "minimum",
        "maxLength",
        "unevaluatedProperties",
        "default",
        "if",
        "contains",
    ];
    let values = [
        "null",
        "true",
        "0",
        "-1",
        "1e400",
        "\"#\"",
        "\"#/\"",
        "\"\"",
        "[]",
        "{}",
        "[\"a\"]",
        "\"^(\"",
        "[{}]",
        "{\"a\":[\"b\"]}",
        "\"http://x/y#z\"",
        "\"string\"",
    ];
    let instances = ["null", "1", "\"a\"", "[1,[1],{\"a\":1}]", "{\"a\":1,\"foo\":{\"bar\":[]}}"];
    let mut errors = 0;
    let rounds = test_bed::rounds(600);
    for round in 0..rounds {
        let mut text = random.pick(&schemas).clone();
        for _ in 0..=random.below(3) {
            let places: Vec<usize> = text.match_indices(['{', ':', ',', '"', '[']).map(|(i, _)| i).collect();
            let Some(&at) = places.get(random.below(places.len())) else { continue };
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 if text[at..].starts_with('{') => text
                    .insert_str(at + 1, &format!("\"{}\":{},", random.pick(&keywords), random.pick(&values))),
                2 if text[at..].starts_with(':') => {
                    let end = text[at..].find([',', '}']).map_or(text.len(), |i| at + i);
                    text.replace_range(at + 1..end, random.pick::<&str>(&values));
                }
                _ => text.insert_str(at, random.pick::<&str>(&["}", "]", ",", "\"", "x", "\\"])),
            }
        }
        let lowered =
            lower(&text, &DocumentOptions { formats: Formats::Assert, ..DocumentOptions::default() });
        errors += usize::from(lowered.has_errors());
        for problem in &lowered.problems {
            assert!(text.get(problem.span.clone()).is_some(), "{text}: {problem:?}");
        }
        let _ = validate_str(&lowered.tables, instances[round % instances.len()]);
    }
    assert!(errors > rounds / 6 && errors < rounds * 59 / 60, "{errors}");
}
