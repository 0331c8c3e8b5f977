//! Permissions of a skill are checked when it is built: paths, hosts and names.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use skills_core::level::Level;
use skills_core::options::Options;

use crate::disk::Disk;

/// Returns the levels and codes reported for these permissions.
fn check(permissions: &str) -> Vec<(Level, &'static str)> {
    let manifest = format!(
        r#"{{"name": "n", "description": "Does it.", "category": "t", "mode": "code", "input": {{"type": "object"}},
            "output": {{"type": "object"}}, "permissions": {permissions}}}"#
    );
    let disk = Disk::new(&[("n/skill.json", &manifest)]);
    let loaded = skills_core::load(&disk.root(), "skills", &Options::default());
    loaded.report.diagnostics.iter().map(|problem| (problem.level, problem.rule.code)).collect()
}

// SPEC 13.1, 13.2: invalid paths are errors, wide ones are reported, and others are clean
#[test]
fn paths_begin_in_allowed_places() {
    for path in ["data", ".", "$WORKSPACE", "$WORKSPACE/src", "$TMPDIR/x"] {
        let reported = check(&format!(r#"{{"read": ["{path}"], "write": ["{path}"]}}"#));
        assert!(reported.is_empty(), "{path}: {reported:?}");
    }
    for path in ["../x", "a/../b", "*.txt", "a?", "a\\\\b", "$HOME", "$WORKSPACES", "a\\u0007"] {
        let reported = check(&format!(r#"{{"read": ["{path}"]}}"#));
        let is_reported =
            reported.iter().any(|(level, code)| *level == Level::Error && code.starts_with("permission"));
        assert!(is_reported, "{path}: {reported:?}");
    }
    for wide in [r#"{"read": ["~"]}"#, r#"{"write": ["/etc"]}"#, r#"{"net": "all"}"#] {
        let reported = check(wide);
        let is_reported =
            reported.iter().any(|(level, code)| *level == Level::Warning && code.starts_with("permission"));
        assert!(is_reported, "{wide}: {reported:?}");
    }
}

// SPEC 13.3
#[test]
fn hosts_and_names_are_valid() {
    let clean =
        r#"{"net": ["api.example.com", "*.example.com:8443", "127.0.0.1", "[::1]:80"], "env": ["LANG"]}"#;
    assert!(check(clean).is_empty(), "{:?}", check(clean));
    for wrong in
        [r#"{"net": ["https://x"]}"#, r#"{"net": "some"}"#, r#"{"env": ["1A"]}"#, r#"{"reed": []}"#, "[]"]
    {
        let reported = check(wrong);
        let is_reported =
            reported.iter().any(|(level, code)| *level == Level::Error && code.starts_with("permission"));
        assert!(is_reported, "{wrong}: {reported:?}");
    }
}
