//! A skill's body takes the arguments that a user typed.

#![allow(clippy::unwrap_used)] // helpers of tests may panic as tests may

use std::borrow::Cow;

use skills_registry::{Declared, FileRecord, Layout, Record, Registry, write};

fn registry(body: &str, names: &[&str]) -> Registry {
    let arguments = names.iter().map(|name| (*name).to_owned()).collect();
    let declared = Declared { arguments, ..Declared::default() };
    let files =
        vec![FileRecord { path: "SKILL.md", bytes: body.as_bytes(), executable: false, sha256: [0; 32] }];
    let record = Record {
        name: "fix",
        body: Some(0..body.len()),
        declared: Some(&declared),
        files,
        ..Record::default()
    };
    Registry::new(write(&[record], Layout::Joined, 8_000).unwrap().into_tables())
}

fn with(body: &str, arguments: &str) -> String {
    registry(body, &["issue", "branch"]).get("fix").unwrap().body_with(arguments).into_owned()
}

// SPEC 8.5
#[test]
fn a_body_takes_its_arguments_by_name_and_number() {
    assert_eq!(with("Fix $issue on $branch ($ARGUMENTS[0]).", "7 'my branch'"), "Fix 7 on my branch (7).");
    assert_eq!(with("Fix $issue.\n", ""), "Fix .\n");
}

// SPEC 8.5
#[test]
fn arguments_without_a_place_follow_the_body() {
    assert_eq!(with("Fix it.\n", "issue 7"), "Fix it.\n\nARGUMENTS: issue 7");
    assert_eq!(with("$1 costs $5.", "$ARGUMENTS"), "$1 costs $5.\n\nARGUMENTS: $ARGUMENTS");
    let registry = registry("Fix it.\n", &[]);
    assert!(matches!(registry.get("fix").unwrap().body_with(" "), Cow::Borrowed("Fix it.\n")));
}
