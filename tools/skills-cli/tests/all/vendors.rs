//! Skills that vendors publish on npm are checked without an error.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::path::Path;

use serde_json::Value;

use crate::command::Place;

/// The packages, each with the directory of its skills and their number.
const PACKAGES: [(&str, usize); 4] = [
    ("playwright-core/lib/tools/skills", 3),
    ("@plaited/development-skills/skills", 5),
    ("@salesforce/webapp-template-feature-graphql-experimental/skills", 1),
    ("ai-labs-claude-skills/dist/skills", 27),
];

// SPEC 2.1: skills that clients load are not errors
#[test]
#[ignore = "needs node, npm and a network"]
fn skills_of_vendors_have_no_errors() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vendors");
    let packages = test_bed::packages(&source, Path::new(env!("CARGO_TARGET_TMPDIR")));
    let place = Place::new(&[]);
    for (directory, count) in PACKAGES {
        let path = packages.join("node_modules").join(directory);
        let run = place.run(&["check", path.to_str().unwrap(), "--format", "json"]);
        let mut lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let summary = lines.pop().unwrap();
        assert_eq!((run.code, &summary["checked"]), (0, &Value::from(count)), "{directory}: {}", run.out);
        assert!(lines.iter().all(|problem| problem["level"] == "warning"), "{directory}: {}", run.out);
        // Each skill is bundled unchanged: its name and its description are read.
        let list = place.run(&["list", path.to_str().unwrap(), "--json"]);
        let skills: Value = serde_json::from_str(&list.out).unwrap();
        let described = skills.as_array().unwrap().iter().filter(|skill| skill["description"] != "");
        assert!(described.count() >= count.min(23), "{directory}: {}", list.err);
    }
}
