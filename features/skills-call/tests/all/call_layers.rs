//! Calls over layers: which skill of a name runs.

use std::path::Path;

use serde_json::json;
use skills_call::{CallError, Runner};
use skills_load::LayersBuilder;

use crate::functions;

const SUM: &str = r#"{"name": "sum", "description": "Adds.", "category": "c", "mode": "code", "version": "1.0.0",
    "input": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    "output": {"type": "object", "properties": {"by": {"type": "string"}}, "required": ["by"]}}"#;

fn skill(root: &Path, manifest: &str, says: &str) {
    let dir = root.join("sum");
    std::fs::create_dir_all(dir.join("bin")).expect("a directory");
    std::fs::write(dir.join("skill.json"), manifest).expect("a file");
    std::fs::write(dir.join("SKILL.md"), "---\nexec: bin/run\n---\nAdds.\n").expect("a file");
    let program = format!("#!/bin/sh\ncat >/dev/null\necho '{{\"by\": \"{says}\"}}'\n");
    std::fs::write(dir.join("bin/run"), program).expect("a file");
}

// SPEC 1.6, 6.2
#[tokio::test]
async fn the_skill_with_precedence_runs_in_its_directory() {
    let (low, high) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
    skill(low.path(), SUM, "low");
    skill(high.path(), SUM, "high");
    let layers = |paths: &[&Path]| LayersBuilder::new().directories(paths.to_vec()).load().expect("readable");
    let one = Runner::from(layers(&[low.path()]));
    assert_eq!(one.call_json("sum", json!({"a": 1})).await.expect("it runs"), json!({"by": "low"}));
    let both = Runner::from(layers(&[low.path(), high.path()]));
    assert_eq!(both.call_json("sum", json!({"a": 1})).await.expect("it runs"), json!({"by": "high"}));
    let refused = both.call_json("sum", json!({"a": "x"})).await.expect_err("no integer");
    assert!(matches!(refused, CallError::InvalidInput { .. }), "{refused}");
}

// SPEC 1.6
#[tokio::test]
async fn a_bundled_function_is_found_below_the_layers() {
    let bundled = tempfile::tempdir().expect("a directory");
    skill(bundled.path(), SUM, "bundle");
    let functions = functions::load(bundled.path());
    let empty = LayersBuilder::new().bundle(functions).load().expect("readable");
    let runner = Runner::<()>::of_bundle(functions, None).layers(empty);
    assert_eq!(runner.call_json("sum", json!({"a": 1})).await.expect("it runs"), json!({"by": "bundle"}));
    let over = tempfile::tempdir().expect("a directory");
    skill(over.path(), SUM, "disk");
    let layers = LayersBuilder::new().bundle(functions).directory(over.path()).load().expect("readable");
    let runner = Runner::<()>::of_bundle(functions, None).layers(layers);
    assert_eq!(runner.call_json("sum", json!({"a": 1})).await.expect("it runs"), json!({"by": "disk"}));
}
