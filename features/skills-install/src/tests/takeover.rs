//! Targets that an earlier release filled without a lock file, other places for skills, and older programs.

use std::fs;

use skills_registry::{CompiledFile, CompiledSkill, Facts, Layout, Registry, write};

use super::fixture::*;
use crate::{Adopt, InstallOptions, OldFile, Target, install, uninstall};

/// The SHA-256 digest of a text, as `sha256sum` prints it.
fn sum(text: &str) -> String {
    let digest = hmac_sha256::Hash::hash(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "  a/SKILL.md\n"
}

#[test]
fn a_program_takes_over_the_directories_that_it_names() {
    // SPEC 9.10
    let target = Scratch::new();
    put(&target, "a/SKILL.md", "of release 1");
    put(&target, "a/notes.txt", "mine");
    put(&target, "b/SKILL.md", "new");
    put(&target, "c/SKILL.md", "somebody's");
    let skills = bundle("2", &[("a", &[("SKILL.md", "new"), ("x", "new")]), ("b", &[("SKILL.md", "new")])]);
    let adopting = options().adopt(Adopt::Named);
    let report = run(&skills, &target, &adopting);
    assert_eq!(
        lines(&report),
        [
            "replace a/SKILL.md (not installed by this program; kept as a/SKILL.md.bak)",
            "create  a/x",
            "adopt   b/SKILL.md"
        ]
    );
    let found = files(&target);
    assert_eq!((found["a/SKILL.md"].as_str(), found["a/SKILL.md.bak"].as_str()), ("new", "of release 1"));
    assert_eq!((found["a/notes.txt"].as_str(), found["c/SKILL.md"].as_str()), ("mine", "somebody's"));
    // After that, a change is an edit.
    put(&target, "a/SKILL.md", "edited");
    let next = bundle("3", &[("a", &[("SKILL.md", "newer"), ("x", "new")]), ("b", &[("SKILL.md", "newer")])]);
    assert_eq!(
        lines(&run(&next, &target, &adopting)),
        ["keep    a/SKILL.md (edited here)", "update  b/SKILL.md"]
    );
    // Skills of another bundle are kept.
    let other = InstallOptions::new("other").adopt(Adopt::Named).force(true);
    let report = run(&bundle("1", &[("b", &[("SKILL.md", "theirs")])]), &target, &other);
    assert_eq!(lines(&report), ["keep    b (installed by `agent`)"]);
}

#[cfg(unix)]
#[test]
fn a_script_that_is_taken_over_can_be_executed() {
    // SPEC 9.10
    use std::os::unix::fs::PermissionsExt;
    let target = Scratch::new();
    put(&target, "a/SKILL.md", "new");
    put(&target, "a/run.sh", "#!/bin/sh\n");
    let skills = bundle("2", &[("a", &[("SKILL.md", "new"), ("run.sh", "#!/bin/sh\n")])]);
    let script = target.join("skills/a/run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
    let report = run(&skills, &target, &options().adopt(Adopt::Same));
    assert_eq!(report.steps().len(), 2, "{report}");
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o111, 0o111);
    assert!(!files(&target).contains_key("a/run.sh.bak"));
    assert!(run(&skills, &target, &options()).changes().next().is_none());
}

#[test]
fn a_program_takes_over_files_of_earlier_releases() {
    // SPEC 9.10
    let target = Scratch::new();
    let earlier = sum("release 1") + &sum("release 2").to_uppercase();
    put(&target, "a/SKILL.md", "release 1");
    put(&target, "b/SKILL.md", "release 2");
    put(&target, "c/SKILL.md", "release 1, edited");
    let skill: &[(&str, &str)] = &[("SKILL.md", "release 3")];
    let skills = bundle("3", &[("a", skill), ("b", skill), ("c", skill)]);
    let report = run(&skills, &target, &options().adopt(Adopt::digests(&earlier)));
    assert_eq!(
        lines(&report),
        [
            "replace a/SKILL.md (installed by an earlier release)",
            "replace b/SKILL.md (installed by an earlier release)",
            "keep    c (not installed by this program)"
        ]
    );
    assert_eq!(
        files(&target),
        listed(&[
            ("a/SKILL.md", "release 3"),
            ("b/SKILL.md", "release 3"),
            ("c/SKILL.md", "release 1, edited")
        ])
    );
    uninstall(&target, &options()).unwrap();
    assert_eq!(files(&target), listed(&[("c/SKILL.md", "release 1, edited")]));
}

#[test]
fn a_predicate_decides_which_files_are_taken_over() {
    // SPEC 9.10
    let target = Scratch::new();
    put(&target, "a/SKILL.md", "<!-- made by agent 1 -->");
    put(&target, "b/SKILL.md", "mine");
    let skill: &[(&str, &str)] = &[("SKILL.md", "new")];
    let is_own =
        |file: &OldFile<'_>| file.path == "SKILL.md" && file.bytes.starts_with(b"<!-- made by agent");
    let report =
        run(&bundle("2", &[("a", skill), ("b", skill)]), &target, &options().adopt(Adopt::If(is_own)));
    assert_eq!(
        lines(&report),
        ["replace a/SKILL.md (installed by an earlier release)", "keep    b (not installed by this program)"]
    );
}

#[test]
fn force_replaces_foreign_files() {
    // SPEC 9.10
    let target = Scratch::new();
    put(&target, "a/SKILL.md", "theirs");
    let skills = bundle("1", &[("a", &[("SKILL.md", "ours")])]);
    assert_eq!(run(&skills, &target, &options()).changes().count(), 0);
    run(&skills, &target, &options().force(true));
    assert_eq!(files(&target), listed(&[("a/SKILL.md", "ours"), ("a/SKILL.md.bak", "theirs")]));
    assert!(run(&skills, &target, &options()).steps().is_empty());
}

#[test]
fn retired_skills_of_earlier_releases_are_removed() {
    // SPEC 9.11
    let target = Scratch::new();
    put(&target, "old/SKILL.md", "release 1");
    put(&target, "old/docs/x.md", "release 1");
    put(&target, "old/docs/own.md", "mine");
    put(&target, "older/SKILL.md", "release 1");
    let skills = bundle("2", &[("a", &[("SKILL.md", "new")])]);
    let retiring = options().retired(["old", "older", "never"]);
    assert_eq!(
        lines(&run(&skills, &target, &retiring)),
        ["create  a/SKILL.md"],
        "nothing says whose they are"
    );
    let report = run(&skills, &target, &retiring.clone().adopt(Adopt::digests(&sum("release 1"))));
    assert_eq!(lines(&report), ["remove  old/SKILL.md", "remove  old/docs/x.md", "remove  older/SKILL.md"]);
    assert_eq!(files(&target), listed(&[("a/SKILL.md", "new"), ("old/docs/own.md", "mine")]));
    put(&target, "older/SKILL.md", "edited");
    run(&skills, &target, &retiring.adopt(Adopt::Named));
    assert!(!files(&target).contains_key("older/SKILL.md"), "no agent loads it");
    assert_eq!(files(&target)["older/SKILL.md.bak"], "edited");
    let unsafe_name = options().retired(["../a"]);
    assert!(install(&skills, &target, &unsafe_name).is_err());
}

#[test]
fn skills_are_installed_into_a_directory_itself() {
    // SPEC 9.12
    let target = Scratch::new();
    let place = target.join("prompts");
    let skills = bundle("1", &[("a_b", &[("SKILL.md", "one")])]);
    install(&skills, Target::directory(&place), &options()).unwrap();
    assert_eq!(fs::read_to_string(place.join("a_b/SKILL.md")).unwrap(), "one");
    assert!(!place.join("skills").exists() && place.join(".skills-lock.json").is_file());
    uninstall(Target::directory(&place), &options()).unwrap();
    assert_eq!(tree(&place).into_keys().collect::<Vec<_>>(), [""; 0]);
    assert!(uninstall(Target::directory(target.join("nowhere")), &options()).unwrap().steps().is_empty());
}

#[test]
fn a_directory_may_keep_the_name_that_it_has_in_the_bundle() {
    // SPEC 9.12
    let target = Scratch::new();
    let facts = Facts { name: "pdf".to_owned(), dir: "office/pdf-tools".to_owned(), ..Facts::default() };
    let digest = hmac_sha256::Hash::hash(b"one");
    let file = CompiledFile { path: "SKILL.md", bytes: b"one", executable: false, sha256: digest };
    let skill = CompiledSkill { files: vec![file], ..facts.into() };
    let skills = Registry::new(write(&[skill], Layout::Joined, 8_000).unwrap().into_tables());
    let by_directory = options().by_directory(true);
    run(&skills, &target, &by_directory);
    assert_eq!(files(&target), listed(&[("pdf-tools/SKILL.md", "one")]));
    assert!(run(&skills, &target, &by_directory.names(["pdf"])).steps().is_empty());
}

#[test]
fn a_bundle_may_have_had_another_name() {
    // SPEC 9.12
    let target = Scratch::new();
    let old = InstallOptions::new("old-name");
    run(&bundle("1", &[("a", &[("SKILL.md", "one")]), ("b", &[("SKILL.md", "one")])]), &target, &old);
    let skills = bundle("2", &[("a", &[("SKILL.md", "two")])]);
    let report = run(&skills, &target, &options().formerly(["old-name"]));
    assert_eq!(lines(&report), ["update  a/SKILL.md", "remove  b/SKILL.md"]);
    assert_eq!(lines(&run(&skills, &target, &old)), ["keep    a (installed by `agent`)"]);
}

#[test]
fn an_older_program_brings_its_skills_back() {
    // SPEC 9.11
    let target = Scratch::new();
    let one = bundle("1", &[("a", &[("SKILL.md", "one"), ("x", "one")]), ("c", &[("SKILL.md", "one")])]);
    let two = bundle("2", &[("a", &[("SKILL.md", "two"), ("y", "two")]), ("b", &[("SKILL.md", "two")])]);
    run(&one, &target, &options());
    let before = tree(&target);
    run(&two, &target, &options());
    run(&one, &target, &options());
    assert_eq!(tree(&target), before);
}
