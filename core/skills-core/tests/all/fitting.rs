//! If the checker reports that a value can never fit, no value does: tested with random schemas, random
//! values and the evaluator.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use skills_schema::lower::{DocumentOptions, lower};
use skills_template::parse_template;
use skills_template::render::{RenderLimits, Scope, evaluate};

use crate::disk::Disk;
use crate::parsed::Random;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
const ROUNDS: usize = 3; // `least` below is for this number
const CASES: usize = 40;
const SAMPLES: usize = 12;

fn chance(random: &mut Random, percent: usize) -> bool {
    random.below(100) < percent
}

/// Returns a random schema; `definitions` of its document are `x` and `y`.
fn schema(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 7 } else { 14 };
    match random.below(kinds) {
        0 => json!({ "type": "string" }),
        1 => json!({ "type": "integer" }),
        2 => json!({ "type": "number" }),
        3 => json!({ "type": "boolean" }),
        4 => json!({ "enum": [random.pick(&["p", "q", "r"]), random.pick(&["q", "s"])] }),
        5 => json!({ "type": [random.pick(&["string", "integer", "array"]), "null"] }),
        6 => match random.below(4) {
            0 => json!({}),
            1 => json!({ "const": random.pick(&["p", "s"]) }),
            2 => json!({ "enum": [1, 2.5, null] }),
            _ => json!({ "type": "integer", "minimum": 3, "default": 5 }),
        },
        7 | 8 => json!({ "type": "array", "items": schema(random, depth - 1) }),
        9 => json!({ "anyOf": [schema(random, depth - 1), schema(random, depth - 1)] }),
        10 => json!({ "$ref": random.pick(&["#/definitions/x", "#/definitions/y"]) }),
        11 => json!({ "allOf": [schema(random, depth - 1), schema(random, depth - 1)] }),
        _ => object(random, depth),
    }
}

fn object(random: &mut Random, depth: usize) -> Value {
    let mut properties = Map::new();
    for name in NAMES.iter().take(1 + random.below(NAMES.len())) {
        properties.insert((*name).to_owned(), schema(random, depth - 1));
    }
    let required: Vec<String> = properties.keys().filter(|_| chance(random, 60)).cloned().collect();
    let mut made = json!({ "type": "object", "properties": properties, "required": required });
    match random.below(4) {
        0 => made["additionalProperties"] = json!(false),
        1 => made["additionalProperties"] = schema(random, 0),
        _ => {}
    }
    made
}

fn document(random: &mut Random) -> Value {
    let mut made = object(random, 3);
    made["definitions"] = json!({ "x": schema(random, 1), "y": schema(random, 0) });
    // A definition that refers to itself would have no values.
    for name in ["x", "y"] {
        if made["definitions"][name].to_string().contains("$ref") {
            made["definitions"][name] = json!({ "type": "string" });
        }
    }
    made
}

/// Returns a value that may be valid; undeclared members are present only if a schema describes them.
fn value(random: &mut Random, schema: &Value, root: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return value(random, root.pointer(&reference[1..]).unwrap(), root);
    }
    for key in ["anyOf", "allOf"] {
        if let Some(branches) = schema[key].as_array() {
            let made: Vec<Value> = branches.iter().map(|branch| value(random, branch, root)).collect();
            return match &made[..] {
                [Value::Object(one), Value::Object(other)] if key == "allOf" => {
                    let mut both = one.clone();
                    both.extend(other.clone());
                    Value::Object(both)
                }
                _ => made[random.below(made.len())].clone(),
            };
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        return values[random.below(values.len())].clone();
    }
    if !schema["const"].is_null() {
        return schema["const"].clone();
    }
    let kind = match &schema["type"] {
        Value::String(kind) => kind.as_str(),
        Value::Array(kinds) => kinds[random.below(kinds.len())].as_str().unwrap(),
        _ => random.pick(&["string", "integer", "number", "boolean", "null", "array", "object"]),
    };
    match kind {
        "string" => json!(random.pick(&["p", "q", "long text", "ä"])),
        "integer" => json!(random.below(9)),
        "number" => [json!(1), json!(2.5)][random.below(2)].clone(),
        "boolean" => json!(chance(random, 50)),
        "null" => Value::Null,
        "array" => {
            let items = if schema["items"].is_object() { &schema["items"] } else { &json!({}) };
            (0..1 + random.below(2)).map(|_| value(random, items, root)).collect()
        }
        _ => {
            let mut made = Map::new();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let is_required = schema["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
                if is_required || chance(random, 70) {
                    made.insert(name.clone(), value(random, property, root));
                }
            }
            if schema["additionalProperties"].is_object() && chance(random, 30) {
                made.insert("z".to_owned(), value(random, &schema["additionalProperties"], root));
            }
            Value::Object(made)
        }
    }
}

