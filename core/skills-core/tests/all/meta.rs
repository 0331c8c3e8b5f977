//! The JSON Schema of skill.json and the hand-written checks accept the same files.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use skills_core::level::Level;
use skills_core::{load, meta};
use skills_schema::{lower, validate_str};

use crate::manifests::table;

/// The rules that check more than the shape of one skill.json.
const OTHERS: [&str; 9] = [
    "prompt-missing",
    "call-unknown",
    "call-undeclared",
    "call-cycle",
    "name-mismatch",
    "pipeline-misplaced",
    "version-format",
    "description-long",
    "schema-ref",
];

/// Returns whether the hand-written checks accept the shape.
fn by_hand(text: &str) -> bool {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("add");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("skill.json"), text).unwrap();
    let loaded = load(root.path(), "skills", &Default::default());
    let mut errors = loaded.report.diagnostics.iter().filter(|found| found.level == Level::Error);
    errors.all(|found| OTHERS.contains(&found.rule.code))
}

// SPEC 3.1, 3.2, 3.10, 5.7
#[test]
fn the_schema_and_the_checks_agree() {
    let schema = lower::lower(meta::SKILL, &Default::default());
    assert!(schema.problems.is_empty(), "{:?}", schema.problems);
    let table = table();
    assert!(table.len() > 60, "{}", table.len());
    let mut wrong = Vec::new();
    for (text, valid) in table {
        let by_schema = validate_str(&schema.tables, &text).is_ok();
        if (by_schema, by_hand(&text)) != (valid, valid) {
            wrong.push(format!("{text}: schema {by_schema}, checks {}, wanted {valid}", by_hand(&text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
