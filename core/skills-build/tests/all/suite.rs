//! Runs the JSON-Schema-Test-Suite with generated types: all schemas compile, all results are right, values
//! round-trip.
#![allow(clippy::panic, clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking")]

use serde_json::{Value, json};
use skills_schema::lower::{DocumentOptions, lower};

use crate::package::{Asked, Package, Schemas, Side};
use crate::shared;

struct Case {
    name: String,
    schema: Value,
    tests: Vec<Value>,
}

fn cases() -> Vec<Case> {
    let root = test_bed::json_schema_suite().join("tests");
    let mut cases = Vec::new();
    for (draft, uri) in
        [("draft7", None), ("draft2020-12", Some("https://json-schema.org/draft/2020-12/schema"))]
    {
        for file in shared::files(&root.join(draft), false) {
            for case in shared::json(&file).as_array().unwrap() {
                let mut schema = case["schema"].clone();
                if let (Some(members), Some(uri)) = (schema.as_object_mut(), uri) {
                    members.entry("$schema").or_insert(json!(uri));
                }
                let name =
                    format!("{draft} {}: {}", file.file_stem().unwrap().display(), case["description"]);
                cases.push(Case { name, schema, tests: case["tests"].as_array().unwrap().clone() });
            }
        }
    }
    cases
}

// SPEC 6.1: a type accepts every value that its schema accepts, and writes it unchanged.
#[test]
#[ignore = "needs python3, pip and a network"]
fn types_of_the_suite_accept_and_return_valid_values() {
    let cases = cases();
    let all = cases.len();
    // Other schemas are errors when a skill is built, for example since they refer to unknown documents.
    let sound = |case: &Case| !lower(&case.schema.to_string(), &DocumentOptions::default()).has_errors();
    let (cases, refused): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(sound);
    refused.iter().for_each(|case| println!("refused: {}", case.name));
    let schemas: Vec<Schemas> =
        cases.iter().map(|case| (json!({"type": "object"}), case.schema.clone())).collect();
    let package = Package::build("suite", &schemas);
    let tests: Vec<(usize, &Value)> = cases
        .iter()
        .enumerate()
        .flat_map(|(at, case)| case.tests.iter().map(move |test| (at, test)))
        .collect();
    let asked: Vec<Asked> = tests
        .iter()
        .map(|(skill, test)| Asked { skill: *skill, side: Side::Output, text: test["data"].to_string() })
        .collect();
    let (mut accepted, mut refused, mut beyond) = (0, 0, 0);
    let mut faults = Vec::new();
    for ((at, test), answer) in tests.iter().zip(package.ask(&asked)) {
        let case = &cases[*at];
        match (test["valid"] == true, answer) {
            (true, Ok(text)) => {
                accepted += 1;
                let again: Value = serde_json::from_str(&text).unwrap();
                let whole = test["data"].as_f64().is_some_and(|number| again.as_f64() == Some(number));
                if again != test["data"] && !whole && !case.name.contains(" default:") {
                    faults.push(format!("{}: {}\nbecame {text}\n{}", case.name, test["data"], case.schema));
                }
            }
            (true, Err(message)) if message.contains("64 bits") => beyond += 1,
            (false, Err(_)) => refused += 1,
            (valid, answer) => {
                let data = &test["data"];
                faults
                    .push(format!("{}: {data}\nvalid {valid}, found {answer:?}\n{}", case.name, case.schema));
            }
        }
    }
    println!(
        "{} of {all} schemas: {accepted} accepted, {refused} refused, {beyond} beyond 64 bits",
        cases.len()
    );
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults[..faults.len().min(12)].join("\n\n"));
    assert!(cases.len() > 500 && accepted > 900 && refused > 700, "{accepted} {refused}");
}
