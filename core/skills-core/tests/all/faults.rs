//! Many faults in one directory: each is reported once, in one run, at the place marked in its text, without
//! other reports.
//!
//! A mark `«code:text»` in `planted/mod.rs` says that exactly `text` breaks the rule `code`. The places are
//! computed here from the text before it is written, never by the parsers.
#![cfg(unix)] // the directory holds links and pipes

use std::collections::BTreeMap;

use skills_core::Loaded;
use skills_core::level::Level;
use skills_core::levels::Profile;
use skills_core::options::Options;

use crate::disk::Disk;
use crate::planted::{DISK, FILES, PATHS};

/// A place as `path:line:column-line:column code`.
type Place = String;

/// Removes the marks from a text and returns their places.
fn unmark(path: &str, marked: &str) -> (String, Vec<Place>) {
    let mut text = String::new();
    let mut places = Vec::new();
    let mut rest = marked;
    while let Some((before, behind)) = rest.split_once('«') {
        let (code, behind) = behind.split_once(':').expect("a mark names a rule");
        let (inside, behind) = behind.split_once('»').expect("a mark is closed");
        text.push_str(before);
        let start = count(&text);
        text.push_str(inside);
        let end = count(&text);
        places.push(format!("{path}:{}:{}-{}:{} {code}", start.0, start.1, end.0, end.1));
        rest = behind;
    }
    text.push_str(rest);
    (text, places)
}

/// Counts lines and characters up to the end of a text, both from 1; a byte order mark does not count.
fn count(text: &str) -> (usize, usize) {
    let line = text.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let last = text.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().filter(|c| *c != '\u{feff}').count() + 1)
}

// SPEC 1.7, 12.2: one run reports every fault exactly, with the correction; SPEC 3.3: with line and column
#[test]
fn every_planted_fault_is_reported_once_at_its_place() {
    let disk = Disk::new(&[]);
    let mut planted: BTreeMap<Place, usize> = BTreeMap::new();
    for (notation, marked) in FILES {
        let path = notation.split(" (").next().unwrap_or(notation);
        let (text, places) = unmark(path, marked);
        disk.plant(notation, &text);
        for place in places {
            *planted.entry(place).or_default() += 1;
        }
    }
    for (notation, text) in DISK {
        disk.plant(notation, text);
    }
    for (path, code) in PATHS {
        *planted.entry(format!("{path}:1:1-1:1 {code}")).or_default() += 1;
    }
    let count: usize = planted.values().sum();
    let mut codes: Vec<&str> = planted.keys().filter_map(|place| place.split(' ').next_back()).collect();
    codes.sort_unstable();
    codes.dedup();
    assert!(count >= 100 && codes.len() >= 60, "{count} faults of {} kinds are planted", codes.len());

    let mut options = Options::default();
    options.levels.set("body-empty", Level::Allow).expect("a lint");
    let loaded = skills_core::load(&disk.root(), "skills", &options);
    let found = places(&loaded);
    let missed = planted.iter().filter(|(place, count)| found.get(*place) != Some(count));
    let extra = found.iter().filter(|(place, count)| planted.get(*place) != Some(count));
    let difference: Vec<String> = missed
        .map(|(place, count)| format!("- {place} x{count}"))
        .chain(extra.map(|(place, count)| format!("+ {place} x{count}")))
        .collect();
    assert!(difference.is_empty(), "planted (-) and found (+) differ:\n{}", difference.join("\n"));
    check_catalog(&loaded);

    // The report at run time is the same, except for skills that are skipped although none of their problems
    // is an error then.
    let options = Options { profile: Profile::Disk, ..Options::default() };
    let loaded = skills_core::load(&disk.root(), "skills", &options);
    let mut extra = places(&loaded);
    extra.retain(|place, _| !planted.contains_key(place));
    let skipped = ["a-bare/SKILL.md:1:1-1:13", "a-late/SKILL.md:1:1-1:1", "a-marker/SKILL.md:1:1-1:5"];
    let skipped = skipped.map(|place| (format!("{place} description-missing"), 1));
    assert_eq!(extra, BTreeMap::from(skipped));
    check_catalog(&loaded);
}

/// Returns the places of problems, each with its number of occurrences.
fn places(loaded: &Loaded) -> BTreeMap<Place, usize> {
    let sources = loaded.catalog.sources();
    let mut found: BTreeMap<Place, usize> = BTreeMap::new();
    for diagnostic in &loaded.report.diagnostics {
        let (start, end) = sources.positions(diagnostic.span);
        let path = &sources.file_of(diagnostic.span).path;
        let place = format!(
            "{path}:{}:{}-{}:{} {}",
            start.line, start.column, end.line, end.column, diagnostic.rule.code
        );
        assert!(!diagnostic.help.trim().is_empty(), "{place} has no help");
        assert!(!diagnostic.label.is_empty(), "{place} has no label");
        *found.entry(place).or_default() += 1;
    }
    found
}

/// Checks that a skill with only warnings is kept, and that a skill with an error is dropped.
fn check_catalog(loaded: &Loaded) {
    let sources = loaded.catalog.sources();
    let errors: Vec<&str> = loaded
        .report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.level == Level::Error)
        .map(|diagnostic| sources.file_of(diagnostic.span).path.as_str())
        .collect();
    for skill in loaded.catalog.skills() {
        let dir = format!("{}/", skill.dir);
        assert!(!errors.iter().any(|path| path.starts_with(&dir)), "`{}` has an error and stays", skill.name);
    }
    let names: Vec<&str> = loaded.catalog.skills().iter().map(|skill| skill.name.as_str()).collect();
    for name in ["sound", "d-any", "d-emoji", "e-else", "e-same", "g-link", "f-bang"] {
        assert!(names.contains(&name), "`{name}` has only warnings and is lost");
    }
}

// SPEC 12.1: no text makes the checks scan it repeatedly: quadratic work would take hours here
#[test]
fn long_lines_are_scanned_once() {
    let lines =
        ["|", "](a.b", "](<", "`]", "scripts/", "[x](#) ", "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}", "curl |"];
    let bodies: Vec<String> = lines.iter().map(|line| line.repeat(300_000 / line.len())).collect();
    let texts: Vec<(String, String)> = (0..)
        .zip(&bodies)
        .map(|(at, body)| {
            (format!("x{at}/SKILL.md"), format!("---\nname: x{at}\ndescription: Long.\n---\n{body}\n"))
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let loaded = skills_core::load(&Disk::new(&files).root(), "skills", &Options::default());
    let found = places(&loaded);
    for at in 0..lines.len() {
        assert_eq!(found.get(&format!("x{at}/SKILL.md:5:1-5:1 long-body")), Some(&1), "{found:?}");
    }
}
