//! Compares the interpreter with the `jsonschema` crate, on the schemas of real tools and on the suite read
//! as 2019-09.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and print their counts")]

use serde_json::Value;
use skills_schema::lower::{DocumentOptions, SchemaLevel, lower};
use skills_schema::validate_str;

use crate::instances::{instance, mutate};
use crate::random::Random;
use crate::shared;

#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_real_tools_get_the_same_result() {
    // SPEC 6.1: accepts exactly the values of the schema.
    let shared = shared::root();
    let random = &mut Random::new(11);
    let (mut schemas, mut accepted, mut refused) = (0, 0, 0);
    for file in shared::files(&shared.join("conformance/tool-schemas"), false) {
        for tool in shared::json(&file).as_array().expect("tools") {
            for schema in [&tool["schema"], &tool["output"]].into_iter().filter(|schema| schema.is_object()) {
                let mut options = jsonschema::options();
                if schema.get("$schema").is_none() {
                    options = options.with_draft(jsonschema::Draft::Draft7);
                }
                let lowered = lower(&schema.to_string(), &DocumentOptions::default());
                let errors: Vec<_> =
                    lowered.problems.iter().filter(|p| p.level() == SchemaLevel::Error).collect();
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
                }
            }
        }
    }
    println!("{schemas} schemas, {accepted} accepted, {refused} refused");
    assert!(schemas > 440 && accepted > 3000 && refused > 3000, "{schemas} {accepted} {refused}");
}

#[test]
#[ignore = "needs python3, pip and a network"]
fn draft2019_gets_the_same_result() {
    // SPEC 3.2: also 2019-09, and schemas of other drafts that are read as this draft.
    let suite = test_bed::json_schema_suite().join("tests");
    let mut total = 0;
    for (dir, skipped) in
        [("draft2020-12", &["dynamicRef", "vocabulary", "refRemote"][..]), ("draft7", &["refRemote"][..])]
    {
        for file in shared::files(&suite.join(dir), false) {
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
                // In 2019-09, only `items` and `additionalItems` mark items as evaluated (9.3.1.3). The
                // oracle also lets `contains` do so, as in 2020-12.
                if text.contains("\"contains\"") && text.contains("unevaluatedItems") {
                    continue;
                }
                let Ok(oracle) = jsonschema::options().build(&schema) else { continue };
                let lowered = lower(&schema.to_string(), &DocumentOptions::default());
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
