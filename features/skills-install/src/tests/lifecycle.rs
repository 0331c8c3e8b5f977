//! Tests edits of the user to installed files, over several versions and bundles.

use std::fs;

use super::fixture::*;
use crate::{Adopt, InstallError, InstallOptions, install, plan, plan_removal, status, uninstall};

#[test]
fn an_edit_survives_every_version() {
    // SPEC 9.1: a second installation keeps an edit, and reports it.
    let target = Scratch::new();
    run(&bundle("1", &[("a", &[("SKILL.md", "one"), ("b", "one")])]), &target, &options());
    put(&target, "a/SKILL.md", "mine");
    for version in ["1", "2", "2", "3"] {
        let report =
            run(&bundle(version, &[("a", &[("SKILL.md", version), ("b", version)])]), &target, &options());
        assert!(lines(&report).contains(&"keep    a/SKILL.md (edited here)".to_owned()), "{report}");
        assert_eq!(files(&target), listed(&[("a/SKILL.md", "mine"), ("a/b", version)]));
    }
    // A file with the content that was installed last is not an edit.
    put(&target, "a/SKILL.md", "one");
    run(&bundle("4", &[("a", &[("SKILL.md", "four"), ("b", "four")])]), &target, &options());
    assert_eq!(files(&target)["a/SKILL.md"], "four");
    // A file with the content of the next version is not an edit, either.
    put(&target, "a/SKILL.md", "five");
    let five = bundle("5", &[("a", &[("SKILL.md", "five"), ("b", "four")])]);
    assert!(run(&five, &target, &options()).steps().is_empty());
    assert_eq!(states(&five, &target, &options())[0], "a: current");
}

#[test]
fn force_replaces_an_edit_and_leaves_a_copy() {
    // SPEC 9.1
    let target = Scratch::new();
    let skill = bundle("1", &[("a", &[("SKILL.md", "one"), ("x/run", "#!one")])]);
    run(&skill, &target, &options());
    for (edit, copies) in [("mine", 1), ("mine too", 2)] {
        put(&target, "a/x/run", edit);
        let report = run(&skill, &target, &options().force(true));
        assert_eq!(report.changes().count(), 1);
        let found = files(&target);
        assert_eq!(found["a/x/run"].trim_start_matches('*'), "#!one");
        assert_eq!(found.len(), 2 + copies, "{found:?}");
    }
    let found = files(&target);
    assert!(
        found["a/x/run.bak"].ends_with("mine") && found["a/x/run.bak2"].ends_with("mine too"),
        "{found:?}"
    );
    assert!(run(&skill, &target, &options().force(true)).steps().is_empty());
    // Edited files that no longer belong to the bundle are set aside.
    put(&target, "a/x/run", "mine again");
    let report = run(&bundle("2", &[("a", &[("SKILL.md", "one")])]), &target, &options().force(true));
    assert_eq!(lines(&report), ["remove  a/x/run (edited here; kept as a/x/run.bak3)"]);
    assert!(
        !files(&target).contains_key("a/x/run") && files(&target)["a/x/run.bak3"].ends_with("mine again")
    );
}

#[test]
fn removed_files_are_deleted_unless_edited() {
    // SPEC 9.1
    let target = Scratch::new();
    let both: &[(&str, &str)] = &[("SKILL.md", "x"), ("d/1", "x"), ("d/2", "x")];
    run(&bundle("1", &[("a", both), ("b", both)]), &target, &options());
    put(&target, "a/d/1", "mine");
    put(&target, "b/own.txt", "mine");
    let report = run(&bundle("2", &[("c", both)]), &target, &options());
    assert_eq!(
        files(&target),
        listed(&[
            ("a/d/1", "mine"),
            ("b/own.txt", "mine"),
            ("c/SKILL.md", "x"),
            ("c/d/1", "x"),
            ("c/d/2", "x")
        ])
    );
    assert_eq!(report.kept().count(), 1, "{report}");
    // It is reported as long as it exists, and then forgotten.
    assert_eq!(run(&bundle("2", &[("c", both)]), &target, &options()).kept().count(), 1);
    delete(&target, "a");
    assert!(run(&bundle("2", &[("c", both)]), &target, &options()).steps().is_empty());
    assert!(!tree(&target)["skills/.skills-lock.json"].contains("\"a\""));
}

