//! Compares the checks of schemas with the meta-schemas of the drafts: both must refuse the same schemas.
//!
//! The checks are hand-written since they report the position and a suggestion, and continue after an error.
//! The meta-schemas, run as tables, can do neither, but they define which schemas are valid.
#![allow(clippy::panic, clippy::print_stdout, clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::{Value, json};
use skills_schema::lower::{DocumentOptions, Draft, Formats, ProblemKind, lower};
use skills_schema::{Tables, validate_str};

use crate::random::Random;
use crate::shared;

/// Returns the tables of a draft's meta-schema. Formats are ignored.
fn meta(draft: Draft) -> Tables {
    let text = json!({"$schema": draft.uri(), "$ref": draft.uri()}).to_string();
    let lowered = lower(&text, &DocumentOptions { formats: Formats::Ignore, ..DocumentOptions::default() });
    assert_eq!(lowered.problems, []);
    lowered.tables
}

/// Returns `true` if the checks find an error that a meta-schema can also find.
fn is_faulty(schema: &str) -> bool {
    lower(schema, &DocumentOptions::default()).problems.iter().any(|problem| {
        matches!(
            problem.kind,
            ProblemKind::NotSchema { .. } | ProblemKind::UnknownType { .. } | ProblemKind::WrongKind { .. }
        )
    })
}

/// Returns every schema of the suite and of real tools that uses a single draft, with that draft.
fn schemas() -> Vec<(Draft, Value)> {
    let shared = shared::root();
    let mut found = Vec::new();
    for (draft, dir) in [(Draft::Draft7, "draft7"), (Draft::Draft2020, "draft2020-12")] {
        for file in shared::files(&shared.join("conformance/json-schema").join(dir), true) {
            for case in shared::json(&file).as_array().unwrap() {
                found.push((draft, case["schema"].clone()));
                // The suite has no files for 2019-09, so the schemas of the other drafts are used.
                let text = case["schema"].to_string().replace("$dynamic", "$recursive");
                found.push((Draft::Draft2019, serde_json::from_str(&text).unwrap()));
            }
        }
    }
    for file in shared::files(&shared.join("conformance/tool-schemas"), true) {
        let tools = shared::json(&file);
        collect(&tools, &mut found);
    }
    found.retain_mut(|(draft, schema)| {
        if let Some(object) = schema.as_object_mut() {
            object.insert("$schema".to_owned(), json!(draft.uri()));
        }
        let text = schema.to_string();
        // A value that is a schema only because a reference leads to it is not checked by a meta-schema.
        let is_seen =
            ["#/examples", "unknown-keyword", "unknown~1keyword"].iter().all(|part| !text.contains(part));
        is_seen && text.matches("\"$schema\"").count() <= 1
    });
    found
}

/// Collects the input schemas of tools from anywhere in the file.
fn collect(node: &Value, found: &mut Vec<(Draft, Value)>) {
    match node {
        Value::Object(members) => {
            for key in ["inputSchema", "parameters"] {
                let schema = members.get(key).filter(|schema| schema.is_object());
                found.extend(schema.map(|schema| (Draft::Draft7, schema.clone())));
            }
            members.values().for_each(|value| collect(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// Replaces one value, anywhere, with one that is usually invalid.
fn spoil(schema: &mut Value, random: &mut Random) {
    let pool = [
        json!(3),
        json!(-1),
        json!(1.5),
        json!("x"),
        json!("string"),
        json!(true),
        json!(null),
        json!([]),
        json!({}),
        json!(["a"]),
        json!(["a", "a"]),
        json!(["string", "string"]),
        json!([{}]),
        json!([3]),
        json!({"a": 3}),
        json!({"a": {}}),
    ];
    let mut node = schema;
    loop {
        let inside = match node {
            Value::Object(members) => members.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if inside == 0 || random.below(5) == 0 {
            break;
        }
        let at = random.below(inside);
        node = match node {
            Value::Object(members) => members.values_mut().nth(at).unwrap(),
            Value::Array(items) => &mut items[at],
            _ => break,
        };
    }
    *node = random.pick(&pool).clone();
}

// SPEC 3.2
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_the_checks_and_the_meta_schemas_refuse_the_same_schemas() {
    let schemas = schemas();
    let metas = [Draft::Draft7, Draft::Draft2019, Draft::Draft2020].map(|draft| (draft, meta(draft)));
    let random = &mut Random::new(11);
    let (mut valid, mut invalid, mut wrong) = ([0; 3], [0; 3], Vec::new());
    for (draft, schema) in &schemas {
        let at = metas.iter().position(|(of, _)| of == draft).unwrap();
        let tables = &metas[at].1;
        for round in 0..12 {
            let mut schema = schema.clone();
            if round > 0 {
                spoil(&mut schema, random);
            }
            let text = schema.to_string();
            let lowered = lower(&text, &DocumentOptions::default());
            if lowered.document.draft() != *draft
                || lowered.problems.iter().any(|p| matches!(p.kind, ProblemKind::UnknownDraft { .. }))
            {
                continue;
            }
            let fits = validate_str(tables, &text);
            if fits.is_ok() {
                valid[at] += 1
            } else {
                invalid[at] += 1
            }
            // draft-07 ignores all keywords next to `$ref`, but its meta-schema does not.
            let ignores =
                lowered.problems.iter().any(|p| matches!(p.kind, ProblemKind::IgnoredBesideRef { .. }));
            if fits.is_ok() == is_faulty(&text) && !(ignores && fits.is_err()) {
                wrong.push(format!(
                    "{draft} {text}\n  meta-schema: {fits:?}\n  checks: {:?}",
                    lowered.problems
                ));
            }
        }
    }
    println!("{} schemas, by draft {valid:?} valid, {invalid:?} invalid", schemas.len());
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    assert!(
        valid.iter().all(|count| *count > 500) && invalid.iter().all(|count| *count > 1_500),
        "{valid:?} {invalid:?}"
    );
}
