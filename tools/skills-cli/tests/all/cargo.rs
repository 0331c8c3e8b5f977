//! The command as cargo runs it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::path::Path;

use crate::command::{Place, Run};

const SKILL: (&str, &str) = ("s/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n");

// SPEC 18.2: cargo finds the program by its name, and it prints the same as `skills`
#[test]
fn cargo_runs_it_by_its_name() {
    let place = Place::new(&[SKILL]);
    let programs = Path::new(env!("CARGO_BIN_EXE_cargo-skills")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(programs.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();
    let cargo = |arguments: &[&str]| {
        let mut cargo = test_bed::cargo(&place.top.join("target"));
        Run::of(cargo.args(arguments).current_dir(&place.top).env("PATH", &path))
    };
    for arguments in [["check", "s"].as_slice(), &["list", "s", "--json"], &["explain", "no-such-rule"]] {
        assert_eq!(cargo(&[&["skills"], arguments].concat()), place.run(arguments));
    }
    let help = cargo(&["skills", "check", "--help"]);
    assert!(help.out.contains("Usage: cargo skills check"), "{help:?}");
}

// SPEC 18.2: it also works without cargo before it
#[test]
fn it_works_without_cargo() {
    let place = Place::new(&[SKILL]);
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_cargo-skills"));
    assert_eq!(Run::of(program.args(["check", "s"]).current_dir(&place.top)), place.run(&["check", "s"]));
}
