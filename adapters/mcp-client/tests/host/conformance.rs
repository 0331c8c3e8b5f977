//! The scenarios of the official conformance suite for hosts of the Skills extension.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

const SCENARIOS: [&str; 4] = [
    "sep-2640-client-no-prefetch",
    "sep-2640-client-verify-digest",
    "sep-2640-client-verify-frontmatter",
    "sep-2640-client-verify-size",
];

// SPEC 22.4
#[test]
#[ignore = "needs node and npm"]
fn the_suite_passes() {
    let host = test_bed::example("skills_suite");
    for scenario in SCENARIOS {
        let place = tempfile::tempdir().expect("a directory");
        let results = place.path().join("results");
        let command = format!("{} {}", host.display(), place.path().display());
        let mut suite = test_bed::mcp_conformance(Path::new(env!("CARGO_TARGET_TMPDIR")));
        suite.args(["client", "--command", &command, "--scenario", scenario, "-o"]).arg(&results);
        let output = suite.stdin(Stdio::null()).output().expect("started");
        let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let run = std::fs::read_dir(&results).expect("results").next().expect("one run").expect("an entry");
        let text = std::fs::read_to_string(run.path().join("checks.json")).expect("checks");
        let checks: Vec<Value> = serde_json::from_str(&text).expect("JSON");
        let has_status = |wanted: &str| checks.iter().any(|check| check["status"].as_str() == Some(wanted));
        let is_bad = ["FAILURE", "WARNING", "SKIPPED"].into_iter().any(has_status);
        assert!(has_status("SUCCESS") && !is_bad, "{scenario}: {text}\n{printed}");
    }
}