fn path(random: &mut Random, schema: &Value, root: &Value) -> String {
    let mut made = "input".to_owned();
    let mut at = schema;
    for _ in 0..1 + random.below(3) {
        if let Some(reference) = at["$ref"].as_str() {
            at = root.pointer(&reference[1..]).unwrap();
        }
        if at["items"].is_object() {
            made.push_str(".0");
            at = &at["items"];
        } else {
            let names: Vec<&String> =
                at["properties"].as_object().map(|all| all.keys().collect()).unwrap_or_default();
            let name = if names.is_empty() || chance(random, 8) {
                if made != "input" && chance(random, 70) {
                    break;
                }
                random.pick(&NAMES).to_owned()
            } else {
                names[random.below(names.len())].clone()
            };
            made.push('.');
            made.push_str(&name);
            at = &at["properties"][&name];
        }
    }
    made
}

fn expression(random: &mut Random, schema: &Value) -> String {
    let mut made = path(random, schema, schema);
    for _ in 0..random.below(3) {
        let filter = random.pick(&[
            "map: a",
            "map: b",
            "join",
            "slice: 0: 2",
            "json",
            "first",
            "last",
            "size",
            "sort",
            "sort: a",
            "uniq",
            "where: a: 'p'",
            "upcase",
            "strip",
            "truncate: 3",
            "round",
            "round: 1",
        ]);
        made = format!("{made} | {filter}");
    }
    match random.below(8) {
        0 => format!("{made} || {}", path(random, schema, schema)),
        1 => format!("{made} || 'p'"),
        2 => format!("{made} | default: 3"),
        _ => made,
    }
}

/// Returns a value with templates, roughly in the shape that a schema requires.
fn written(random: &mut Random, wanted: &Value, root: &Value, input: &Value) -> Value {
    if chance(random, 35) {
        return match chance(random, 90) {
            true => json!(format!("{{{{{}}}}}", expression(random, input))),
            false => json!(format!("x{{{{{}}}}}", expression(random, input))),
        };
    }
    if let Some(reference) = wanted["$ref"].as_str() {
        return written(random, root.pointer(&reference[1..]).unwrap(), root, input);
    }
    if let Some(properties) = wanted["properties"].as_object() {
        let mut made = Map::new();
        for (name, property) in properties {
            if chance(random, 85) {
                made.insert(name.clone(), written(random, property, root, input));
            }
        }
        return Value::Object(made);
    }
    if wanted["items"].is_object() {
        return json!([written(random, &wanted["items"], root, input)]);
    }
    if chance(random, 90) { value(random, wanted, root) } else { json!(random.pick(&["p", "other"])) }
}

/// Arrays are checked by their elements, so an empty array does not contradict the result.
fn has_empty_array(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || items.iter().any(has_empty_array),
        Value::Object(members) => members.values().any(has_empty_array),
        _ => false,
    }
}

struct Case {
    input: Value,
    wanted: Value,
    written: Value,
}

impl Case {
    fn new(random: &mut Random) -> Self {
        let input = document(random);
        let mut wanted = document(random);
        wanted["properties"]["v"] = schema(random, 2);
        let written = written(random, &wanted, &wanted, &input);
        let written = match written {
            Value::Object(members) => Value::Object(members),
            other => json!({ "v": other }),
        };
        Self { input, wanted, written }
    }

    /// Returns the values of the templates for one input; `None` if one is missing, fails or is empty.
    fn rendered(&self, input: &Value) -> Option<Value> {
        let scope = Scope::default().with_json("input", input);
        made(&self.written, &scope)
    }
}

/// Returns the JSON that a value prints; `None` if it is missing.
fn to_json(value: &skills_template::render::Value<'_>) -> Option<Value> {
    let mut text = String::new();
    value.write_text(&mut text, RenderLimits::default()).ok()?;
    match value {
        skills_template::render::Value::Missing => None,
        skills_template::render::Value::Null => Some(Value::Null),
        skills_template::render::Value::String(_) => Some(text.into()),
        _ => serde_json::from_str(&text).ok(),
    }
}

