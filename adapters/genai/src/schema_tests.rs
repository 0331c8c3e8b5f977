//! Tests which schemas are enforced strictly, loosely, or not at all.

use super::*;

#[test]
fn strict_only_without_change_of_meaning() {
    let one = |schema: Value| json!({ "type": "object", "properties": { "a": schema }, "required": ["a"] });
    let strict = [
        one(json!({ "type": ["string", "null"], "format": "date" })),
        one(json!({ "type": "array", "items": one(json!({ "type": "integer", "minimum": 1 })) })),
        one(json!({ "anyOf": [{ "type": "string" }, { "const": 3 }] })),
        json!({ "type": "object", "properties": {}, "additionalProperties": false }),
    ];
    for schema in strict {
        assert!(is_strict(&schema, 0), "{schema}");
    }
    let mut deep = json!({ "type": "string" });
    for _ in 0..=DEEPEST {
        deep = one(deep);
    }
    let loose = [
        json!({ "type": "object", "properties": { "a": { "type": "string" } } }),
        json!({ "type": "object" }),
        json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        one(json!({ "type": "string", "minLength": 1 })),
        one(json!({ "type": "string", "format": "uri" })),
        one(json!({ "oneOf": [{ "type": "string" }] })),
        one(json!({ "type": "array", "items": true })),
        one(json!({ "$ref": "#/$defs/a" })),
        one(json!({})),
        one(json!({ "type": "array", "items": [{ "type": "string" }] })),
        json!({ "anyOf": [{ "type": "object" }] }),
        deep,
    ];
    for schema in loose {
        assert!(!is_strict(&schema, 0), "{schema}");
    }
}

#[test]
fn anthropic_gets_what_it_takes() {
    let of = |schema: Value| anthropic(&schema, 0);
    let one = |schema: Value| json!({ "type": "object", "properties": { "a": schema } });
    let given = one(json!({ "type": "string", "minLength": 1, "pattern": "^x", "format": "uri" }));
    assert_eq!(of(given), Some(one(json!({ "type": "string" }))));
    let given = one(json!({ "oneOf": [{ "type": "string", "format": "date" }, { "type": "null" }] }));
    let expected = one(json!({ "anyOf": [{ "type": "string", "format": "date" }, { "type": "null" }] }));
    assert_eq!(of(given), Some(expected));
    let unsaid = [
        json!({ "type": "object" }),
        one(json!({})),
        one(json!(true)),
        one(json!({ "$ref": "#/$defs/a" })),
        one(json!({ "type": "object", "additionalProperties": { "type": "string" } })),
        one(json!({ "type": "string", "anyOf": [{ "const": "a" }], "oneOf": [{ "const": "a" }] })),
    ];
    for schema in unsaid {
        assert_eq!(of(schema.clone()), None, "{schema}");
    }
}

#[test]
fn old_models_get_no_schema() {
    for model in ["claude-sonnet-4-5", "claude-opus-4-1", "claude-haiku-4-5", "claude-opus-5"] {
        assert!(has_structured_output(model), "{model}");
    }
    for model in ["claude-3-7-sonnet-latest", "claude-sonnet-4-20250514", "claude-opus-4-0"] {
        assert!(!has_structured_output(model), "{model}");
    }
}
