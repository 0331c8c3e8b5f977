//! The interpreter against the `jsonschema` crate: on the schemas of real tools, and on the suite read as 2019-09.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and tell their counts")]

mod random;
mod shared;

use random::Random;
use serde_json::{Map, Value, json};
use skills_schema::lower::{Level, Options, lower};
use skills_schema::{validate_str, validate_value};

/// A value that likely fits the schema; `root` is where references start.
fn instance(schema: &Value, root: &Value, random: &mut Random, depth: usize) -> Value {
    let Value::Object(_) = schema else { return json!(null) };
    if let Some(target) =
        schema["$ref"].as_str().and_then(|r| root.pointer(r.strip_prefix('#')?)).filter(|_| depth > 0)
    {
        return instance(target, root, random, depth - 1);
    }
    if let Some(fixed) = schema.get("const") {
        return fixed.clone();
    }
    if let Some(choices) = schema["enum"].as_array().filter(|all| !all.is_empty()) {
        return random.pick(choices).clone();
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(branches) = schema[key].as_array().filter(|all| !all.is_empty() && depth > 0) {
            return instance(random.pick(branches), root, random, depth - 1);
        }
    }
    let kind = match &schema["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) if !kinds.is_empty() => random.pick(kinds).as_str().unwrap_or("null").to_owned(),
        _ if schema.get("properties").is_some() => "object".to_owned(),
        _ => (*random.pick(&["string", "number", "object", "null"])).to_owned(),
    };
    match kind.as_str() {
        "string" => string(schema, random),
        "integer" | "number" => {
            let low = schema["minimum"].as_f64().unwrap_or(0.0);
            let high = schema["maximum"].as_f64().unwrap_or(low + 10.0);
            if kind == "integer" {
                json!(*random.pick(&[low, high, low + 1.0]))
            } else {
                json!((low + high) / 2.0)
            }
        }
        "boolean" => json!(random.below(2) == 0),
        "array" => {
            let least = usize::try_from(schema["minItems"].as_u64().unwrap_or(0)).expect("small");
            let count = least + random.below(3);
            let count = if depth == 0 { least } else { count };
            (0..count).map(|_| instance(&schema["items"], root, random, depth.saturating_sub(1))).collect()
        }
        "object" => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let mut members = Map::new();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                if required.contains(&json!(name)) || (depth > 0 && random.below(3) > 0) {
                    members.insert(name.clone(), instance(property, root, random, depth.saturating_sub(1)));
                }
            }
            Value::Object(members)
        }
        _ => Value::Null,
    }
}

fn string(schema: &Value, random: &mut Random) -> Value {
    let least = usize::try_from(schema["minLength"].as_u64().unwrap_or(0)).expect("small");
    let text = match schema["format"].as_str() {
        Some("date-time") => "2024-02-29T12:00:00Z",
        Some("date") => "2024-02-29",
        Some("email") => "a@example.org",
        Some("uri" | "url") => "https://example.org/x",
        Some("uuid") => "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        _ => random.pick(&[
            "",
            "x",
            "word",
            "2024-01-02",
            "é😀",
            "https://example.org",
            "0x0000000000000000000000000000000000000000",
        ]),
    };
    json!(format!("{text}{}", "y".repeat(least.saturating_sub(text.chars().count()))))
}

/// Changes one place of a value at random.
fn mutate(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(members) if !members.is_empty() && random.below(4) > 0 => {
            let keys: Vec<String> = members.keys().cloned().collect();
            let key = random.pick(&keys);
            match random.below(6) {
                0 => drop(members.remove(key)),
                1 => drop(members.insert(format!("{key}x"), json!(1))),
                _ => mutate(&mut members[key], random),
            }
        }
        Value::Array(items) if !items.is_empty() && random.below(3) > 0 => {
            let at = random.below(items.len());
            match random.below(4) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => mutate(&mut items[at], random),
            }
        }
        other => {
            let scalars = [
                json!(null),
                json!(true),
                json!(0),
                json!(-1),
                json!(3.0),
                json!(2.5),
                json!(1_000_000),
                json!(1e300),
                json!(""),
                json!("word"),
                json!("é"),
                json!("x".repeat(300)),
                json!([]),
                json!(["a", "a"]),
                json!({}),
                json!({"a": 1}),
                json!("2024-13-01"),
                json!(u64::MAX),
                json!([null]),
            ];
            *other = random.pick(&scalars).clone();
        }
    }
}

