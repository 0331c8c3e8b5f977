//! Tests that arguments are put into a skill's body.

#![allow(clippy::unwrap_used)] // test helpers may panic

use std::borrow::Cow;

use skills_registry::{CompiledFile, CompiledSkill, Declared, Facts, Layout, Registry, write};

fn registry(body: &str, names: &[&str]) -> Registry {
    let arguments = names.iter().map(|name| (*name).to_owned()).collect();
    let declared = Declared { arguments, ..Declared::default() };
    let files =
        vec![CompiledFile { path: "SKILL.md", bytes: body.as_bytes(), executable: false, sha256: [0; 32] }];
    let facts = Facts { name: "fix".to_owned(), body: Some(0..body.len()), declared, ..Facts::default() };
    let skill = CompiledSkill { files, ..facts.into() };
    Registry::new(write(&[skill], Layout::Joined, 8_000).unwrap().into_tables())
}

fn with(body: &str, arguments: &str) -> String {
    let registry = registry(body, &["issue", "branch"]);
    let skill = registry.get("fix").unwrap();
    skill.body_in(skill.base(), None, Some(arguments)).into_owned()
}

// SPEC 8.5
#[test]
fn a_body_gets_its_arguments_by_name_and_number() {
    assert_eq!(with("Fix $issue on $branch ($ARGUMENTS[0]).", "7 'my branch'"), "Fix 7 on my branch (7).");
    assert_eq!(with("Fix $issue.\n", ""), "Fix .\n");
}

// SPEC 8.5
#[test]
fn arguments_without_a_place_follow_the_body() {
    assert_eq!(with("Fix it.\n", "issue 7"), "Fix it.\n\nARGUMENTS: issue 7");
    assert_eq!(with("$1 costs $5.", "$ARGUMENTS"), "$1 costs $5.\n\nARGUMENTS: $ARGUMENTS");
    let registry = registry("Fix it.\n", &[]);
    assert!(matches!(registry.get("fix").unwrap().body_in("", None, Some(" ")), Cow::Borrowed("Fix it.\n")));
}

// SPEC 8.9
#[test]
fn numbers_are_placeholders_only_for_given_arguments() {
    assert_eq!(
        with(r"Move $0 to $1 for \$1.00; awk '{print $3}'", "a b"),
        "Move a to b for $1.00; awk '{print $3}'"
    );
    assert_eq!(with("awk '{print $3}'", "a"), "awk '{print $3}'\n\nARGUMENTS: a");
}

// SPEC 8.10
#[test]
fn the_directory_and_the_session_are_inserted() {
    let body = "Run ${CLAUDE_SKILL_DIR}/a.sh, {baseDir}/b in ${CLAUDE_SESSION_ID}. {{baseDir}} ${baseDir} $ARGUMENTS";
    let registry = registry(body, &[]);
    let fix = registry.get("fix").unwrap();
    assert_eq!(
        fix.loaded_body(),
        "Run skill://fix/a.sh, skill://fix/b in ${CLAUDE_SESSION_ID}. {{baseDir}} ${baseDir} $ARGUMENTS"
    );
    assert_eq!(
        fix.body_in("/s/fix", Some("id-1"), Some("{baseDir}")),
        "Run /s/fix/a.sh, /s/fix/b in id-1. {{baseDir}} ${baseDir} {baseDir}"
    );
    let plain = self::registry("Costs $5.", &[]);
    assert!(matches!(plain.get("fix").unwrap().loaded_body(), Cow::Borrowed("Costs $5.")));
}
