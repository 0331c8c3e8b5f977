//! `read` with links and with entries that are not files (SPEC 1.4).
#![cfg(unix)]

use skills_core::level::Level;

use crate::disk::{Disk, MD};

// SPEC 1.4
#[test]
fn links_out_of_the_root_are_refused() {
    let disk = Disk::new(&[
        ("../secret/SKILL.md", "outside"),
        ("a/SKILL.md", MD),
        ("a/file -> ../../secret/SKILL.md", ""),
        ("a/directory -> ../../secret", ""),
        ("a/hosts -> /etc/hosts", ""),
        ("a/up -> ../..", ""),
        ("b/SKILL.md -> ../../secret/SKILL.md", ""),
        ("c -> ../secret", ""),
        ("README.md -> /etc/hosts", ""),
    ]);
    let reading = disk.read();
    let refused = ["README.md", "a/directory", "a/file", "a/hosts", "a/up", "b/SKILL.md", "c"];
    assert_eq!(reading.problems(), refused.map(|path| format!("skills/{path}:1:1 link-outside")));
    assert_eq!(reading.files(), ["a/SKILL.md"]);
    assert!(reading.report.diagnostics[1].label.contains("`../../secret`"), "the target as written");
    let attributed: Vec<_> = reading
        .report
        .diagnostics
        .iter()
        .map(|problem| reading.tree.sources.file_of(problem.span).skill)
        .collect();
    assert_eq!(attributed, [None, Some(0), Some(0), Some(0), Some(0), None, None]);
}

// SPEC 1.4: a path that only begins like the root is outside of it
#[test]
fn a_sibling_with_the_same_beginning_is_outside() {
    let disk =
        Disk::new(&[("../skills-private/k", "x"), ("a/SKILL.md", MD), ("a/k -> ../../skills-private/k", "")]);
    assert_eq!(disk.read().problems(), ["skills/a/k:1:1 link-outside"]);
}

// SPEC 1.4
#[test]
fn links_inside_the_root_are_followed() {
    let disk = Disk::new(&[
        (".shared/refs/r.md", "shared"),
        (".shared/run (executable)", "#!/bin/sh\n"),
        ("a/SKILL.md", MD),
        ("a/refs -> ../.shared/refs", ""),
        ("a/run -> ../.shared/run", ""),
        ("b/SKILL.md -> ../a/SKILL.md", ""),
        ("b/refs -> ../.shared/refs", ""),
        ("b/chain -> run", ""),
        ("b/run -> ../a/run", ""),
    ]);
    let reading = disk.read();
    let expected = ["a/SKILL.md", "a/refs/r.md", "a/run", "b/SKILL.md", "b/chain", "b/refs/r.md", "b/run"];
    assert_eq!(reading.files(), expected);
    assert_eq!(reading.problems(), [""; 0]);
    assert!(reading.tree.skills[1].file("chain").unwrap().mode_executable);
    assert!(reading.tree.skills[1].text("SKILL.md").is_some());
}

// SPEC 1.4
#[test]
fn a_directory_is_read_once_and_at_its_real_place() {
    let disk = Disk::new(&[
        ("z/SKILL.md", MD),
        ("a -> z", ""),
        ("z/sub/x", ""),
        ("z/again -> sub", ""),
        ("z/self -> .", ""),
        ("z/up -> ..", ""),
        ("cat/loop -> ..", ""),
        (".h/m/n/SKILL.md", MD),
        ("m1 -> .h/m", ""),
        ("m2 -> .h/m/n", ""),
    ]);
    let reading = disk.read();
    assert_eq!(reading.skills(), ["m1/n", "z"]);
    assert_eq!(reading.files(), ["m1/n/SKILL.md", "z/SKILL.md", "z/sub/x"]);
    let skipped = ["a", "cat/loop", "m2", "z/again", "z/self", "z/up"];
    assert_eq!(reading.problems(), skipped.map(|path| format!("skills/{path}:1:1 link-repeated")));
    assert!(reading.report.diagnostics.iter().all(|problem| problem.level == Level::Warning));
}

// SPEC 1.4
#[test]
fn broken_links_are_reported() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        ("a/gone -> nothing", ""),
        ("a/one -> two", ""),
        ("a/two -> one", ""),
        ("b/SKILL.md -> SKILL.md", ""),
        ("c -> nowhere", ""),
    ]);
    let reading = disk.read();
    let broken = ["a/gone", "a/one", "a/two", "b/SKILL.md", "c"];
    assert_eq!(reading.problems(), broken.map(|path| format!("skills/{path}:1:1 link-broken")));
    assert_eq!(reading.report.diagnostics[0].label, "leads to `nothing`, which does not exist");
    assert_eq!(reading.files(), ["a/SKILL.md"]);
}

// SPEC 1.4
#[test]
fn special_files_are_never_opened() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        ("a/pipe (fifo)", ""),
        ("a/to-pipe -> pipe", ""),
        ("b/SKILL.md (fifo)", ""),
        ("b/sub/x.md", "x"),
        ("c/SKILL.md/x", "a directory"),
        ("d/SKILL.md", MD),
        ("d/.skillignore (fifo)", ""),
    ]);
    let _socket = std::os::unix::net::UnixListener::bind(disk.root().join("a/socket")).unwrap();
    let expected = ["a/pipe", "a/socket", "a/to-pipe", "b/SKILL.md", "c/SKILL.md", "d/.skillignore"];
    let reading = disk.read();
    assert_eq!(reading.problems(), expected.map(|path| format!("skills/{path}:1:1 special-file")));
    assert_eq!(reading.skills(), ["a", "d"]);
}

// SPEC 1.4
#[test]
#[ignore = "needs root"]
fn a_device_is_never_opened() {
    let disk = Disk::new(&[("a/SKILL.md", MD)]);
    let device = disk.root().join("a/device");
    let made = std::process::Command::new("mknod").arg(device).args(["c", "1", "3"]).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    assert_eq!(disk.read().problems(), ["skills/a/device:1:1 special-file"]);
}
