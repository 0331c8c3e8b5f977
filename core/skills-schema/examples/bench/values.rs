//! Compares checking values in memory with this crate (on a `serde_json::Value`) and with jsonschema, on one
//! input and on inputs of real tools.

#![allow(clippy::cast_precision_loss, reason = "counts are small")]

#[path = "../../tests/instances/mod.rs"]
mod instances;
#[path = "../../tests/shared/mod.rs"]
mod shared;

use crate::best;
use crate::random::Random;
use instances::instance;
use serde_json::Value;
use skills_schema::{Tables, lower, validate_str, validate_value};
use std::hint::black_box;

/// The schema of a real tool, compiled for both crates, and valid values.
struct Tool {
    tables: Tables,
    oracle: jsonschema::Validator,
    values: Vec<(String, Value)>,
}

/// Prints the figures.
pub(crate) fn compare(schema: &str, input: &str) {
    let of = |schema: &Value, values: Vec<Value>| -> Option<Tool> {
        let oracle = jsonschema::options().with_draft(jsonschema::Draft::Draft7).build(schema).ok()?;
        let tables = lower::lower(&schema.to_string(), &lower::Options::default()).tables;
        let fitting = values.into_iter().filter(|value| oracle.is_valid(value));
        let values = fitting.map(|value| (value.to_string(), value)).collect();
        Some(Tool { tables, oracle, values })
    };
    let parse = |text: &str| serde_json::from_str(text).ok();
    let one = parse(schema).zip(parse(input)).and_then(|(schema, input)| of(&schema, vec![input]));
    show("the input above", 20_000, &one.into_iter().collect::<Vec<_>>());
    let shared = shared::root();
    let random = &mut Random::new(5);
    let mut tools = Vec::new();
    for file in shared::files(&shared.join("conformance/tool-schemas"), false) {
        for tool in shared::json(&file).as_array().into_iter().flatten() {
            let schema = &tool["schema"];
            let values = (0..8).map(|_| instance(schema, schema, random, 4)).map(whole).collect();
            tools.extend(of(schema, values).filter(|tool| !tool.values.is_empty()));
        }
    }
    show("inputs of real tools", 100, &tools);
}

/// Returns the value with its integers written without a fraction, as models and programs do.
fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => number
            .to_string()
            .strip_suffix(".0")
            .and_then(|text| text.parse().ok())
            .unwrap_or(Value::Number(number)),
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, whole(value))).collect(),
        other => other,
    }
}

/// Times all values of each tool in turn.
fn show(name: &str, rounds: usize, tools: &[Tool]) {
    type Check = dyn Fn(&Tool, &str, &Value) -> bool;
    let checks: [(&str, &Check, usize); 4] = [
        ("jsonschema on a ready Value", &|tool, _, value| tool.oracle.is_valid(value), 0),
        ("validate_value on a ready Value", &|tool, _, value| validate_value(&tool.tables, value).is_ok(), 0),
        (
            "serde_json::Value, then jsonschema",
            &|tool, text, _| {
                serde_json::from_str(text).is_ok_and(|value: Value| tool.oracle.is_valid(&value))
            },
            2,
        ),
        ("validate_str", &|tool, text, _| validate_str(&tool.tables, text).is_ok(), 2),
    ];
    let texts = || tools.iter().flat_map(|tool| &tool.values).map(|(text, _)| text);
    let (count, bytes) = (texts().count(), texts().map(String::len).sum::<usize>());
    println!("\n{name}: {count} values of {} bytes", bytes / count.max(1));
    println!("{:44} ns for each   against jsonschema: all, median tool, 9 of 10 are below", "");
    let mut times: Vec<Vec<f64>> = Vec::new();
    for (name, check, rival) in checks {
        let time = |tool: &Tool| {
            let all =
                || tool.values.iter().all(|(text, value)| check(tool, black_box(text), black_box(value)));
            best(rounds, &mut || all())
        };
        times.push(tools.iter().map(time).collect());
        let (own, rival) = (times.last().map_or(&[][..], Vec::as_slice), &times[rival]);
        let mut ratios: Vec<f64> = own.iter().zip(rival).map(|(own, rival)| own / rival).collect();
        ratios.sort_by(f64::total_cmp);
        let (sum, all) = (own.iter().sum::<f64>(), rival.iter().sum::<f64>());
        let (median, most) = (ratios[ratios.len() / 2], ratios[ratios.len() * 9 / 10]);
        println!("{name:44} {:8.0}  {:5.2} {median:5.2} {most:5.2}", sum / count as f64, sum / all);
    }
}
