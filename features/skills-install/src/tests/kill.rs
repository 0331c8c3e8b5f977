//! The installer is killed, or gets an error of the system, before every change that it makes. No file is ever
//! partial, and the next run completes the installation (SPEC 9.2).

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use super::child;
use super::fixture::*;
use crate::{InstallError, install, migrate_flat_skills, uninstall};
use skills_files::fault::{PlantedFault, arm, passed};

/// A target, and the operation on it.
struct Scenario {
    name: &'static str,
    prepare: fn(&Path),
    act: fn(&Path) -> Result<(), InstallError>,
    /// Texts of the user, each of which must exist somewhere at any time.
    precious: &'static [&'static str],
}

const SCENARIOS: [Scenario; 6] = [
    Scenario {
        name: "fresh",
        prepare: |_| {},
        act: |target| install(&bundle("1", FIRST), target, &options()).map(drop),
        precious: &[],
    },
    Scenario {
        name: "update",
        prepare: used,
        act: |target| install(&bundle("2", SECOND), target, &options()).map(drop),
        precious: &["mine 1", "mine 2", "theirs"],
    },
    Scenario {
        name: "force",
        prepare: used,
        act: |target| install(&bundle("2", SECOND), target, &options().force(true).restore(true)).map(drop),
        precious: &["mine 1", "mine 2", "theirs"],
    },
    Scenario {
        name: "uninstall",
        prepare: used,
        act: |target| uninstall(target, &options().force(true)).map(drop),
        precious: &["mine 1", "mine 2", "theirs"],
    },
    Scenario {
        name: "damaged",
        prepare: |target| {
            used(target);
            put(target, ".skills-lock.json", "damaged");
        },
        act: |target| install(&bundle("2", SECOND), target, &options().force(true)).map(drop),
        precious: &["mine 1", "mine 2", "theirs"],
    },
    Scenario {
        name: "flat",
        prepare: |target| {
            put(target, "one.md", "---\nname: one\n---\n");
            put(target, "two.md", "---\nname: two\n---\n");
            put(target, "kept/SKILL.md", "theirs");
        },
        act: |target| migrate_flat_skills(target).map(drop),
        precious: &["---\nname: one\n---\n", "---\nname: two\n---\n", "theirs"],
    },
];

const FIRST: &[Sketch<'_>] = &[
    ("deleted", &[("SKILL.md", "one")]),
    ("edited", &[("SKILL.md", "one"), ("a/b", "one"), ("a/c", "one")]),
    ("gone", &[("SKILL.md", "one"), ("d/kept", "one")]),
    ("old", &[("SKILL.md", "one"), ("run", "#!one"), ("x", "one"), ("removed/y", "one"), ("mode", "!")]),
];

const SECOND: &[Sketch<'_>] = &[
    ("deleted", &[("SKILL.md", "two"), ("new", "two")]),
    ("edited", &[("SKILL.md", "two"), ("a/b", "two"), ("a/c", "two"), ("own", "two")]),
    ("foreign", &[("SKILL.md", "two")]),
    ("new", &[("SKILL.md", "two"), ("bin/run", "#!two")]),
    (
        "old",
        &[("SKILL.md", "two"), ("run", "#!two"), ("x/z", "two"), ("removed", "two"), ("more/more", "two")],
    ),
];

const THIRD: &[Sketch<'_>] = &[
    ("deleted", &[("SKILL.md", "three")]),
    ("edited", &[("SKILL.md", "three"), ("a/b", "three"), ("own", "three")]),
    ("gone", &[("SKILL.md", "three"), ("d/kept", "three")]),
    ("new", &[("SKILL.md", "three"), ("bin/run", "#!two"), ("bin/two", "#!three")]),
    ("old", &[("SKILL.md", "three"), ("run", "one"), ("x/z", "two"), ("removed", "three")]),
];

/// The first version, with the edits of a user.
fn used(target: &Path) {
    run(&bundle("1", FIRST), target, &options());
    put(target, "edited/SKILL.md", "mine 1");
    put(target, "gone/d/kept", "mine 2");
    put(target, "edited/own", "theirs");
    put(target, "foreign/SKILL.md", "theirs");
    delete(target, "edited/a/c");
    delete(target, "deleted");
}

/// Runs a scenario that kills this process at a point.
pub(super) fn child(name: &str, target: &Path, point: usize) {
    let scenario = SCENARIOS.iter().find(|scenario| scenario.name == name).unwrap();
    arm(Some((point, PlantedFault::Kill)));
    (scenario.act)(target).unwrap();
}

impl Scenario {
    /// Prepares a target, and returns its contents.
    fn prepared(&self) -> (Scratch, BTreeMap<String, String>) {
        let target = Scratch::quick();
        (self.prepare)(&target);
        let before = files(&target);
        (target, before)
    }

