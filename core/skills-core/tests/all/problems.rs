//! A check that releases each skill finds the same problems as one that keeps all skills, and keeps little text.
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::path::Path;

use skills_core::levels::Profile;
use skills_core::options::Options;
use skills_core::print::text;
use skills_core::read::{DirectoryKind, ReadOptions};
use skills_core::{load, problems};
use skills_report::{github, json, sarif, suggestions, tally};

use crate::disk::Disk;

/// Returns everything that a check prints of a repository, by both ways.
fn both(root: &Path, profile: Profile) -> [Vec<String>; 2] {
    let read = ReadOptions {
        scope: DirectoryKind::Repository,
        evals: Some(skills_report::evals::CHECK),
        ..ReadOptions::default()
    };
    let options = Options { profile, read, ..Options::default() };
    let prints = [text::print, json::print, github::print, sarif::print, suggestions::print];
    let (loaded, found) = (load(root, "all", &options), problems::find(root, "all", &options));
    let sources = loaded.catalog.sources();
    let of = |report, sources, tally| {
        let mut all: Vec<String> = prints.iter().map(|print| print(report, sources)).collect();
        all.push(tally::summary(report, sources, "skill", Some(tally)));
        all.extend([tally::verdicts(tally, report, sources), tally::line(tally)]);
        all
    };
    [of(&loaded.report, sources, &loaded.tally), of(&found.report, &found.sources, &found.tally)]
}

// SPEC 17.27
#[test]
fn released_skills_have_the_same_problems() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for profile in [Profile::Bundle, Profile::Standard] {
        let [kept, released] = both(&tests, profile);
        for (kept, released) in kept.iter().zip(&released) {
            assert!(kept == released, "{}", first_difference(kept, released));
        }
        assert!(kept[0].len() > 10_000, "{}", kept[0].len());
    }
}

/// Returns the first lines that differ.
fn first_difference(kept: &str, released: &str) -> String {
    let pair = kept.lines().zip(released.lines()).find(|(kept, released)| kept != released);
    format!("{pair:?}, of {} and {} bytes", kept.len(), released.len())
}

// SPEC 17.27
#[test]
fn only_the_texts_of_problems_are_kept() {
    let body = "A line without any link.\n".repeat(400);
    let of = |name: &str, end: &str| {
        let head = format!("---\nname: {name}\ndescription: Does {name}. Use for tests.\n---\n");
        (format!("skills/{name}/SKILL.md"), format!("{head}{body}{end}"))
    };
    let links = "[a](references/a.md), [b](../a2/SKILL.md), [c](references/missing.md)\n";
    let mut files: Vec<(String, String)> = (0..20).map(|at| of(&format!("a{at}"), "")).collect();
    files.push(of("linked", links));
    files.push(("skills/linked/references/a.md".to_owned(), body.clone()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let disk = Disk::new(&files);
    let found = problems::find(&disk.root(), "skills", &Options::default());
    assert_eq!(found.tally.checked, 21);
    assert_eq!(found.report.diagnostics.len(), 1, "{:?}", found.report);
    let kept =
        |path: &str| found.sources.files().iter().find(|file| file.path.ends_with(path)).unwrap().text.len();
    assert!(kept("linked/SKILL.md") > body.len(), "a link may lead to a skill that is read later");
    let rest: usize = (0..20).map(|at| kept(&format!("a{at}/SKILL.md"))).sum();
    assert!(rest < 20 * 200, "{rest}");
}

// SPEC 17.27, 23.11: a call is checked as soon as the called function is known, which may be read later
#[test]
fn calls_in_released_texts_are_checked() {
    let disk = Disk::new(&[
        (
            "skills/a/SKILL.md",
            "---\nname: a\ndescription: Reads. Use for tests.\n---\n```json\nz({\"n\": \"x\"})\n```\n",
        ),
        ("skills/z/SKILL.md", "---\nname: z\ndescription: Doubles. Use for tests.\n---\nA text.\n"),
        (
            "skills/z/skill.json",
            r#"{"name": "z", "description": "Doubles. Use for tests.", "category": "c", "mode": "code",
            "input": {"type": "object", "properties": {"n": {"type": "integer"}}},
            "output": {"type": "object", "properties": {}}}"#,
        ),
    ]);
    let found = problems::find(&disk.root(), "skills", &Options::default());
    let codes: Vec<&str> = found.report.diagnostics.iter().map(|found| found.rule.code).collect();
    assert!(codes.contains(&"example-call"), "{codes:?}");
}
