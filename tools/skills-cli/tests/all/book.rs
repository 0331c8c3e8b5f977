//! The book in `docs/book`: every line that it gives a shell is run, in an empty directory for each block.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{Place, Run};

const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book");

/// The blocks of a language, in order.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    text.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

// SPEC 18.9: what the book shows can be typed
#[test]
fn its_lines_run() {
    let programs = Path::new(env!("CARGO_BIN_EXE_skills")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let path =
        std::env::join_paths([programs.to_owned()].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(format!("{BOOK}/text")).unwrap() {
        let chapter = entry.unwrap().path();
        for block in blocks(&fs::read_to_string(&chapter).unwrap(), "sh") {
            let place = Place::new(&[]);
            let mut bash = Command::new("bash");
            bash.args(["-ec", &block]).current_dir(&place.top).env("PATH", &path).stdin(Stdio::null());
            let run = Run::of(&mut bash);
            assert_eq!(run.code, 0, "{}:\n{block}\n{}{}", chapter.display(), run.out, run.err);
            count += 1;
        }
    }
    assert!(count >= 8, "{count} blocks were run");
}

// SPEC 18.9: each chapter is in the list of chapters, and is compiled
#[test]
fn its_chapters_are_known() {
    let summary = fs::read_to_string(format!("{BOOK}/text/SUMMARY.md")).unwrap();
    let compiled = fs::read_to_string(format!("{BOOK}/book.rs")).unwrap();
    for entry in fs::read_dir(format!("{BOOK}/text")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name != "SUMMARY.md" {
            assert!(summary.contains(&format!("]({name})")), "{name} is not in SUMMARY.md");
            assert!(compiled.contains(&format!("include_str!(\"text/{name}\")")), "{name} is not compiled");
        }
    }
    let place = Place::new(&[]);
    let check = place.run(&["check", &format!("{BOOK}/skills")]);
    assert_eq!((check.code, check.err.ends_with("no problems\n")), (0, true), "{}", check.err);
}

// SPEC 18.9: commands and options that README.md shows exist
#[test]
fn the_readme_names_what_there_is() {
    let place = Place::new(&[]);
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let lines = blocks(&readme, "sh").concat();
    let mut count = 0;
    for line in lines.lines().filter_map(|line| line.strip_prefix("skills ")) {
        let line = line.split(" #").next().unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let help = |words: &[&str]| place.run(&[words, &["--help"]].concat());
        // Some commands have commands of their own.
        let (own, below) = (help(&words[..1]), help(&words[..words.len().min(2)]));
        assert_eq!(own.code, 0, "{line}: {}", own.err);
        for option in words.iter().filter(|word| word.starts_with("--")) {
            assert!(own.out.contains(option) || below.out.contains(option), "{line}: {option}");
        }
        count += 1;
    }
    assert!(count > 25, "{count} lines were looked at");
}
