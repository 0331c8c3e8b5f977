//! Tests tool definitions: their form, the inputs that APIs refuse, and that a definition never contradicts
//! its schema.

#![expect(clippy::panic, reason = "a wrong definition fails its test, and says which")]

use serde_json::{Value, json};
use skills_schema::lower::{DocumentOptions, Draft, lower};
use skills_schema::tools::{Definition, Tool, Unfit, define};
use skills_schema::{Document, validate_str};
use skills_text::ToolFormat;

use crate::shared;

fn tool<'t>(name: &'t str, input: &'t Document) -> Tool<'t> {
    Tool { name, description: "Does it.", input, output: None }
}

fn read(text: &str) -> Document {
    Document::read(text, &DocumentOptions::default())
}

fn defined(name: &str, input: &str, format: ToolFormat) -> Result<Definition, Unfit> {
    define(&tool(name, &read(input)), format)
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Returns the schema in the definition for a format, or `None` if the definition has none.
fn schema(input: &Value, format: ToolFormat) -> Option<Value> {
    let text = input.to_string();
    let defined = value(&defined("t", &text, format).unwrap_or_else(|e| panic!("{e}: {text}")).to_string());
    let pointer = match format {
        ToolFormat::OpenAi => "/function/parameters",
        ToolFormat::OpenAiResponses | ToolFormat::Gemini => "/parameters",
        ToolFormat::Anthropic => "/input_schema",
        ToolFormat::Mcp => "/inputSchema",
    };
    defined.pointer(pointer).cloned()
}

// SPEC 6.3
#[test]
fn every_interface_has_its_shape() {
    let input = r#"{ "type": "object", "properties": { "text": { "type": "string" }, "n": { "type": "integer" } }, "required": ["text"] }"#;
    let (input, output) = (read(input), read(r#"{"type": "object"}"#));
    let tool = Tool { output: Some(&output), ..tool("say", &input) };
    let parameters = r#"{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"integer"}},"required":["text"]}"#;
    let rest = &parameters[1..];
    let head = r#""name":"say","description":"Does it.""#;
    for (format, want) in [
        (
            ToolFormat::OpenAi,
            format!(r#"{{"type":"function","function":{{{head},"parameters":{parameters}}}}}"#),
        ),
        (
            ToolFormat::OpenAiResponses,
            format!(r#"{{"type":"function",{head},"parameters":{parameters},"strict":false}}"#),
        ),
        (ToolFormat::Anthropic, format!(r#"{{{head},"input_schema":{parameters}}}"#)),
        (
            ToolFormat::Mcp,
            format!(
                r#"{{{head},"inputSchema":{{"$schema":"http://json-schema.org/draft-07/schema#",{rest},"outputSchema":{{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}}}"#
            ),
        ),
        (
            ToolFormat::Gemini,
            format!(
                r#"{{{head},"parameters":{{"type":"OBJECT","properties":{{"text":{{"type":"STRING"}},"n":{{"type":"INTEGER"}}}},"required":["text"]}}}}"#
            ),
        ),
    ] {
        assert_eq!(define(&tool, format).unwrap().to_string(), want, "{format:?}");
    }
    let indented = define(&tool, ToolFormat::Anthropic).unwrap().indented(1);
    assert!(indented.starts_with("{\n    \"name\": \"say\",\n"), "{indented}");
    assert!(indented.ends_with("\n    }\n  }"), "{indented}");
    assert_eq!(value(&indented), value(&define(&tool, ToolFormat::Anthropic).unwrap().to_string()));
}

// SPEC 6.3
#[test]
fn schemas_that_an_interface_refuses_are_not_tools() {
    for name in ["", "a b", "a.b", "a/b", "é", &"x".repeat(65)] {
        for format in ToolFormat::ALL {
            assert_eq!(defined(name, "{}", format), Err(Unfit::Name), "{name:?}");
        }
    }
    assert!(defined(&"x".repeat(64), "{}", ToolFormat::OpenAi).is_ok());
    assert!(defined("3d", "{}", ToolFormat::Anthropic).is_ok());
    assert_eq!(defined("3d", "{}", ToolFormat::Gemini), Err(Unfit::NameStart));
    for input in [
        r#"{"type": "string"}"#,
        r#"{"type": ["string", "null"]}"#,
        "false",
        r#"{"const": 1}"#,
        r#"{"enum": ["a"]}"#,
        r##"{"anyOf": [{"type": "string"}, {"$ref": "#/definitions/a"}], "definitions": {"a": {"type": "null"}}}"##,
        r##"{"$ref": "#/definitions/a", "definitions": {"a": {"type": "null"}}}"##,
    ] {
        assert_eq!(defined("t", input, ToolFormat::Anthropic), Err(Unfit::Input), "{input}");
    }
    for input in ["true", "{}", r#"{"type": ["object", "null"]}"#, r#"{"enum": [1, {"a": 1}]}"#] {
        let schema = schema(&value(input), ToolFormat::Anthropic);
        assert_eq!(schema, Some(json!({"type": "object"})), "{input}");
    }
}

// SPEC 6.3
#[test]
fn the_root_is_a_plain_object() {
    let input = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"id": {"type": "string"}},
        "required": ["id"],
        "anyOf": [
            {"properties": {"text": {"type": "string"}, "at": {}}, "required": ["text", "at"]},
            {"$ref": "#/definitions/file"}
        ],
        "definitions": {"file": {"properties": {"file": {"type": "string"}, "at": {}}, "required": ["file", "at"]}}
    });
    let want = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}, "text": {"type": "string"}, "at": {}, "file": {"type": "string"}},
        "required": ["id", "at"],
        "definitions": {"file": {"properties": {"file": {"type": "string"}, "at": {}}, "required": ["file", "at"]}}
    });
    assert_eq!(schema(&input, ToolFormat::OpenAi), Some(want.clone()));
    assert_eq!(schema(&input, ToolFormat::Anthropic), Some(want));
    let mut kept = input.clone();
    kept["type"] = json!("object");
    assert_eq!(schema(&input, ToolFormat::Mcp), Some(kept));
}

