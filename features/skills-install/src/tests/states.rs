//! Tests the states of skills and files, and what an installation does in each state.

use super::fixture::*;
use crate::{InstallError, install, plan, status, uninstall};

const FIRST: &[Sketch<'_>] = &[
    ("current", &[("SKILL.md", "same")]),
    ("deleted", &[("SKILL.md", "one")]),
    ("edited", &[("SKILL.md", "one"), ("a/b.txt", "one"), ("a/c.txt", "one")]),
    ("gone", &[("SKILL.md", "one"), ("kept.txt", "one")]),
    ("old", &[("SKILL.md", "one"), ("less.txt", "one"), ("run", "#!one"), ("removed/x.txt", "one")]),
];

const SECOND: &[Sketch<'_>] = &[
    ("current", &[("SKILL.md", "same")]),
    ("deleted", &[("SKILL.md", "two"), ("new.txt", "two")]),
    ("edited", &[("SKILL.md", "two"), ("a/b.txt", "two"), ("a/c.txt", "two")]),
    ("foreign", &[("SKILL.md", "two"), ("more.txt", "two")]),
    ("new", &[("SKILL.md", "two"), ("bin/run", "#!two")]),
    ("old", &[("SKILL.md", "two"), ("less.txt", "one"), ("run", "#!two"), ("more.txt", "two")]),
];

/// A target with a skill in every state.
fn prepared() -> Scratch {
    let target = Scratch::new();
    run(&bundle("1", FIRST), &target, &options());
    put(&target, "edited/SKILL.md", "mine");
    delete(&target, "edited/a/c.txt");
    delete(&target, "deleted");
    put(&target, "gone/kept.txt", "mine");
    put(&target, "foreign/SKILL.md", "theirs");
    target
}

#[test]
fn every_state_is_reported() {
    // SPEC 9.1
    let target = prepared();
    let wanted = [
        "current: current",
        "current/SKILL.md: current",
        "deleted: missing",
        "deleted/SKILL.md: missing",
        "edited: modified",
        "edited/SKILL.md: modified",
        "edited/a/b.txt: outdated",
        "edited/a/c.txt: missing",
        "foreign: foreign",
        "foreign/SKILL.md: foreign",
        "gone: orphaned",
        "gone/SKILL.md: orphaned",
        "gone/kept.txt: modified",
        "new: missing",
        "new/SKILL.md: missing",
        "new/bin/run: missing",
        "old: outdated",
        "old/SKILL.md: outdated",
        "old/less.txt: current",
        "old/more.txt: missing",
        "old/removed/x.txt: orphaned",
        "old/run: outdated",
    ];
    assert_eq!(states(&bundle("2", SECOND), &target, &options()), wanted);
    let of = |name: &str| {
        let all = status(&bundle("2", SECOND), &target, &options()).unwrap();
        all.into_iter().find(|skill| skill.name == name).unwrap()
    };
    assert_eq!((of("old").owner.as_deref(), of("old").installed.as_deref()), (Some("agent"), Some("1")));
    assert_eq!((of("new").owner, of("new").installed), (None, None));
}