#[test]
fn real_tools_get_the_same_verdict() {
    // SPEC 6.1: accept exactly what the schema accepts.
    let Some(shared) = shared::root() else { return };
    let random = &mut Random::new(11);
    let (mut schemas, mut accepted, mut refused) = (0, 0, 0);
    for file in shared::files(&shared.join("conformance/tool-schemas"), false) {
        for tool in shared::json(&file).as_array().expect("tools") {
            for schema in [&tool["schema"], &tool["output"]].into_iter().filter(|schema| schema.is_object()) {
                let mut options = jsonschema::options();
                if schema.get("$schema").is_none() {
                    options = options.with_draft(jsonschema::Draft::Draft7);
                }
                let lowered = lower(&schema.to_string(), &Options::default());
                let errors: Vec<_> = lowered.problems.iter().filter(|p| p.level() == Level::Error).collect();
                let oracle = options.build(schema);
                assert_eq!(
                    errors.is_empty(),
                    oracle.is_ok(),
                    "{}: {errors:?} {:?}",
                    tool["name"],
                    oracle.err().map(|e| e.to_string())
                );
                let Ok(oracle) = oracle else { continue };
                schemas += 1;
                for round in 0..24 {
                    let mut value = instance(schema, schema, random, 4);
                    for _ in 0..round / 6 {
                        mutate(&mut value, random);
                    }
                    let want = oracle.is_valid(&value);
                    if want {
                        accepted += 1
                    } else {
                        refused += 1
                    }
                    let text = value.to_string();
                    let got = validate_str(&lowered.tables, &text);
                    assert_eq!(got.is_ok(), want, "{}: {text}: {got:?}\n{schema}", tool["name"]);
                    assert_eq!(
                        validate_value(&lowered.tables, &value).is_ok(),
                        want,
                        "{}: {text}",
                        tool["name"]
                    );
                }
            }
        }
    }
    println!("{schemas} schemas, {accepted} accepted, {refused} refused");
    assert!(schemas > 440 && accepted > 3000 && refused > 3000, "{schemas} {accepted} {refused}");
}

#[test]
fn draft2019_gets_the_same_verdict() {
    // SPEC 3.2: 2019-09 too; the suite at hand has no files for it, so the other drafts' are read as if they were.
    let Some(shared) = shared::root() else { return };
    let mut total = 0;
    for (dir, skipped) in
        [("draft2020-12", &["dynamicRef", "vocabulary", "refRemote"][..]), ("draft7", &["refRemote"][..])]
    {
        for file in shared::files(&shared.join("conformance/json-schema").join(dir), false) {
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            if skipped.contains(&name.as_str()) {
                continue;
            }
            for case in shared::json(&file).as_array().expect("cases") {
                let text = case["schema"]
                    .to_string()
                    .replace("draft/2020-12", "draft/2019-09")
                    .replace("\"$dynamicRef", "\"$recursiveRef");
                let mut schema: Value = serde_json::from_str(&text).expect("a schema");
                if let Value::Object(members) = &mut schema {
                    members.insert("$schema".into(), "https://json-schema.org/draft/2019-09/schema".into());
                }
                // In 2019-09 only `items` and `additionalItems` mark items as evaluated (9.3.1.3); the oracle lets
                // `contains` do so too, as 2020-12 does.
                if text.contains("\"contains\"") && text.contains("unevaluatedItems") {
                    continue;
                }
                let Ok(oracle) = jsonschema::options().build(&schema) else { continue };
                let lowered = lower(&schema.to_string(), &Options::default());
                for test in case["tests"].as_array().expect("tests") {
                    let value = &test["data"];
                    let got = validate_str(&lowered.tables, &value.to_string());
                    assert_eq!(
                        got.is_ok(),
                        oracle.is_valid(value),
                        "{name}: {}: {value} {got:?}\n{schema}\n{:?}",
                        case["description"],
                        lowered.problems
                    );
                    total += 1;
                }
            }
        }
    }
    println!("{total} tests");
    assert!(total > 1500, "{total}");
}
