//! Tests processes that write to one target at the same time.

use std::path::Path;

use super::child;
use super::fixture::*;
use crate::{InstallOptions, State, install, status};
use skills_files::{Dir, WriteLock};

pub(super) const JOB: &str = "together";

/// A skill of many files that all contain the version.
fn wide(version: &str, name: &'static str) -> skills_registry::Registry {
    let paths: Vec<String> = (0..40).map(|number| format!("d{}/f{number}", number % 7)).collect();
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), version)).collect();
    files.push(("SKILL.md", version));
    bundle(version, &[(name, &files), ("shared", &files)])
}

/// Installs when signalled: an old or a new version, or another program.
pub(super) fn child(target: &Path, number: usize) {
    while !target.join("go").exists() {
        std::thread::yield_now();
    }
    let (registry, options) = match number % 3 {
        0 => (wide("1", "a"), options()),
        1 => (wide("2", "a"), options()),
        _ => (wide("1", "b"), InstallOptions::new("other")),
    };
    install(&registry, target, &options).unwrap();
}

#[test]
fn processes_at_once_end_as_one_after_another() {
    // SPEC 9.2
    for _ in 0..test_bed::rounds(1) {
        let target = Scratch::new();
        let mut children: Vec<_> =
            (0..6).map(|number| child::command(JOB, &target, number).spawn().unwrap()).collect();
        std::fs::write(target.join("go"), "").unwrap();
        for child in &mut children {
            assert!(child.wait().unwrap().success());
        }
        let found = tree(&target.join("skills"));
        let own: Vec<_> = found.keys().filter(|path| path.starts_with('.')).collect();
        assert_eq!(own, [".skills-lock.json"]);
        let version = &found["a/SKILL.md"];
        assert!(
            found
                .iter()
                .all(|(path, text)| !path.starts_with("a/d") || path.ends_with('/') || text == version)
        );
        let all = |version: &str, name, options: &InstallOptions| {
            status(&wide(version, name), &target, options).unwrap()
        };
        assert_eq!(all(version, "a", &options())[0].state, State::Current);
        let other = all("1", "b", &InstallOptions::new("other"));
        assert_eq!(other[0].state, State::Current);
        // The skill that both programs have belongs completely to one of them.
        let owner = other[1].owner.as_deref().unwrap();
        let (version, name) = if owner == "other" { ("1", "b") } else { (version.as_str(), "a") };
        assert_eq!(all(version, name, &InstallOptions::new(owner))[1].state, State::Current);
    }
}

#[test]
fn one_process_at_a_time_may_write() {
    // SPEC 9.2
    use rustix::fs::{FlockOperation, flock};
    let target = Scratch::new();
    let dir = Dir::open(&target).unwrap();
    let busy = WriteLock::wait(&dir, "busy").unwrap();
    let second = std::fs::File::open(target.join("busy")).unwrap();
    assert!(flock(&second, FlockOperation::NonBlockingLockExclusive).is_err());
    drop(busy);
    assert!(!target.join("busy").exists());
    // A process that waited for a lock file that was removed meanwhile does not hold the lock.
    flock(&second, FlockOperation::LockExclusive).unwrap();
    let _busy = WriteLock::wait(&dir, "busy").unwrap();
    assert!(target.join("busy").exists());
}
