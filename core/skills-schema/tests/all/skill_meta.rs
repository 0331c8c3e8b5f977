//! Checks that the interpreter and the `jsonschema` crate give the same results for the JSON Schema of
//! skill.json.

use std::path::Path;

use serde_json::Value;
use skills_schema::{lower, validate_str};

use crate::{manifests, shared};

const SKILL: &str = include_str!("../../../skills-core/src/meta/skill.schema.json");

// SPEC 3.1
#[test]
fn the_interpreter_and_an_independent_one_judge_alike() {
    let schema: Value = serde_json::from_str(SKILL).unwrap();
    let files = shared::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/meta"), true);
    let documents: Vec<Value> = files.iter().map(|path| shared::json(path)).collect();
    let named = documents.iter().filter_map(|document| Some((document["$id"].as_str()?, document)));
    let registry = jsonschema::Registry::new().extend(named).unwrap().prepare().unwrap();
    let oracle = jsonschema::options().with_registry(&registry).build(&schema).unwrap();
    let lowered = lower::lower(SKILL, &Default::default());
    assert!(lowered.problems.is_empty(), "{:?}", lowered.problems);
    for (text, valid) in manifests::table() {
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(oracle.is_valid(&value), valid, "jsonschema: {text}");
        assert_eq!(validate_str(&lowered.tables, &text).is_ok(), valid, "tables: {text}");
    }
}

// SPEC 3.1
#[test]
fn the_schema_is_a_schema() {
    let schema: Value = serde_json::from_str(SKILL).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
}
