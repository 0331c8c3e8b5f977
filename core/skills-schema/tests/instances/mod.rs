//! Values for a schema: some that probably fit it, and random changes to them. The same in every run.

use crate::random::Random;
use serde_json::{Map, Value, json};

/// Returns a value that probably fits the schema. References start at `root`.
pub(crate) fn instance(schema: &Value, root: &Value, random: &mut Random, depth: usize) -> Value {
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
#[allow(dead_code, reason = "benchmarks change nothing")]
pub(crate) fn mutate(value: &mut Value, random: &mut Random) {
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