// SPEC 6.3
#[test]
fn other_documents_are_copied_in() {
    let input =
        r#"{"properties": {"at": {"$ref": "defs/point.json#/definitions/point", "description": "Where."}}}"#;
    let options = DocumentOptions { uri: "skill:/skill.json?input", ..DocumentOptions::default() };
    let input = Document::gather(input, &options, &mut |uri| {
        let text = match uri {
            "skill:/defs/point.json" => {
                r##"{"definitions": {"point": {"items": {"$ref": "number.json"}, "not": {"$ref": "#/definitions/point"}}}}"##
            }
            "skill:/defs/number.json" => r#"{"$id": "x", "type": "number"}"#,
            _ => return None,
        };
        Some(text.to_owned())
    });
    let tool = tool("t", &input);
    assert_eq!(
        value(&define(&tool, ToolFormat::Anthropic).unwrap().to_string())["input_schema"],
        json!({"type": "object", "properties": {"at": {"items": {"type": "number"}, "not": {}, "description": "Where."}}})
    );
    assert_eq!(
        value(&define(&tool, ToolFormat::Gemini).unwrap().to_string())["parameters"],
        json!({"type": "OBJECT", "properties": {"at": {"type": "ARRAY", "items": {"type": "NUMBER"}, "description": "Where."}}})
    );
}

