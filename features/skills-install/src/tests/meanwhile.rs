//! Tests that another process saves a file, or the disk is full, at every point of an installation.

use std::cell::{Cell, RefCell};
use std::fs;
use std::path::PathBuf;

use super::fixture::*;
use crate::{install, uninstall};
use skills_files::fault::{PlantedFault, arm, passed};

thread_local! {
    static SAVED: Cell<bool> = const { Cell::new(false) };
    static FILE: RefCell<PathBuf> = const { RefCell::new(PathBuf::new()) };
}

/// Saves as editors do: the new file is renamed over the old one.
fn save() {
    FILE.with_borrow(|file| {
        let beside = file.with_extension("editor");
        // The directory may have been removed.
        if fs::write(&beside, "saved").is_ok() {
            fs::rename(&beside, file).unwrap();
            SAVED.set(true);
        }
    });
}

#[test]
fn files_saved_meanwhile_are_never_lost() {
    // SPEC 9.5
    let files_of = |text: &'static str| [("SKILL.md", text), ("b", text), ("c/d", text)];
    let (one, two) = (files_of("one"), files_of("two"));
    let (first, second) = (bundle("1", &[("a", &one)]), bundle("2", &[("a", &two[..2])]));
    let mut kept = 0;
    for name in ["b", "c/d"] {
        for removes in [false, true] {
            let mut at = 0;
            loop {
                let target = Scratch::quick();
                run(&first, &target, &options());
                SAVED.set(false);
                FILE.set(target.join("skills/a").join(name));
                arm(Some((at, PlantedFault::Meanwhile(save))));
                let result = if removes {
                    uninstall(&target, &options())
                } else {
                    install(&second, &target, &options())
                };
                let count = passed();
                arm(None);
                if at >= count {
                    break;
                }
                let found = files(&target);
                assert!(
                    !SAVED.get() || found.values().any(|text| text == "saved"),
                    "{name} at {at}: {found:?} {result:?}"
                );
                let message =
                    result.map(|report| report.to_string()).unwrap_or_else(|error| error.to_string());
                if found.contains_key(&format!("a/{name}.bak")) {
                    kept += 1;
                    assert!(message.contains(&format!("kept as a/{name}.bak")), "{message}");
                }
                at += 1;
            }
        }
    }
    assert!(cfg!(not(target_os = "linux")) || kept >= 3, "{kept}");
}

#[test]
fn a_full_disk_is_not_kept_full() {
    // SPEC 9.5
    let skill = bundle("1", &[("a", &[("SKILL.md", "one"), ("b", "one")])]);
    let next = bundle("2", &[("a", &[("SKILL.md", "two"), ("b", "two")])]);
    for at in 0.. {
        let target = Scratch::quick();
        run(&skill, &target, &options());
        arm(Some((at, PlantedFault::Full)));
        let result = install(&next, &target, &options());
        let count = passed();
        arm(None);
        if at >= count {
            break;
        }
        if result.is_err() {
            assert!(!target.join("skills/.skills-tmp").exists(), "at {at}: {:?}", tree(&target));
        }
    }
}

#[test]
fn a_damaged_lock_removes_nothing() {
    // SPEC 9.5
    let target = Scratch::new();
    run(&bundle("1", &[("a", &[("SKILL.md", "one")])]), &target, &options());
    put(&target, ".skills-lock.json", "{");
    let before = tree(&target);
    for force in [false, true] {
        let error = uninstall(&target, &options().force(force)).unwrap_err();
        assert!(error.to_string().contains("the lock file is damaged"), "{error}");
        assert_eq!(tree(&target), before);
    }
}
