//! Tests that reports of violations are bounded, and that the bounds do not affect the result.

use serde_json::{Value, json};
use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::{Invalid, Tables, Violation, insert_defaults, is_valid_str, validate_str};

fn tables(schema: &Value) -> Tables {
    lower(&schema.to_string(), &DocumentOptions::default()).tables
}

/// Returns the violations of a value.
fn violations(schema: &Value, value: &Value) -> Vec<Violation> {
    let tables = tables(schema);
    let from_text = validate_str(&tables, &value.to_string()).expect_err("invalid");
    assert!(!is_valid_str(&tables, &value.to_string()));
    from_text.violations().into_owned()
}

fn required() -> Value {
    let names: Vec<String> = (0..20).map(|i| format!("field{i}")).collect();
    json!({"items": {"type": "object", "required": names}})
}

// SPEC 6.4
#[test]
fn a_hundred_violations_are_reported_and_the_rest_counted() {
    let all = violations(&required(), &json!(vec![json!({}); 60_000]));
    assert_eq!(all.len(), 101);
    let message = "(root): limit: expected at most 100 violations in 65536 bytes, found at least 20 more";
    assert_eq!(all[100].to_string(), message);
    // Fewer violations than the limit are all reported.
    let all = violations(&required(), &json!(vec![json!({}); 5]));
    assert_eq!(all.len(), 100);
    assert_eq!(all[99].pointer, "/4");
}

// SPEC 6.4
#[test]
fn the_texts_of_violations_have_a_bound() {
    let size = |all: &[Violation]| all.iter().map(|violation| violation.to_string().len()).sum::<usize>();
    let keys = |count: usize, length: usize| -> Value {
        (0..count).map(|i| (format!("{i}{}", "k".repeat(length)), Value::Null)).collect()
    };
    let closed = json!({"additionalProperties": false});
    let all = violations(&closed, &keys(90, 2_000));
    assert!(all.len() > 20 && all.len() < 40 && size(&all) < 70_000, "{} of {}", all.len(), size(&all));
    assert_eq!(all.last().expect("one").rule, "limit");
    // A key that is as long as the value is shortened.
    let all = violations(&closed, &keys(3, 1_000_000));
    assert_eq!(all.len(), 3);
    assert!(size(&all) < 15_000 && all[0].pointer.ends_with('…'), "{}", size(&all));
    let long = "é".repeat(10_000);
    let all = violations(&json!({"items": {"pattern": long}}), &json!(vec![long.to_uppercase(); 99]));
    assert!(size(&all) < 70_000, "{}", size(&all));
}

// SPEC 6.4: trying alternatives has the same bounds, and failed alternatives are not reported.
#[test]
fn alternatives_are_bounded_and_not_reported() {
    let schema = json!({"anyOf": [required(), {"type": "array", "minItems": 60_001, "maxItems": 60_001}]});
    let all = violations(&schema, &json!(vec![json!({}); 60_000]));
    assert!(all.len() <= 101, "{}", all.len());
    let nested = json!({"oneOf": [{"allOf": [required()]}, {"allOf": [required()]}]});
    let all = violations(&nested, &json!(vec![json!({}); 60_000]));
    assert_eq!((all.len(), all[100].rule), (101, "limit"));
    // Far more than a hundred rules are broken by alternatives that need not fit.
    let value = json!(vec![json!({}); 1_000]);
    for schema in [
        json!({"anyOf": [required(), {"type": "array"}]}),
        json!({"oneOf": [required(), {"type": "array"}]}),
        json!({"not": required()}),
        json!({"if": required(), "then": false, "else": true}),
        json!({"items": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}, true]}}),
    ] {
        assert_eq!(validate_str(&tables(&schema), &value.to_string()), Ok(()), "{schema}");
    }
}

// SPEC 6.4, 6.7: a text that is not JSON is reported as such, whatever rules it breaks before.
#[test]
fn a_text_whose_check_stops_is_read_to_its_end() {
    let text = format!("[{}]", vec!["{}"; 1_000].join(","));
    assert!(matches!(validate_str(&tables(&required()), &text), Err(Invalid::Violations(_))));
    for broken in
        [format!("{text},"), text.replace(",{}]", ",{}"), text.replace(",{}]", ",{\"a\":1,\"a\":2}]")]
    {
        assert!(matches!(validate_str(&tables(&required()), &broken), Err(Invalid::Malformed(_))));
    }
}

// SPEC 6.1: constants are compared by value, and objects without regard to order, also if there are many.
#[test]
fn many_constants_behave_like_few() {
    let forms = |i: i64| {
        [
            json!(i),
            serde_json::from_str(&format!("{i}.0")).expect("a number"),
            serde_json::from_str(&format!("{}e-1", i * 10)).expect("a number"),
            json!(format!("s{i}")),
            json!([i, {"a": i, "b": null}]),
            serde_json::from_str(&format!("[{i}.0, {{\"b\": null, \"a\": {i}}}]")).expect("JSON"),
            json!({"n": i}),
            json!([i]),
        ]
    };
    let known = |i: i64| [json!(i), json!(format!("s{i}")), json!([i, {"b": null, "a": i}]), json!({"n": i})];
    let many: Vec<Value> = (-40..40).filter(|i| i % 3 != 0).flat_map(known).chain([Value::Null]).collect();
    let constants: Vec<Value> = many.iter().map(|value| json!({"const": value})).collect();
    let (enumerated, one_by_one) = (tables(&json!({"enum": many})), tables(&json!({"anyOf": constants})));
    let mut fitting = 0;
    for value in (-50..50).flat_map(forms).chain([Value::Null, json!(true), json!(0.5), json!([]), json!({})])
    {
        let text = value.to_string();
        let fits = validate_str(&enumerated, &text).is_ok();
        assert_eq!(fits, validate_str(&one_by_one, &text).is_ok(), "{value}");
        assert_eq!(fits, is_valid_str(&enumerated, &text), "{value}");
        fitting += usize::from(fits);
    }
    assert_eq!(fitting, 53 * 7 + 1);
    for text in ["1", "1.0", "10e-1", "0.1E1", "-0.1e1", "\"s1\"", "[1.0, {\"a\": 1e0, \"b\": null}]"] {
        assert!(is_valid_str(&enumerated, text), "{text}");
    }
    assert!(!is_valid_str(&enumerated, "1.0000000000000000000000001"));
}

// SPEC 6.4: defaults that make a short value long count as steps.
#[test]
fn defaults_are_bounded_by_the_value() {
    let schema = json!({"items": {"properties": {"a": {"default": "x".repeat(10_000)}}}});
    let few = format!("[{}]", vec!["{}"; 50].join(","));
    assert!(insert_defaults(&tables(&schema), &few).is_ok_and(|text| text.len() > 500_000));
    let many = format!("[{}]", vec!["{}"; 50_000].join(","));
    let message = insert_defaults(&tables(&schema), &many).expect_err("500 MB").to_string();
    assert!(message.contains("limit: expected at most"), "{message}");
}