// SPEC 6.3: definitions that a remaining reference needs are kept
#[test]
fn a_schema_keeps_its_uri_only_for_unresolved_references() {
    let id = |input: &str, found: Option<&str>| {
        let mut find = |uri: &str| found.filter(|_| uri == "https://x.example/n.json").map(str::to_owned);
        let input = Document::gather(input, &DocumentOptions::default(), &mut find);
        value(&define(&tool("t", &input), ToolFormat::Mcp).unwrap().to_string())["inputSchema"]["$id"].clone()
    };
    let uri = json!("https://x.example/in.json");
    let refers =
        r#"{"$id": "https://x.example/in.json", "type": "object", "properties": {"n": {"$ref": "n.json"}}}"#;
    assert_eq!(id(refers, None), uri);
    assert_eq!(id(refers, Some(r#"{"type": "number"}"#)), Value::Null);
    // A dynamic reference is not copied in.
    let dynamic = r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://x.example/in.json",
        "type": "object", "properties": {"n": {"$dynamicRef": "in.json#node"}}, "$defs": {"n": {"$dynamicAnchor": "node"}}}"##;
    assert_eq!(id(dynamic, None), uri);
    assert_eq!(id(&dynamic.replace("in.json#node", "#node"), None), Value::Null);
    // A property may have the name of a keyword, and a value may look like a reference.
    for property in
        [r##""a": {"$ref": "#"}"##, r#""$ref": {"type": "string"}"#, r#""a": {"const": {"$ref": "n.json"}}"#]
    {
        let input = refers.replace(r#""n": {"$ref": "n.json"}"#, property);
        assert_eq!(id(&input, None), Value::Null, "{input}");
    }
}

// SPEC 6.3
#[test]
fn strict_is_set_only_for_unchanged_schemas() {
    let strict = |input: Value| {
        let text = input.to_string();
        let defined = value(&defined("t", &text, ToolFormat::OpenAiResponses).unwrap().to_string());
        (defined["strict"].as_bool().unwrap(), defined["parameters"].clone())
    };
    let object =
        |property: Value| json!({"type": "object", "properties": {"a": property}, "required": ["a"]});
    let closed = |property: Value| json!({"type": "object", "properties": {"a": property}, "required": ["a"], "additionalProperties": false});
    for (property, want) in [
        (
            json!({"type": "string", "default": "x", "pattern": "a"}),
            json!({"type": "string", "pattern": "a"}),
        ),
        (
            json!({"type": ["string", "null"], "format": "date"}),
            json!({"type": ["string", "null"], "format": "date"}),
        ),
        (
            json!({"anyOf": [{"type": "null"}, {"enum": [1]}]}),
            json!({"anyOf": [{"type": "null"}, {"enum": [1]}]}),
        ),
        (
            json!({"type": "array", "items": {"$ref": "#", "description": "x"}}),
            json!({"type": "array", "items": {"$ref": "#"}}),
        ),
    ] {
        let (is_strict, schema) = strict(object(property.clone()));
        assert!(is_strict, "{property}");
        assert_eq!(schema, closed(want));
    }
    for property in [
        json!({}),
        json!(true),
        json!({"type": "string", "minLength": 1}),
        json!({"type": "string", "format": "uri"}),
        json!({"oneOf": [{"type": "string"}]}),
        json!({"type": "object", "properties": {"b": {"type": "string"}}}),
        json!({"type": "object", "properties": {}, "additionalProperties": true}),
    ] {
        let (is_strict, schema) = strict(object(property.clone()));
        assert!(!is_strict, "{property}");
        assert_eq!(schema["properties"]["a"], property, "as written");
    }
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert!(strict(nothing).0, "no parameters");
    let defined = json!({"properties": {"a": {"$ref": "#/definitions/b"}}, "required": ["a"], "definitions": {"b": {"type": "string"}}});
    let mut want = closed(json!({"$ref": "#/$defs/b"}));
    want["$defs"] = json!({"b": {"type": "string"}});
    assert_eq!(strict(defined), (true, want));
}

// SPEC 6.3
#[test]
fn openai_gets_properties_and_items_at_any_depth() {
    let bare = json!({"type": ["object", "null"], "additionalProperties": {"type": "array"}});
    let input = json!({
        "type": "object",
        "properties": {
            "list": {"type": "array"},
            "type": {"type": "object"},
            "items": {"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "array"}}]},
            "pair": {"type": "array", "items": [{"type": "object"}, true], "additionalItems": false},
            "any": {"not": {"type": "array"}, "default": {"type": "array"}, "enum": [{"type": "object"}]},
            "ref": {"$ref": "#/definitions/bare"},
        },
        "patternProperties": {"^x": {"type": "object"}},
        "dependencies": {"list": ["ref"], "ref": {"properties": {"y": {"type": "array"}}}},
        "definitions": {"bare": bare},
    });
    let wanted = json!({
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": {}},
            "type": {"type": "object", "properties": {}},
            "items": {"anyOf": [
                {"type": "object", "properties": {}},
                {"type": "array", "items": {"type": "array", "items": {}}},
            ]},
            "pair": {"type": "array", "prefixItems": [{"type": "object", "properties": {}}, true], "items": {}},
            "any": {
                "not": {"type": "array", "items": {}}, "default": {"type": "array"}, "enum": [{"type": "object"}],
            },
            "ref": {"$ref": "#/definitions/bare"},
        },
        "patternProperties": {"^x": {"type": "object", "properties": {}}},
        "dependencies": {"list": ["ref"], "ref": {"properties": {"y": {"type": "array", "items": {}}}}},
        "definitions": {"bare": {
            "type": ["object", "null"], "additionalProperties": {"type": "array", "items": {}}, "properties": {},
        }},
    });
    let modern = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"pair": {"type": "array", "prefixItems": [{"type": "array"}], "items": false}},
    });
    for format in [ToolFormat::OpenAi, ToolFormat::OpenAiResponses] {
        assert_eq!(schema(&input, format), Some(wanted.clone()), "{format:?}");
        assert_eq!(schema(&json!({}), format), Some(json!({"type": "object", "properties": {}})));
        let pair = schema(&modern, format).and_then(|schema| schema.pointer("/properties/pair").cloned());
        let wanted =
            json!({"type": "array", "prefixItems": [{"type": "array", "items": {}}], "items": false});
        assert_eq!(pair, Some(wanted));
    }
    assert_eq!(
        schema(&json!({}), ToolFormat::Mcp).and_then(|schema| schema.get("properties").cloned()),
        None
    );
}

// SPEC 6.3
#[test]
fn gemini_gets_integers_for_constants_that_are_integers() {
    for (given, wanted) in [
        (json!({"const": 1}), "INTEGER"),
        (json!({"enum": [1, 2]}), "INTEGER"),
        (json!({"enum": [1, 0.5]}), "NUMBER"),
        (json!({"const": 0.5}), "NUMBER"),
        (json!({"enum": ["a"]}), "STRING"),
    ] {
        let input = json!({"properties": {"x": given}});
        let found = schema(&input, ToolFormat::Gemini)
            .and_then(|schema| schema.pointer("/properties/x/type").cloned());
        assert_eq!(found, Some(json!(wanted)), "{input}");
    }
}

// SPEC 6.3
#[test]
fn gemini_gets_its_own_keywords() {
    let untyped = json!([{"type": "STRING"}, {"type": "NUMBER"}, {"type": "BOOLEAN"}, {"type": "OBJECT"}]);
    for (property, want) in [
        (json!({"type": ["string", "null"]}), json!({"type": "STRING", "nullable": true})),
        (json!({"type": ["string", "integer"]}), json!({"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]})),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}], "title": "T"}),
            json!({"type": "STRING", "nullable": true, "title": "T"}),
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}], "default": null}),
            json!({"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}], "nullable": true, "default": null}),
        ),
        (json!({"const": "a"}), json!({"type": "STRING", "enum": ["a"]})),
        (json!({"enum": ["a", null]}), json!({"type": "STRING", "enum": ["a"], "nullable": true})),
        (
            json!({"type": "string", "enum": ["", "a"]}),
            json!({"type": "STRING", "description": "One of: \"\", \"a\"."}),
        ),
        (
            json!({"type": "integer", "enum": [1, 2], "description": "Size."}),
            json!({"type": "INTEGER", "description": "Size. One of: 1, 2."}),
        ),
        (
            json!({"type": "string", "format": "email"}),
            json!({"type": "STRING", "description": "Format: email."}),
        ),
        (json!({"type": "string", "format": "date-time"}), json!({"type": "STRING", "format": "date-time"})),
        (
            json!({"type": "integer", "exclusiveMinimum": 0, "maximum": 9, "multipleOf": 3}),
            json!({"type": "INTEGER", "minimum": 1, "maximum": 9, "description": "A multiple of 3."}),
        ),
        (json!({"type": "array"}), json!({"type": "ARRAY", "items": {"anyOf": untyped}})),
        (
            json!({"items": [{"type": "string"}, {"type": "null"}], "minItems": 2}),
            json!({"type": "ARRAY", "minItems": 2, "items": {"anyOf": [{"type": "STRING"}, {"type": "NULL"}]}}),
        ),
        (json!(true), json!({"anyOf": untyped})),
        (
            json!({"type": "object", "properties": {"b": {"type": "null"}}, "required": ["b", "c"], "additionalProperties": false}),
            json!({"type": "OBJECT", "properties": {"b": {"type": "NULL"}}, "required": ["b"]}),
        ),
        (
            json!({"allOf": [{"$ref": "#/definitions/text"}, {"maxLength": 3}], "description": "D."}),
            json!({"type": "STRING", "minLength": 1, "maxLength": 3, "description": "D."}),
        ),
    ] {
        let input = json!({"properties": {"a": property}, "definitions": {"text": {"type": "string", "minLength": 1}}});
        let schema = schema(&input, ToolFormat::Gemini).expect("there are properties");
        assert_eq!(schema, json!({"type": "OBJECT", "properties": {"a": want}}), "{property}");
    }
    assert_eq!(
        schema(&json!({"type": "object", "properties": {}}), ToolFormat::Gemini),
        None,
        "no parameters"
    );
    let tree = json!({"properties": {"next": {"$ref": "#"}}});
    assert_eq!(
        schema(&tree, ToolFormat::Gemini),
        Some(
            json!({"type": "OBJECT", "properties": {"next": {"type": "OBJECT", "properties": {"next": {"anyOf": untyped}}}}})
        ),
        "a circle is cut"
    );
}

// SPEC 6.3, 12.1
#[test]
fn multiplying_references_end() {
    let many = |reference: String| vec![json!({"$ref": reference}); 6];
    for key in ["anyOf", "oneOf", "allOf"] {
        check(
            &json!({"type": "object", "properties": {"a": {key: many("#".to_owned())}}, key: many("#".to_owned())}),
        );
        let mut definitions = serde_json::Map::new();
        for level in 0..20 {
            for place in 0..6 {
                let next: Vec<Value> = (0..6)
                    .map(|next| json!({"$ref": format!("#/definitions/d{}_{next}", level + 1)}))
                    .collect();
                definitions.insert(format!("d{level}_{place}"), json!({key: next, "properties": {"a": {}}}));
            }
        }
        check(&json!({"$ref": "#/definitions/d0_0", "definitions": definitions}));
        check(&json!({"properties": {"a": {"$ref": "#/definitions/d0_0"}}, "definitions": definitions}));
    }
}

/// Checks that a schema is in Gemini's subset.
fn is_gemini(schema: &Value) {
    let members = schema.as_object().unwrap_or_else(|| panic!("{schema}"));
    let known = [
        "type",
        "anyOf",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "default",
        "properties",
        "required",
        "items",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
        "maximum",
    ];
    assert!(members.keys().all(|key| known.contains(&key.as_str())), "{schema}");
    match schema["type"].as_str() {
        Some(name) => assert!(
            ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"].contains(&name),
            "{schema}"
        ),
        None => assert!(!schema["anyOf"].as_array().expect("a type or a choice").is_empty(), "{schema}"),
    }
    assert!(schema["type"] != "ARRAY" || schema.get("items").is_some(), "{schema}");
    for value in schema["enum"].as_array().into_iter().flatten() {
        assert!(
            value.as_str().is_some_and(|text| !text.is_empty()) && schema["type"] == "STRING",
            "{schema}"
        );
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(schema["properties"].get(name.as_str().expect("a name")).is_some(), "{schema}");
    }
    let below = schema["properties"].as_object().into_iter().flat_map(|all| all.values());
    below
        .chain(schema["anyOf"].as_array().into_iter().flatten())
        .chain(schema.get("items"))
        .for_each(is_gemini);
}

/// Checks OpenAI's rules for `strict`.
fn is_strict(schema: &Value) {
    if schema["type"] == "object" {
        assert_eq!(schema["additionalProperties"], json!(false), "{schema}");
        let properties = schema["properties"].as_object().expect("properties");
        let required = schema["required"].as_array().expect("required");
        assert!(properties.keys().all(|key| required.contains(&json!(key))), "{schema}");
        properties.values().for_each(is_strict);
    }
    for key in ["oneOf", "allOf", "not", "default", "minLength", "definitions"] {
        assert!(schema.get(key).is_none(), "{schema}");
    }
    schema
        .get("items")
        .into_iter()
        .chain(schema["anyOf"].as_array().into_iter().flatten())
        .for_each(is_strict);
}

/// Defines a tool for every API, and checks the rules of each.
fn check(input: &Value) {
    let text = input.to_string();
    for format in ToolFormat::ALL {
        let Ok(defined) = defined("t", &text, format) else { continue };
        let compact = value(&defined.to_string());
        assert_eq!(value(&defined.indented(0)), compact, "the two forms");
        if format == ToolFormat::Gemini {
            compact.get("parameters").into_iter().for_each(is_gemini);
        } else if compact["strict"] == json!(true) {
            is_strict(&compact["parameters"]);
        }
    }
}

// SPEC 6.3
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_the_schemas_of_real_tools_are_defined_for_every_interface() {
    let root = shared::root();
    let (mut count, mut strict) = (0, 0);
    for path in shared::files(&root.join("conformance/tool-schemas"), false) {
        for entry in shared::json(&path).as_array().expect("a list") {
            let input = &entry["schema"];
            check(input);
            let text = input.to_string();
            let defined = defined("t", &text, ToolFormat::OpenAiResponses);
            let defined = value(&defined.unwrap_or_else(|e| panic!("{e}: {text}")).to_string());
            strict += usize::from(defined["strict"] == json!(true));
            assert!(
                validate_str(&lower(&text, &DocumentOptions::default()).tables, "1").is_err(),
                "an object: {text}"
            );
            count += 1;
        }
    }
    assert_eq!(count, 450);
    println!("{strict} of {count} are strict");
    assert!(strict > 50, "{strict}");
}

// SPEC 6.3
#[test]
#[ignore = "needs python3, pip and a network"]
fn a_definition_never_changes_its_meaning() {
    let suite = test_bed::json_schema_suite().join("tests");
    let mut seen = 0;
    for (name, draft) in [("draft7", Draft::Draft7), ("draft2020-12", Draft::Draft2020)] {
        for path in shared::files(&suite.join(name), false) {
            for group in shared::json(&path).as_array().expect("a list") {
                check(&group["schema"]);
                seen += usize::from(says_the_same(group, draft));
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// Checks that a valid object fits the schema shown to a model, and that every object that fits the strict
/// form is valid.
fn says_the_same(group: &Value, draft: Draft) -> bool {
    let marked = |schema: &Value| {
        let mut schema = schema.clone();
        if let Some(members) = schema.as_object_mut() {
            members.insert("$schema".to_owned(), json!(draft.uri()));
        }
        lower(&schema.to_string(), &DocumentOptions::default())
    };
    let own = marked(&group["schema"]);
    let mut input = group["schema"].clone();
    let Some(members) = input.as_object_mut().filter(|_| !own.has_errors()) else { return false };
    members.insert("$schema".to_owned(), json!(draft.uri()));
    let text = input.to_string();
    let Ok(wide) = defined("t", &text, ToolFormat::OpenAi) else { return false };
    let wide = marked(&value(&wide.to_string())["function"]["parameters"]);
    assert!(!wide.has_errors(), "{text}: {:?}", wide.problems);
    let strict = value(&defined("t", &text, ToolFormat::OpenAiResponses).expect("the same").to_string());
    let narrow = (strict["strict"] == json!(true)).then(|| marked(&strict["parameters"]));
    for test in group["tests"].as_array().expect("a list").iter().filter(|test| test["data"].is_object()) {
        let data = test["data"].to_string();
        let valid = validate_str(&own.tables, &data).is_ok();
        if valid {
            assert!(validate_str(&wide.tables, &data).is_ok(), "{text} refuses {data}");
        } else if let Some(narrow) = &narrow {
            assert!(validate_str(&narrow.tables, &data).is_err(), "{strict} accepts {data}");
        }
    }
    true
}
