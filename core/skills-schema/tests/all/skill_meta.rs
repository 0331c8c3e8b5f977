//! Checks that the interpreter and the `jsonschema` crate give the same results for the JSON Schema of
//! skill.json.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skills_schema::{lower, validate_str};

use crate::{manifests, shared};

const SKILL: &str = include_str!("../../../skills-core/src/meta/skill.schema.json");

/// Calls a check with a function that says whether the `jsonschema` crate and the interpreter accept a text.
fn with_both(check: impl FnOnce(&dyn Fn(&str) -> [bool; 2])) {
    let schema: Value = serde_json::from_str(SKILL).unwrap();
    let files = shared::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/meta"), true);
    let documents: Vec<Value> = files.iter().map(|path| shared::json(path)).collect();
    let named = documents.iter().filter_map(|document| Some((document["$id"].as_str()?, document)));
    let registry = jsonschema::Registry::new().extend(named).unwrap().prepare().unwrap();
    let oracle = jsonschema::options().with_registry(&registry).build(&schema).unwrap();
    let lowered = lower::lower(SKILL, &Default::default());
    assert!(lowered.problems.is_empty(), "{:?}", lowered.problems);
    check(&|text| {
        let value: Value = serde_json::from_str(text).unwrap();
        [oracle.is_valid(&value), validate_str(&lowered.tables, text).is_ok()]
    });
}

// SPEC 3.1
#[test]
fn the_interpreter_agrees_with_an_independent_one() {
    with_both(|accepted| {
        for (text, valid) in manifests::table() {
            assert_eq!(accepted(&text), [valid, valid], "jsonschema and tables: {text}");
        }
    });
}

// SPEC 3.1
#[test]
fn each_manifest_of_the_repository_fits_the_schema() {
    let mut paths = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), &mut paths);
    assert!(paths.len() > 40, "{paths:?}");
    with_both(|accepted| {
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!(accepted(&text), [true, true], "jsonschema and tables: {}", path.display());
        }
    });
}

/// Finds each `skill.json` of the repository, except those in `ui` and `misuse`, which show errors.
fn collect(dir: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_source =
            !name.starts_with('.') && !["target", "node_modules", "ui", "misuse"].contains(&name.as_str());
        if is_source && path.is_dir() {
            collect(&path, paths);
        } else if name == "skill.json" {
            paths.push(path);
        }
    }
}

// SPEC 3.1
#[test]
fn the_schema_is_a_schema() {
    let schema: Value = serde_json::from_str(SKILL).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
}