#[test]
fn deleted_files_stay_deleted_until_requested() {
    // SPEC 9.1
    let target = Scratch::new();
    let first: &[(&str, &str)] = &[("SKILL.md", "one"), ("x", "one")];
    let second: &[(&str, &str)] = &[("SKILL.md", "two"), ("x", "two"), ("y", "two")];
    run(&bundle("1", &[("a", first), ("b", first)]), &target, &options());
    delete(&target, "a");
    delete(&target, "b/x");
    let second = bundle("2", &[("a", second), ("b", second)]);
    for _ in 0..2 {
        run(&second, &target, &options().force(true));
        assert_eq!(files(&target), listed(&[("b/SKILL.md", "two"), ("b/y", "two")]));
    }
    assert_eq!(states(&second, &target, &options())[0], "a: missing");
    assert_eq!(status(&second, &target, &options()).unwrap()[0].installed.as_deref(), Some("1"));
    // Restored by its name, or with all others.
    run(&second, &target, &options().names(["a"]));
    assert_eq!(files(&target).len(), 5);
    run(&second, &target, &options().restore(true));
    assert_eq!(files(&target).len(), 6);
    assert_eq!(states(&second, &target, &options())[0], "a: current");
    // Deleted skills that the new version no longer has leave no trace.
    delete(&target, "a");
    run(&bundle("3", &[]), &target, &options());
    assert_eq!(tree(&target).into_keys().collect::<Vec<_>>(), ["skills/"]);
}

#[test]
fn foreign_files_are_never_written() {
    // SPEC 9.1
    let target = Scratch::new();
    let skill: &[(&str, &str)] = &[("SKILL.md", "ours"), ("x", "ours")];
    put(&target, "a/SKILL.md", "theirs");
    put(&target, "b/SKILL.md", "ours");
    put(&target, "c/x", "theirs");
    put(&target, "d/notes.txt", "theirs");
    put(&target, "e/SKILL.md", "ours");
    put(&target, "e/x", "theirs");
    let mut before = files(&target);
    let all = bundle("1", &[("a", skill), ("b", skill), ("c", skill), ("d", skill), ("e", skill)]);
    let report = run(&all, &target, &options().restore(true));
    let kept: Vec<String> = report.kept().map(ToString::to_string).collect();
    assert_eq!(
        kept,
        [
            "keep    a (not installed by this program)",
            "keep    b (not installed by this program, but equal)",
            "keep    c (not installed by this program)",
            "keep    e (not installed by this program)"
        ]
    );
    // A directory without files of a skill is not a foreign skill.
    before.extend(listed(&[("d/SKILL.md", "ours"), ("d/x", "ours")]));
    assert_eq!(files(&target), before);
    assert_eq!(states(&all, &target, &options())[0], "a: foreign");
    // A new file of the bundle where the user already has one: the file belongs to the user.
    put(&target, "d/y", "theirs");
    let wider = bundle("2", &[("d", &[("SKILL.md", "two"), ("x", "ours"), ("y", "ours")])]);
    let report = run(&wider, &target, &options());
    assert_eq!(lines(&report), ["update  d/SKILL.md", "keep    d/y (not installed by this program)"]);
    assert_eq!(files(&target)["d/y"], "theirs");
    // A removal keeps all files of the user.
    uninstall(&target, &options().force(true)).unwrap();
    let left = files(&target);
    before.retain(|path, text| text == "theirs" || path.starts_with(['b', 'e']));
    before.insert("d/y".to_owned(), "theirs".to_owned());
    assert_eq!(left, before);
}