    /// Runs without a fault; returns the contents afterwards, and the number of points.
    fn whole(&self) -> (BTreeMap<String, String>, usize) {
        let (target, _) = self.prepared();
        arm(None);
        (self.act)(&target).unwrap();
        (tree(&target), passed())
    }

    /// Checks a target after a fault, and that the next run gives the same contents as one complete run.
    fn check(
        &self,
        target: &Path,
        before: &BTreeMap<String, String>,
        after: &BTreeMap<String, String>,
        at: &str,
    ) {
        let after_files: BTreeMap<&str, &String> =
            after.iter().filter_map(|(path, text)| Some((path.strip_prefix("skills/")?, text))).collect();
        let found = files(target);
        for (path, text) in &found {
            let known = before.get(path) == Some(text) || after_files.get(path.as_str()) == Some(&text);
            assert!(known, "{at}: {path} is {text:?}");
        }
        for (path, text) in before {
            let stays = after_files.contains_key(path.as_str());
            assert!(!stays || found.contains_key(path), "{at}: {path} is missing, which was {text:?}");
        }
        for precious in self.precious {
            assert!(
                found.values().any(|text| text.trim_start_matches('*') == *precious),
                "{at}: {precious} is lost"
            );
        }
        arm(None);
        (self.act)(target).unwrap();
        same(&tree(target), after, at);
    }
}

/// Checks that two directories are equal; reports only differences.
fn same(found: &BTreeMap<String, String>, wanted: &BTreeMap<String, String>, at: &str) {
    for path in found.keys().chain(wanted.keys()) {
        assert_eq!(found.get(path), wanted.get(path), "{at}: {path} after the next run");
    }
}

#[test]
fn a_kill_at_any_point_leaves_whole_files_and_the_next_run_finishes() {
    // SPEC 9.2
    let mut kills = 0;
    for scenario in &SCENARIOS {
        let (after, points) = scenario.whole();
        for point in 0..points {
            let (target, before) = scenario.prepared();
            let status = child::command(scenario.name, &target, point).status().unwrap();
            assert_eq!(status.signal(), Some(9), "{} {point}: {status}", scenario.name);
            scenario.check(&target, &before, &after, &format!("{} {point}", scenario.name));
            kills += 1;
        }
    }
    assert!(kills >= 200, "{kills}");
}

#[test]
fn a_refusal_at_any_point_is_an_error_and_the_next_run_finishes() {
    // SPEC 9.2, 12.2: the disk is full.
    for scenario in &SCENARIOS {
        let (after, points) = scenario.whole();
        for point in 0..points {
            let (target, before) = scenario.prepared();
            arm(Some((point, PlantedFault::Full)));
            match (scenario.act)(&target) {
                Err(InstallError::Io { source, .. }) => {
                    assert_eq!(source.kind(), std::io::ErrorKind::StorageFull);
                }
                Err(error) => panic!("{} {point}: {error}", scenario.name),
                // It used another way, or only the clean-up failed.
                Ok(()) => {}
            }
            scenario.check(&target, &before, &after, &format!("{} {point}", scenario.name));
        }
    }
}

#[test]
fn a_later_version_completes_a_killed_run() {
    // SPEC 9.2, 9.1: files of both versions count as unedited, and deleted files stay deleted.
    let third = bundle("3", THIRD);
    for name in ["fresh", "update"] {
        let scenario = SCENARIOS.iter().find(|scenario| scenario.name == name).unwrap();
        let (target, _) = scenario.prepared();
        let wanted = |target: &Path| {
            run(&third, target, &options());
            tree(target)
        };
        let direct = wanted(&target);
        for point in 0..scenario.whole().1 {
            let (target, _) = scenario.prepared();
            arm(Some((point, PlantedFault::Full)));
            (scenario.act)(&target).ok();
            arm(None);
            same(&wanted(&target), &direct, &format!("{name} {point}"));
        }
    }
}

#[test]
fn nothing_is_changed_before_all_new_files_are_written() {
    // SPEC 9.2
    let scenario = &SCENARIOS[1];
    let (target, before) = scenario.prepared();
    let lock = std::fs::read(target.join("skills/.skills-lock.json")).unwrap();
    let mut point = 0;
    loop {
        arm(Some((point, PlantedFault::Full)));
        assert!((scenario.act)(&target).is_err());
        if std::fs::read(target.join("skills/.skills-lock.json")).unwrap() != lock {
            break;
        }
        assert_eq!(files(&target), before, "{point}");
        point += 1;
    }
    // SPEC 9.5: also after a full disk has space again
    assert!(!target.join("skills/.skills-tmp").exists());
}