#[test]
fn an_update_follows_the_states() {
    // SPEC 9.1
    let target = prepared();
    let second = bundle("2", SECOND);
    let before = tree(&target);
    let plan = plan(&second, &target, &options()).unwrap();
    assert_eq!(tree(&target), before, "a plan writes nothing");
    assert!(!plan.is_empty());
    let wanted = "\
keep    deleted (deleted here)
keep    edited/SKILL.md (edited here)
update  edited/a/b.txt
keep    edited/a/c.txt (deleted here)
keep    foreign (not installed by this program)
remove  gone/SKILL.md
keep    gone/kept.txt (edited here, and no longer part of the bundle)
create  new/SKILL.md
create  new/bin/run
update  old/SKILL.md
create  old/more.txt
remove  old/removed/x.txt
update  old/run
";
    assert_eq!(plan.to_string(), wanted);
    let report = plan.apply().unwrap();
    assert_eq!(report.to_string(), wanted);
    assert_eq!((report.changes().count(), report.kept().count()), (8, 5));
    let installed = [
        ("current/SKILL.md", "same"),
        ("edited/SKILL.md", "mine"),
        ("edited/a/b.txt", "two"),
        ("foreign/SKILL.md", "theirs"),
        ("gone/kept.txt", "mine"),
        ("new/SKILL.md", "two"),
        ("new/bin/run", if cfg!(unix) { "*#!two" } else { "#!two" }),
        ("old/SKILL.md", "two"),
        ("old/less.txt", "one"),
        ("old/more.txt", "two"),
        ("old/run", if cfg!(unix) { "*#!two" } else { "#!two" }),
    ];
    assert_eq!(files(&target), listed(&installed));
    let all = tree(&target);
    assert!(!all.contains_key("skills/old/removed/"), "an empty directory goes with its last file");
    let own: Vec<_> = all.keys().filter(|path| path.contains("/.")).collect();
    assert_eq!(own, ["skills/.skills-lock.json"], "SPEC 9.2: nothing is left behind");

    // A second run changes nothing, and reports the same kept files.
    let again = run(&second, &target, &options());
    assert_eq!(again.changes().count(), 0);
    assert_eq!(again.steps(), report.kept().cloned().collect::<Vec<_>>());
    assert_eq!(tree(&target), all);
    let reported = states(&second, &target, &options());
    assert!(
        reported.contains(&"old: current".to_owned()) && reported.contains(&"new: current".to_owned()),
        "{reported:?}"
    );
}

#[test]
fn a_skill_is_installed_only_below_its_name() {
    // SPEC 9.1: category folders are flattened; the lock file is beside the skills.
    let target = Scratch::new();
    let below = target.join("deep/er");
    run(&bundle("1", &[("pdf", &[("SKILL.md", "x"), ("scripts/run", "#!x")])]), &below, &options());
    let found: Vec<String> = tree(&below).into_keys().collect();
    let wanted = [
        "skills/",
        "skills/.skills-lock.json",
        "skills/pdf/",
        "skills/pdf/SKILL.md",
        "skills/pdf/scripts/",
        "skills/pdf/scripts/run",
    ];
    assert_eq!(found, wanted);
    let lock = &tree(&below)["skills/.skills-lock.json"];
    // The digest of "x", from `printf x | sha256sum`.
    assert!(lock.contains("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"), "{lock}");
}

#[test]
fn only_named_skills_are_changed() {
    // SPEC 9.1, 8.3
    let target = Scratch::new();
    let first = bundle("1", FIRST);
    run(&first, &target, &options().names(["current", "old"]));
    assert_eq!(files(&target).len(), 5);
    let second = bundle("2", SECOND);
    run(&second, &target, &options().names(["new"]));
    assert_eq!(files(&target)["old/SKILL.md"], "one");
    let error = install(&second, &target, &options().names(["curent"])).unwrap_err();
    assert_eq!(error.to_string(), "skill not found: curent");
    assert!(
        matches!(&error, InstallError::Unknown(missing) if missing.nearest.as_deref() == Some("current"))
    );
    let error = uninstall(&target, &options().names(["gone"])).unwrap_err();
    assert_eq!(error.to_string(), "skill `gone` is not installed here");
}

#[test]
fn names_that_cannot_be_directories_are_refused() {
    // SPEC 12.3, 1.4
    let target = Scratch::new();
    let document: &[(&str, &str)] = &[("SKILL.md", "x")];
    let cases: [(&[Sketch<'_>], &str); 3] = [
        (&[("../x", document)], "\"../x\" cannot be the name of a skill's directory"),
        (&[("x", &[("../y", "x")])], "\"../y\" in skill `x` is not a path below the skill"),
        (
            &[("PDF", document), ("pdf", document)],
            "skills `PDF` and `pdf` differ only in the case of letters",
        ),
    ];
    for (skills, text) in cases {
        assert_eq!(install(&bundle("1", skills), &target, &options()).unwrap_err().to_string(), text);
    }
    assert!(tree(&target).is_empty());
}
