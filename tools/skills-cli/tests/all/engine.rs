//! Commands that the program of an engine executes: its arguments, and its answer (SPEC 19.12).
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::io::Write;
use std::process::Stdio;

use crate::command::{Place, Run};

/// A program in place of an engine's: it prints its name, its arguments and its input, and exits with 7.
const PROGRAM: &str = "#!/bin/sh\nfor word in \"$@\"; do printf '%s\\n' \"$word\"; done\necho \"I am $0\" >&2\necho \"process $$\" >&2\ncat\nexit 7\n";

fn place() -> Place {
    let programs = ["bin/skills-temporal", "bin/skills-restate", "bin/skills-other-1"];
    Place::new(&programs.map(|path| (path, PROGRAM)))
}

/// Runs the command with the programs on its PATH.
fn run(place: &Place, line: &str) -> Run {
    let words: Vec<&str> = line.split(' ').collect();
    Run::of(place.command(&words).env("PATH", format!("{}:/usr/bin:/bin", place.path("bin"))))
}

fn given(run: &Run) -> String {
    run.out.lines().collect::<Vec<_>>().join(" ")
}

// SPEC 19.12
#[test]
fn the_program_of_the_engine_gets_the_arguments_and_answers() {
    let place = place();
    for (line, program, expected) in [
        (
            "engine worker a b --skill x,y --skill z --workspace w --sandbox require --resource-limit cpu=10s --env KEY --temporal h:1",
            "temporal",
            "worker --dir a --dir b --skill x --skill y --skill z --workspace w --sandbox require --resource-limit cpu=10s --env KEY --at h:1",
        ),
        (
            "engine worker --restate h:1 --admin h:2 --bind h:3 a",
            "restate",
            "worker --dir a --bind h:3 --at h:1 --admin h:2",
        ),
        ("call it --temporal h:1", "temporal", "call it --at h:1"),
        (
            "call --temporal h:1 it --detach --run-key monday --input {\"a\":-1} --timeout 1.5s",
            "temporal",
            "call it --input {\"a\":-1} --timeout 1.5s --run-key monday --detach --at h:1",
        ),
        ("engine runs --temporal h:1", "temporal", "runs list --at h:1"),
        (
            "engine runs show monday --restate h:1 --admin h:2",
            "restate",
            "runs show monday --at h:1 --admin h:2",
        ),
        ("engine runs --restate h:1 cancel monday", "restate", "runs cancel monday --at h:1"),
        ("engine runs attach monday --restate h:1", "restate", "runs attach monday --at h:1"),
        ("engine runs --engine other-1=h:1", "other-1", "runs list --at h:1"),
        ("call it --engine other-1=h:1 --run-key monday", "other-1", "call it --run-key monday --at h:1"),
    ] {
        let run = run(&place, line);
        assert_eq!((run.code, given(&run).as_str()), (7, expected), "{line}: {}", run.err);
        let who = format!("I am {}", place.path(&format!("bin/skills-{program}")));
        assert!(run.err.contains(&who), "{line}: {}", run.err);
    }
}

// SPEC 19.12
#[test]
fn the_program_takes_the_place_of_the_process_and_reads_its_input() {
    let place = place();
    let mut command = place.command(&["call", "it", "--temporal", "h:1", "--input", "-"]);
    command.env("PATH", format!("{}:/usr/bin:/bin", place.path("bin"))).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{\"from\": \"stdin\"}").unwrap();
    let id = child.id();
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(out.ends_with("{\"from\": \"stdin\"}"), "{out}");
    assert!(err.contains(&format!("process {id}\n")), "{err}");
}

// SPEC 19.12
#[test]
fn without_the_program_the_command_says_how_to_install_it() {
    let place = Place::new(&[("bin/nothing", "")]);
    for (line, name) in [
        ("engine worker a --temporal h:1", "temporal"),
        ("engine runs --temporal h:1", "temporal"),
        ("call it --restate h:1", "restate"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let run = Run::of(place.command(&words).env("PATH", place.path("bin")));
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{line}");
        let lines: Vec<&str> = run.err.lines().collect();
        let missing = format!("error: the program `skills-{name}` was not found in PATH");
        assert_eq!((lines[0], lines.len()), (missing.as_str(), 3), "{}", run.err);
        assert_eq!(lines[2].trim(), format!("cargo install --locked --path adapters/{name}"), "{}", run.err);
    }
    let run =
        Run::of(place.command(&["engine", "runs", "--engine", "other-1=h:1"]).env("PATH", place.path("bin")));
    assert_eq!(run.err, "error: the program `skills-other-1` was not found in PATH\n");
}

// SPEC 19.12
#[test]
fn options_that_an_engine_lacks_are_wrong_usage() {
    let place = place();
    for (line, message) in [
        ("engine worker a", "--temporal"),
        ("engine worker --temporal h:1", "DIR"),
        ("engine worker a --temporal h:1 --restate h:1", "cannot be used with"),
        ("engine worker a --temporal h:1 --bind h:2", "cannot be used with"),
        ("engine runs --temporal h:1 --admin h:2", "cannot be used with"),
        ("engine runs --temporal h:1 --engine other-1=h:1", "cannot be used with"),
        ("engine runs --engine other-1=h:1 --admin h:2", "cannot be used with"),
        ("engine worker a --engine other-1=h:1 --bind h:2", "cannot be used with"),
        ("engine runs --engine ../other=h:1", "lower-case letters"),
        ("call it --engine other-1=h:1 --dir a", "--dir"),
        ("engine runs", "--temporal"),
        ("engine runs show --temporal h:1", "KEY"),
        ("engine runs forget k --temporal h:1", "invalid value"),
        // The workers have their own.
        ("call it --temporal h:1 --dir a", "--dir"),
        ("call it --restate h:1 --dry-run", "--dry-run"),
        ("call it --restate h:1 --sandbox off", "--sandbox"),
        ("call it --temporal h:1 --workspace w", "--workspace"),
        // A call here has no key, and is waited for.
        ("call it --run-key monday", "--temporal"),
        ("call it --detach", "--temporal"),
    ] {
        let run = run(&place, line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
        assert!(run.err.contains(message), "{line}: {}", run.err);
    }
}