#[test]
fn a_skill_of_the_same_bytes_can_be_adopted() {
    // SPEC 9.1
    let target = Scratch::new();
    let skill: &[(&str, &str)] = &[("SKILL.md", "one"), ("x", "one")];
    put(&target, "a/SKILL.md", "one");
    put(&target, "b/SKILL.md", "mine");
    let report = run(&bundle("1", &[("a", skill), ("b", skill)]), &target, &options().adopt(Adopt::Same));
    assert_eq!(
        lines(&report),
        ["adopt   a/SKILL.md", "create  a/x", "keep    b (not installed by this program)"]
    );
    run(&bundle("2", &[("a", &[("SKILL.md", "two")])]), &target, &options());
    assert_eq!(files(&target), listed(&[("a/SKILL.md", "two"), ("b/SKILL.md", "mine")]));
}

#[test]
fn bundles_share_a_target_and_leave_each_other_alone() {
    // SPEC 9.1: uninstall removes only what it wrote.
    let target = Scratch::new();
    let other = InstallOptions::new("other");
    run(
        &bundle("1", &[("a", &[("SKILL.md", "first")]), ("b", &[("SKILL.md", "first")])]),
        &target,
        &options(),
    );
    let theirs = bundle("1", &[("b", &[("SKILL.md", "second")]), ("c", &[("SKILL.md", "second")])]);
    let report = run(&theirs, &target, &other.clone().force(true));
    assert_eq!(lines(&report), ["keep    b (installed by `agent`)", "create  c/SKILL.md"]);
    let status = status(&theirs, &target, &other).unwrap();
    assert_eq!(status[0].owner.as_deref(), Some("agent"));
    // A version without `a` and `b` removes them, and keeps `c`.
    let error = uninstall(&target, &other.clone().names(["b"])).unwrap_err();
    assert_eq!(error.to_string(), "skill `b` was installed by `agent`");
    run(&bundle("2", &[("a", &[("SKILL.md", "first")])]), &target, &options());
    assert_eq!(files(&target), listed(&[("a/SKILL.md", "first"), ("c/SKILL.md", "second")]));
    uninstall(&target, &options()).unwrap();
    assert_eq!(files(&target), listed(&[("c/SKILL.md", "second")]));
    assert_eq!(
        states(&theirs, &target, &other),
        ["b: missing", "b/SKILL.md: missing", "c: current", "c/SKILL.md: current"]
    );
}

#[test]
fn a_removal_keeps_files_of_the_user() {
    // SPEC 9.1
    let target = Scratch::new();
    let skill: &[(&str, &str)] = &[("SKILL.md", "x"), ("d/e/f", "x"), ("g", "x")];
    let both = bundle("1", &[("a", skill), ("b", skill)]);
    run(&both, &target, &options());
    put(&target, "a/g", "mine");
    delete(&target, "a/d/e/f");
    let before = tree(&target);
    let plan = plan_removal(&target, &options().names(["a"])).unwrap();
    assert_eq!(plan.to_string(), "remove  a/SKILL.md\nkeep    a/g (edited here)\n");
    assert_eq!(tree(&target), before);
    plan.apply().unwrap();
    assert_eq!(files(&target).len(), 4);
    assert_eq!(states(&both, &target, &options())[0], "a: foreign", "what is left is the user's");
    uninstall(&target, &options()).unwrap();
    assert_eq!(
        tree(&target).into_keys().collect::<Vec<_>>(),
        ["skills/", "skills/a/", "skills/a/d/", "skills/a/d/e/", "skills/a/g"]
    );
    assert!(uninstall(&target, &options()).unwrap().steps().is_empty());
    assert!(uninstall(target.join("nowhere"), &options()).unwrap().steps().is_empty());
    assert!(!target.join("nowhere").exists());
}

