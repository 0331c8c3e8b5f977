//! Permissions are compared with observed runs, and the missing ones are added where the skill lists them.

use std::fs;

use skills_core::edit::Applicability;
use skills_core::load_over;
use skills_core::options::Options;
use skills_core::read::Overlay;
use skills_report::fix;
use skills_report::observed::Observations;

/// A file of one observed skill with these permissions.
fn observed(permissions: &str) -> Observations {
    let text =
        format!(r#"{{"format_version": 1, "skills": [{{"name": "dig", "permissions": {permissions}}}]}}"#);
    Observations::parse(&text).expect("observed runs")
}

/// Compares a skill with observed permissions; the titles, and the file after the fixes.
fn compared(path: &str, text: &str, permissions: &str) -> (Vec<String>, String) {
    let root = tempfile::tempdir().expect("a directory");
    let file = root.path().join("dig").join(path);
    fs::create_dir_all(file.parent().expect("above")).expect("made");
    fs::write(&file, text).expect("written");
    if path == "skill.json" {
        let document = "---\nname: dig\ndescription: Digs.\nexec: run\n---\n# Dig\n\nDig.\n";
        fs::write(file.with_file_name("SKILL.md"), document).expect("written");
    }
    fs::write(file.with_file_name("run"), "#!/bin/sh\n").expect("written");
    let (options, observed) = (Options::default(), observed(permissions));
    let judge = |over: &Overlay| {
        let mut loaded = load_over(root.path(), "s", &options, over);
        observed.check(&mut loaded, &options);
        loaded
            .report
            .diagnostics
            .retain(|found| ["permission-missing", "permission-unused"].contains(&found.rule.code));
        loaded
    };
    let found = judge(&Overlay::default()).report.diagnostics;
    let fixed = fix::fix(root.path(), Overlay::default(), Applicability::Unsafe, judge).expect("fixed");
    fix::write(root.path(), &fixed.over, &fixed.renamed, &fixed.found).expect("written");
    (found.into_iter().map(|found| found.title).collect(), fs::read_to_string(&file).expect("there"))
}

fn manifest(permissions: &str) -> String {
    format!(
        "{{\n  \"name\": \"dig\",\n  \"description\": \"Digs.\",\n  \"category\": \"garden\",\n  \"input\": {{}},\n  \
         \"output\": {{}},\n  \"mode\": \"code\",\n  \"permissions\": {permissions}\n}}\n"
    )
}

// SPEC 13.21, 13.22
#[test]
fn missing_rights_are_added_where_the_skill_lists_its_rights() {
    let both = r#"{"read": ["$WORKSPACE/a", "it's"], "net": ["a.example"]}"#;
    let document =
        |lines: &str| format!("---\nname: dig\ndescription: Digs.\nexec: run\n{lines}---\n# Dig\n\nDig.\n");
    // A path below the skill can be read anyway.
    let title = "the program of `dig` reads `$WORKSPACE/a` and connects to a.example, which the skill does not request";
    let (titles, text) = compared("SKILL.md", &document(""), both);
    assert_eq!(titles, [title]);
    let added = "metadata:\n  permissions: '{ \"read\": [\"$WORKSPACE/a\"], \"net\": [\"a.example\"] }'\n";
    assert_eq!(text, format!("---\nname: dig\n{added}description: Digs.\nexec: run\n---\n# Dig\n\nDig.\n"));
    let old = "metadata:\n  permissions: '{\"read\": [\"$WORKSPACE/b\"]}'\n";
    let (_, text) = compared("SKILL.md", &document(old), both);
    assert!(
        text.contains(
            "permissions: '{ \"read\": [\"$WORKSPACE/b\", \"$WORKSPACE/a\"], \"net\": [\"a.example\"] }'\n"
        ),
        "{text}"
    );
    for (old, new) in [
        (r#"{ "net": "none" }"#, r#"{ "net": ["a.example"], "read": ["$WORKSPACE/a"] }"#),
        (
            "{\n    \"read\": [\n      \"$WORKSPACE/b\"\n    ],\n    \"net\": []\n  }",
            "{\n    \"read\": [\n      \"$WORKSPACE/b\",\n      \"$WORKSPACE/a\"\n    ],\n    \"net\": [\"a.example\"]\n  }",
        ),
        (
            r#"{ "write": ["$WORKSPACE"], "net": ["*.example", "a.example"] }"#,
            r#"{ "write": ["$WORKSPACE"], "net": ["*.example", "a.example"] }"#,
        ),
    ] {
        assert_eq!(compared("skill.json", &manifest(old), both).1, manifest(new));
    }
}

// SPEC 13.22
#[test]
fn requested_rights_without_a_use_are_reported() {
    for (requested, used, titles) in [
        (
            r#"{"read": ["$WORKSPACE"], "env": ["LANG"]}"#,
            r#"{"read": ["$WORKSPACE/a"], "env": ["LANG"]}"#,
            &[][..],
        ),
        (r#"{"read": ["data"], "write": ["$TMPDIR"]}"#, "{}", &[]),
        (r#"{"net": ["a.example"]}"#, "{}", &["no observed run used the permission `a.example` of `net`"]),
        (r#"{"net": "all"}"#, r#"{"net": ["a.example"]}"#, &["no observed run needed every host"]),
        (r#"{"net": "all"}"#, r#"{"net": "all"}"#, &[]),
        (
            r#"{"write": ["$WORKSPACE"]}"#,
            r#"{"read": ["$WORKSPACE/a"]}"#,
            &["no observed run wrote `$WORKSPACE`; it was only read"],
        ),
    ] {
        let (found, text) = compared("skill.json", &manifest(requested), used);
        assert_eq!(found, titles, "{requested}");
        assert_eq!(text, manifest(requested), "a fix removes nothing");
    }
}
