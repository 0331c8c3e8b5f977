//! Tests links and other entries in the place of the installer's files and directories, and missing permissions.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;

use super::child;
use super::fixture::*;
use crate::{InstallError, NotMigrated, install, migrate_flat_skills, plan, status, uninstall};

pub(super) const JOB: &str = "denied";

const SKILL: &[(&str, &str)] = &[("SKILL.md", "ours"), ("d/x", "ours")];
const NEXT: &[(&str, &str)] = &[("SKILL.md", "two"), ("d/x", "two"), ("d/y", "two")];

/// A target, and a directory outside to which links lead.
fn scene() -> (Scratch, Scratch) {
    let (target, outside) = (Scratch::new(), Scratch::new());
    fs::create_dir_all(target.join("skills")).unwrap();
    for path in ["SKILL.md", "x", "d/x"] {
        fs::create_dir_all(outside.join("d")).unwrap();
        fs::write(outside.join(path), "ours").unwrap();
    }
    (target, outside)
}

fn link(outside: &Path, target: &Path, at: &str) {
    symlink(outside, target.join("skills").join(at)).unwrap();
}

#[test]
fn a_link_in_place_of_the_skills_directory_is_refused() {
    // SPEC 9.2
    let (target, outside) = scene();
    let before = tree(&outside);
    fs::remove_dir(target.join("skills")).unwrap();
    symlink(&*outside, target.join("skills")).unwrap();
    let skills = bundle("1", &[("a", SKILL)]);
    let wanted = format!(
        "`{}` is a link or has the wrong type; links are not followed here; install where it leads: `{}`",
        target.join("skills").display(),
        fs::canonicalize(&*outside).unwrap().display()
    );
    for force in [false, true] {
        let options = options().force(force);
        assert_eq!(install(&skills, &target, &options).unwrap_err().to_string(), wanted);
        assert_eq!(status(&skills, &target, &options).unwrap_err().to_string(), wanted);
        assert_eq!(uninstall(&target, &options).unwrap_err().to_string(), wanted);
        assert_eq!(migrate_flat_skills(&target).unwrap_err().to_string(), wanted);
    }
    assert_eq!(tree(&outside), before);
    // A dangling link is not a missing directory.
    fs::remove_file(target.join("skills")).unwrap();
    symlink(outside.join("nowhere"), target.join("skills")).unwrap();
    assert!(matches!(install(&skills, &target, &options()), Err(InstallError::InTheWay { .. })));
    assert!(!outside.join("nowhere").exists());
}

#[test]
fn links_in_the_path_of_the_target_are_followed() {
    // SPEC 9.2: the target is where the caller says.
    let (target, outside) = scene();
    symlink(&*outside, target.join("elsewhere")).unwrap();
    run(&bundle("1", &[("a", SKILL)]), &target.join("elsewhere"), &options());
    assert!(outside.join("skills/a/SKILL.md").exists());
}

#[test]
fn a_link_in_place_of_a_skill_is_left_alone() {
    // SPEC 9.2
    let (target, outside) = scene();
    let before = tree(&outside);
    link(&outside, &target, "foreign");
    let skills = bundle("1", &[("a", SKILL), ("foreign", SKILL)]);
    for force in [false, true] {
        let report = run(&skills, &target, &options().force(force).adopt(crate::Adopt::Same));
        assert_eq!(
            report.kept().map(ToString::to_string).collect::<Vec<_>>(),
            ["keep    foreign (not installed by this program)"]
        );
    }
    // The user moved an installed skill, and linked it.
    delete(&target, "a");
    link(&outside, &target, "a");
    for force in [false, true] {
        let options = options().force(force).restore(true);
        run(&bundle("2", &[("a", NEXT)]), &target, &options);
        assert_eq!(tree(&target)["skills/a"], format!("-> {}", outside.display()));
    }
    uninstall(&target, &options().force(true)).unwrap();
    assert_eq!(tree(&outside), before);
    let left: Vec<String> = tree(&target).into_keys().collect();
    assert_eq!(left, ["skills/", "skills/a", "skills/foreign"]);
}

#[test]
fn a_link_in_place_of_a_directory_in_a_skill_is_left_alone() {
    // SPEC 9.2
    let (target, outside) = scene();
    let before = tree(&outside);
    run(&bundle("1", &[("a", SKILL)]), &target, &options());
    delete(&target, "a/d");
    link(&outside.join("d"), &target, "a/d");
    let report = run(&bundle("2", &[("a", NEXT)]), &target, &options().force(true));
    assert_eq!(
        lines(&report),
        [
            "update  a/SKILL.md",
            "keep    a/d/x (a link or a file stands in place of a directory)",
            "keep    a/d/y (a link or a file stands in place of a directory)"
        ]
    );
    uninstall(&target, &options().force(true)).unwrap();
    assert_eq!(tree(&outside), before);
}

#[test]
fn a_link_in_place_of_a_file_is_an_edit() {
    // SPEC 9.2, 9.1
    let (target, outside) = scene();
    let before = tree(&outside);
    run(&bundle("1", &[("a", SKILL)]), &target, &options());
    for path in ["a/SKILL.md", "a/d/x"] {
        delete(&target, path);
        link(&outside.join("x"), &target, path);
    }
    link(&outside.join("x"), &target, "a/d/y");
    let next = bundle("2", &[("a", NEXT)]);
    let report = run(&next, &target, &options());
    assert_eq!(report.changes().count(), 0, "{report}");
    let report = run(&next, &target, &options().force(true));
    assert_eq!(lines(&report)[2], "keep    a/d/y (not installed by this program)");
    let found = files(&target);
    let led = format!("-> {}", outside.join("x").display());
    assert_eq!((&found["a/SKILL.md"], &found["a/SKILL.md.bak"]), (&"two".to_owned(), &led));
    assert_eq!((&found["a/d/x"], &found["a/d/x.bak"]), (&"two".to_owned(), &led));
    assert_eq!(tree(&outside), before);
}