#[test]
fn a_plan_does_no_more_than_it_said() {
    // SPEC 9.1, 9.2
    let target = Scratch::new();
    let skill = bundle("1", &[("a", &[("SKILL.md", "one"), ("x", "one")])]);
    let (first, second) =
        (plan(&skill, &target, &options()).unwrap(), plan(&skill, &target, &options()).unwrap());
    assert_eq!(first.apply().unwrap().changes().count(), 2);
    assert_eq!(second.apply().unwrap().changes().count(), 0, "somebody else has done it");
    let next = bundle("2", &[("a", &[("SKILL.md", "two"), ("x", "two")])]);
    put(&target, "a/x", "mine");
    let stale = plan(&next, &target, &options()).unwrap();
    put(&target, "a/x", "one");
    let error = stale.apply().unwrap_err();
    assert_eq!(error.to_string(), "`a/x` changed since the plan was made: make a new plan");
    assert_eq!(files(&target), listed(&[("a/SKILL.md", "one"), ("a/x", "one")]));
}

#[test]
fn files_and_directories_can_change_places() {
    // SPEC 9.1
    let target = Scratch::new();
    let one = bundle("1", &[("a", &[("SKILL.md", "x"), ("b", "one"), ("c/d/e", "one")])]);
    let two = bundle("2", &[("a", &[("SKILL.md", "x"), ("b/f", "two"), ("c", "two")])]);
    run(&one, &target, &options());
    for (version, wanted) in
        [(&two, [("a/b/f", "two"), ("a/c", "two")]), (&one, [("a/b", "one"), ("a/c/d/e", "one")])]
    {
        let report = run(version, &target, &options());
        assert_eq!(report.kept().count(), 0, "{report}");
        let mut wanted = listed(&wanted);
        wanted.insert("a/SKILL.md".to_owned(), "x".to_owned());
        assert_eq!(files(&target), wanted);
    }
    // A directory that contains a file of the user stays.
    put(&target, "a/c/d/own", "mine");
    let report = run(&two, &target, &options());
    assert!(lines(&report).contains(&"keep    a/c (not installed by this program)".to_owned()), "{report}");
    assert_eq!(files(&target)["a/c/d/own"], "mine");
}

#[cfg(unix)]
#[test]
fn the_executable_bit_comes_from_the_bundle() {
    // SPEC 9.2, 1.3
    use std::os::unix::fs::PermissionsExt;
    let target = Scratch::new();
    let skill = bundle("1", &[("a", &[("SKILL.md", "x"), ("run", "#!x")])]);
    run(&skill, &target, &options());
    let path = target.join("skills/a/run");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o100, 0o100);
    // A changed mode alone is not an edit.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(run(&skill, &target, &options()).steps().is_empty());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_damaged_lock_file_stops_everything_unless_forced() {
    // SPEC 9.1
    let target = Scratch::new();
    let skill = bundle("1", &[("a", &[("SKILL.md", "one")])]);
    run(&skill, &target, &options());
    put(&target, ".skills-lock.json", "{\n  \"format\": 1,\n<<<<<<< ours");
    let before = tree(&target);
    let next = bundle("2", &[("a", &[("SKILL.md", "two")]), ("b", &[("SKILL.md", "two")])]);
    let error = install(&next, &target, &options()).unwrap_err();
    let wanted = format!(
        "{}:3:1: the lock file is damaged: expected a key in double quotes",
        target.join("skills").join(".skills-lock.json").display()
    );
    assert_eq!(error.to_string(), wanted);
    for result in [
        plan(&next, &target, &options()).map(|_| ()),
        status(&next, &target, &options()).map(|_| ()),
        uninstall(&target, &options()).map(|_| ()),
    ] {
        assert!(matches!(result, Err(InstallError::Damaged { line: 3, column: 1, .. })));
    }
    assert_eq!(tree(&target), before, "nothing was written");
    let report = run(&next, &target, &options().force(true));
    assert_eq!(
        lines(&report),
        ["replace a/SKILL.md (not installed by this program; kept as a/SKILL.md.bak)", "create  b/SKILL.md"]
    );
    let after = tree(&target);
    assert_eq!(after["skills/.skills-lock.json.bak"], before["skills/.skills-lock.json"]);
    assert!(run(&next, &target, &options()).changes().count() == 0);
    put(&target, ".skills-lock.json", "{\"format\": 7}");
    let error = install(&next, &target, &options().force(true)).unwrap_err();
    assert!(error.to_string().ends_with("has format 7, this version reads 1: update the program"), "{error}");
}