/// Returns a value with its templates evaluated; `None` if one is missing, fails or is empty.
fn made(written: &Value, scope: &Scope<'_>) -> Option<Value> {
    Some(match written {
        Value::String(text) if text.contains("{{") => {
            let tree = parse_template(text).into_result().unwrap();
            let value = evaluate(tree.root(), scope, RenderLimits::default()).ok()?;
            let value = to_json(&value)?;
            return (!has_empty_array(&value)).then_some(value);
        }
        Value::Array(items) => {
            Value::Array(items.iter().map(|item| made(item, scope)).collect::<Option<_>>()?)
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| Some((key.clone(), made(value, scope)?));
            Value::Object(members.iter().map(member).collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// Returns the codes and titles reported for each case.
fn checked(cases: &[Case]) -> Vec<Vec<(String, String)>> {
    let mut files = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let flow = json!({
            "name": format!("flow{at}"), "description": "Flows.", "category": "x", "mode": "composite",
            "calls": [format!("callee{at}")], "input": case.input, "output": {},
            "pipeline": [{ "step": "s", "skill": format!("callee{at}"), "input": case.written }],
        });
        let callee = json!({
            "name": format!("callee{at}"), "description": "Runs.", "category": "x", "mode": "code",
            "input": case.wanted, "output": {},
        });
        files.push((format!("flow{at}/skill.json"), flow.to_string()));
        files.push((format!("callee{at}/skill.json"), callee.to_string()));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let disk = Disk::new(&files);
    let loaded = skills_core::load(&disk.root(), "skills", &Default::default());
    let sources = loaded.catalog.sources();
    let mut found = vec![Vec::new(); cases.len()];
    for problem in &loaded.report.diagnostics {
        let path = &sources.file_of(problem.span).path;
        let Some(at) = path.strip_prefix("flow").and_then(|path| path.split('/').next()) else { continue };
        found[at.parse::<usize>().unwrap()].push((problem.rule.code.to_owned(), problem.title.clone()));
    }
    found
}

// SPEC 5.5
#[test]
fn values_that_cannot_fit_are_always_reported() {
    let mut random = Random(7);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..test_bed::rounds(ROUNDS) {
        let cases: Vec<Case> = (0..CASES).map(|_| Case::new(&mut random)).collect();
        for (case, reports) in cases.iter().zip(checked(&cases)) {
            let input = lower(&case.input.to_string(), &DocumentOptions::default()).tables;
            let wanted = lower(&case.wanted.to_string(), &DocumentOptions::default()).tables;
            let is_reported = |code: &str| reports.iter().any(|(found, _)| found == code);
            let (argument, misfit) = (is_reported("step-argument"), is_reported("step-argument-type"));
            let text = case.written["v"].as_str().unwrap_or_default();
            let is_alone = case.written.as_object().unwrap().len() == 1 && text.starts_with("{{");
            let is_chain = is_alone && !text.contains("||") && !text.contains("default");
            for _ in 0..SAMPLES {
                let sample = value(&mut random, &case.input, &case.input);
                if skills_schema::validate_str(&input, &sample.to_string()).is_err() {
                    continue;
                }
                *counts.entry("sampled").or_default() += 1;
                let context =
                    || format!("{reports:?}\n{}\n{}\n{}\n{sample}", case.input, case.wanted, case.written);
                if (argument || misfit)
                    && let Some(made) = case.rendered(&sample)
                {
                    *counts.entry(if argument { "argument" } else { "misfit" }).or_default() += 1;
                    let verdict = skills_schema::validate_str(&wanted, &made.to_string());
                    assert!(verdict.is_err(), "{made} fits\n{}", context());
                }
                if is_chain && (is_reported("template-filter-type") || is_reported("template-path")) {
                    let scope = Scope::default().with_json("input", &sample);
                    let tree = parse_template(text).into_result().unwrap();
                    let made = evaluate(tree.root(), &scope, RenderLimits::default());
                    if is_reported("template-filter-type") {
                        *counts.entry("filter").or_default() += 1;
                        let is_nothing = made.as_ref().map_or(true, |made| made.is_blank());
                        assert!(is_nothing || text.contains("json"), "{made:?}\n{}", context());
                    } else if !text.contains('|') {
                        *counts.entry("path").or_default() += 1;
                        assert_eq!(to_json(&made.unwrap()), None, "{}", context());
                    }
                }
            }
            if reports.is_empty() {
                *counts.entry("clean").or_default() += 1;
            }
        }
    }
    for (what, least) in
        [("sampled", 800), ("argument", 80), ("misfit", 80), ("filter", 10), ("path", 4), ("clean", 4)]
    {
        assert!(counts.get(what).is_some_and(|count| *count >= least), "{what}: {counts:?}");
    }
}