#[test]
fn links_in_place_of_the_installers_own_files_are_not_followed() {
    // SPEC 9.2
    let (target, outside) = scene();
    let before = tree(&outside);
    let skills = bundle("1", &[("a", SKILL)]);
    for own in [".skills-lock.json", ".skills-busy"] {
        link(&outside.join("x"), &target, own);
        assert!(
            matches!(install(&skills, &target, &options().force(true)), Err(InstallError::InTheWay { .. })),
            "{own}"
        );
        delete(&target, own);
    }
    link(&outside, &target, ".skills-tmp");
    run(&skills, &target, &options());
    assert_eq!(tree(&outside), before);
    assert_eq!(files(&target), listed(&[("a/SKILL.md", "ours"), ("a/d/x", "ours")]));
    assert!(!tree(&target).contains_key("skills/.skills-tmp"));
}

#[test]
fn a_stage_of_any_depth_is_removed() {
    // SPEC 9.5
    let (target, _outside) = scene();
    let stage = target.join("skills/.skills-tmp");
    fs::create_dir(&stage).unwrap();
    // Deeper than the maximum length of a path, the number of descriptors, and a recursive call per level allow.
    let (new, old) = (stage.join("new"), stage.join("old"));
    for _ in 0..3_000 {
        fs::create_dir(&new).unwrap();
        if old.exists() {
            fs::rename(&old, new.join("d")).unwrap();
        }
        fs::rename(&new, &old).unwrap();
    }
    run(&bundle("1", &[("a", SKILL)]), &target, &options());
    assert_eq!(files(&target), listed(&[("a/SKILL.md", "ours"), ("a/d/x", "ours")]));
    assert!(!stage.exists());
}

#[test]
fn other_kinds_of_files_count_as_edits() {
    // SPEC 9.2, 1.4
    let (target, _outside) = scene();
    run(&bundle("1", &[("a", SKILL)]), &target, &options());
    delete(&target, "a/SKILL.md");
    fs::create_dir(target.join("skills/a/SKILL.md")).unwrap();
    put(&target, "a/SKILL.md/own", "mine");
    delete(&target, "a/d/x");
    let pipe = target.join("skills/a/d/x");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let next = bundle("2", &[("a", NEXT)]);
    let report = run(&next, &target, &options());
    assert_eq!(
        lines(&report),
        ["keep    a/SKILL.md (edited here)", "keep    a/d/x (edited here)", "create  a/d/y"]
    );
    run(&next, &target, &options().force(true));
    let wanted = [
        ("a/SKILL.md", "two"),
        ("a/SKILL.md.bak/own", "mine"),
        ("a/d/x", "two"),
        ("a/d/x.bak", "special"),
        ("a/d/y", "two"),
    ];
    assert_eq!(files(&target), listed(&wanted));
}

#[test]
fn a_target_that_is_not_a_directory_is_refused() {
    // SPEC 9.2
    let target = Scratch::new();
    fs::write(target.join("file"), "x").unwrap();
    let skills = bundle("1", &[("a", SKILL)]);
    assert!(matches!(install(&skills, target.join("file"), &options()), Err(InstallError::InTheWay { .. })));
    fs::write(target.join("skills"), "x").unwrap();
    assert!(matches!(install(&skills, &target, &options()), Err(InstallError::InTheWay { .. })));
}

#[test]
fn flat_links_stay_where_they_are() {
    // SPEC 9.3, 9.2
    let (target, outside) = scene();
    fs::write(outside.join("x"), "---\nname: x\n---\n").unwrap();
    link(&outside.join("x"), &target, "a.md");
    put(&target, "b.md", "---\nname: b\n---\n");
    link(&outside, &target, "b");
    let migration = migrate_flat_skills(&target).unwrap();
    let skipped = [("a", NotMigrated::NoFile), ("b", NotMigrated::Exists)];
    assert_eq!(migration.skipped, skipped.map(|(name, why)| (name.to_owned(), why)));
    assert!(migration.moved.is_empty());
}

#[test]
fn without_permission_nothing_changes() {
    // SPEC 9.2
    let (target, outside) = scene();
    run(&bundle("1", &[("a", SKILL)]), &target, &options());
    fs::set_permissions(target.join("skills"), fs::Permissions::from_mode(0o555)).unwrap();
    let before = tree(&target);
    // Another user may not be able to reach the directory of this test program.
    let program = outside.join("program");
    test_bed::copy_program(std::env::current_exe().unwrap(), &program);
    for readable in [&*outside, &*target] {
        fs::set_permissions(readable, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = child::command_of(&program, JOB, &target, 0);
    command.current_dir("/");
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    assert!(command.status().unwrap().success());
    assert_eq!(tree(&target), before);
    fs::set_permissions(target.join("skills"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Tries to install without permission.
pub(super) fn child(target: &Path) {
    let next = bundle("2", &[("a", NEXT)]);
    for denied in [
        install(&next, target, &options()).unwrap_err(),
        plan(&next, target, &options()).unwrap().apply().unwrap_err(),
        uninstall(target, &options()).unwrap_err(),
    ] {
        let wanted =
            format!("cannot lock `{}`: Permission denied", target.join("skills/.skills-busy").display());
        assert!(denied.to_string().starts_with(&wanted), "{denied}");
    }
    // If nothing must be changed, no permission is needed.
    let report = install(&bundle("1", &[("a", SKILL)]), target, &options()).unwrap();
    assert!(report.steps().is_empty());
}
