//! Every rule of `rule::files` holds for its own examples: the bad one breaks it, the good one breaks nothing.
#![cfg(unix)]

mod disk;

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use disk::{Disk, MD};
use skills_core::read::ReadOptions;
use skills_core::rule::files;

// SPEC 1.1, 1.2, 1.3, 1.4
#[test]
fn the_examples_show_their_rule() {
    let rules = [
        &files::ROOT_MISSING,
        &files::ROOT_UNREADABLE,
        &files::ROOT_EMPTY,
        &files::LINK_OUTSIDE,
        &files::LINK_BROKEN,
        &files::LINK_REPEATED,
        &files::SPECIAL_FILE,
        &files::FILE_NAME_CASE,
        &files::PATH_NOT_UTF8,
        &files::PATH_CASE,
        &files::PATH_RESERVED,
        &files::PATH_LONG,
        &files::FILE_TOO_LARGE,
        &files::SKILL_TOO_LARGE,
        &files::BUNDLE_TOO_LARGE,
        &files::SECRET_FILE,
        &files::CARGO_TOML,
        &files::SKILLIGNORE_LINE,
        &files::NOT_UTF8,
    ];
    // The large files are holes; nobody need read them.
    let options = ReadOptions { contents: false, ..ReadOptions::default() };
    for rule in rules {
        let bad = Disk::new(rule.bad).read_with(&options);
        assert_eq!(bad.only().rule.code, rule.code, "{}", bad.only().title);
        let good = Disk::new(rule.good).read_with(&options);
        assert_eq!(good.problems(), [""; 0], "the good example of `{}`", rule.code);
        assert!(!good.tree.skills.is_empty(), "the good example of `{}`", rule.code);
    }
}

// SPEC 1.4
#[test]
fn what_may_not_be_read_is_reported() {
    const INNER: &str = "SKILLS_TEST_UNPRIVILEGED";
    let is_root = std::fs::metadata("/proc/self").map_or(true, |metadata| metadata.uid() == 0);
    if !is_root {
        return unreadable();
    }
    // The system hides nothing from its superuser, so the test runs itself again as nobody.
    if std::env::var_os(INNER).is_some() {
        eprintln!("SKIPPED: the user could not be changed");
        return;
    }
    let inner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "what_may_not_be_read_is_reported"])
        .env(INNER, "1")
        .uid(65534)
        .gid(65534)
        .output();
    match inner {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
        Err(error) => eprintln!("SKIPPED: the test cannot be run as another user: {error}"),
    }
}

fn unreadable() {
    let rule = &files::UNREADABLE;
    let bad = Disk::new(rule.bad).read();
    assert_eq!((bad.only().rule.code, bad.only().label.as_str()), (rule.code, "permission denied"));
    assert_eq!(Disk::new(rule.good).read().problems(), [""; 0]);

    let disk =
        Disk::new(&[("a/SKILL.md", MD), ("a/closed/x", ""), ("b/SKILL.md (unreadable)", MD), ("c/x", "")]);
    ["a/closed", "c"].iter().for_each(|path| disk.allow(path, 0o000));
    let reading = disk.read();
    ["a/closed", "c"].iter().for_each(|path| disk.allow(path, 0o755));
    let expected = ["a/closed", "b/SKILL.md", "c"].map(|path| format!("skills/{path}:1:1 unreadable"));
    assert_eq!(reading.problems(), expected);
    assert_eq!(reading.files(), ["a/SKILL.md"]);

    disk.allow("", 0o000);
    let reading = disk.read();
    disk.allow("", 0o755);
    assert_eq!(reading.only().title, "read skills dir skills: permission denied");
}
