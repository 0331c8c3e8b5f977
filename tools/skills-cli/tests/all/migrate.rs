//! `skills migrate`: turns a `SKILL.md` into a typed function of its text, or leaves it unchanged.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::fs;
use std::path::{Path, PathBuf};

use skills_template::parse_prompt;
use skills_template::render::{Scope, render};

use crate::command::{Place, Run};

const REVIEW: &str = "---\nname: code-review\ndescription: Reviews code.\nversion: 2.1.0\ntags: [a, b]\ntimeout: 90s\n\
                      metadata:\n  category: code\n---\n\n# Review\n\nUse `{{name}}`.\n";

fn files(place: &Place, dir: &str) -> Vec<String> {
    let entries = fs::read_dir(place.top.join(dir)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Renders a prompt as the runtime does.
fn rendered(prompt: &str) -> String {
    let tree = parse_prompt(prompt).into_result().unwrap();
    render(tree.root(), &Scope::default(), Default::default()).unwrap()
}

// SPEC 3.8, 1.3: writes the two files, hides the old one from bundles, and the result passes `check`
#[test]
fn a_document_becomes_a_function() {
    let place = Place::new(&[("skills/code-review/SKILL.md", REVIEW)]);
    let run = place.run(&["migrate", "skills/code-review/"]);
    let expected = "write   skills/code-review/prompt.md\nwrite   skills/code-review/skill.json\n\
                move    skills/code-review/SKILL.md to .SKILL.md.bak\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
    assert_eq!(files(&place, "skills/code-review"), [".SKILL.md.bak", "prompt.md", "skill.json"]);
    let read = |name: &str| fs::read_to_string(place.top.join("skills/code-review").join(name)).unwrap();
    assert_eq!(read(".SKILL.md.bak"), REVIEW);
    assert_eq!(read("prompt.md"), "# Review\n\nUse `{{{{name}}}}`.\n", "SPEC 5.8");
    let one = |key: &str| serde_json::json!({"type": "object", "properties": {key: {"type": "string"}}, "required": [key]});
    let manifest: serde_json::Value = serde_json::from_str(&read("skill.json")).unwrap();
    let wanted = serde_json::json!({
        "name": "code_review",
        "description": "Reviews code.",
        "category": "code",
        "input": one("request"),
        "output": one("result"),
        "mode": "llm",
        "version": "2.1.0",
        "tags": ["a", "b"],
        "timeout": 90_000,
    });
    assert_eq!(manifest, wanted);
    let check = place.run(&["check", "skills"]);
    assert_eq!((check.code, check.out.as_str()), (0, "1 skill, no problems\n"), "{}", check.err);
    let shown = place.run(&["show", "code_review", "--json", "--dir", "skills"]);
    assert!(!shown.out.contains("bak"), "{}", shown.out);
}

// SPEC 3.8: the category comes from the command line, `metadata`, the frontmatter, or is `general`
#[test]
fn the_category_comes_from_the_nearest_source() {
    let skill = |lines: &str| format!("---\nname: x\ndescription: Does x.\n{lines}---\nDo x.\n");
    for (lines, arguments, category) in [
        ("category: a\nmetadata:\n  category: b\n", &["--category", "c"][..], "c"),
        ("category: a\nmetadata:\n  category: b\n", &[], "b"),
        ("category: a\nmetadata:\n  other: b\n", &[], "a"),
        ("category: a\nmetadata: '{\"category\": \"b\"}'\n", &[], "b"),
        ("", &[], "general"),
    ] {
        let place = Place::new(&[("x/SKILL.md", &skill(lines))]);
        let run = place.run(&[&["migrate", "x"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let manifest = fs::read(place.top.join("x/skill.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        assert_eq!(manifest["category"], category, "{lines}");
    }
    assert_eq!(Place::new(&[]).run(&["migrate", "x", "--category", ""]).code, 2);
}

// SPEC 3.8: refusals with their reason; SPEC 12.2: all skills are checked before any is changed, and one
// refusal stops all; parts that a function cannot have are named
#[test]
fn unsuitable_skills_are_refused_and_nothing_is_written() {
    let skill = |name: &str, rest: &str| format!("---\nname: {name}\ndescription: Does things.\n{rest}");
    let place = Place::new(&[
        ("s/good/SKILL.md", &skill("good", "---\nDo it.\n")),
        ("s/run/SKILL.md", &skill("run", "exec: run.sh\n---\nRun.\n")),
        ("s/run/run.sh", "#!/bin/sh\n"),
        ("s/more/SKILL.md", &skill("more", "---\nSee notes.\n")),
        ("s/more/notes.txt", "x"),
        ("s/empty/SKILL.md", &skill("empty", "---\n\n")),
        ("s/3d/SKILL.md", &skill("3d", "---\nDraw.\n")),
        ("s/open/SKILL.md", "---\nname: open\n"),
        (
            "s/typed/skill.json",
            "{\"name\": \"typed\", \"description\": \"d\", \"category\": \"c\", \"input\": true, \"output\": true, \"mode\": \"code\"}",
        ),
    ]);
    let arguments = ["migrate", "s/good", "s/run", "s/more", "s/empty", "s/3d", "s/open", "s/typed", "s"];
    let before = place.run(&["list", "s"]);
    let run = place.run(&arguments);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    for line in [
        "error: s/run: it has an exec, run.sh: ",
        "error: s/more: it has resources, which a prompt cannot read: notes.txt",
        "error: s/empty: its body is empty",
        "error: s/3d: the name of a function begins with a letter, and `3d` does not",
        "error: s/open: it has errors",
        "error: s/typed: it is already a function",
        "error: nothing was migrated: 7 of 8 skills are refused",
    ] {
        assert!(run.err.lines().any(|printed| printed.starts_with(line)), "{line}\n{}", run.err);
    }
    assert_eq!(files(&place, "s/good"), ["SKILL.md"]);
    assert_eq!(place.run(&["list", "s"]), before);

    let rich = Place::new(&[("a/SKILL.md", &skill("a", "license: MIT\ntrigger: a|b\n---\nDo it.\n"))]);
    let run = rich.run(&["migrate", "a", "./a"]);
    assert_eq!((run.code, run.out.lines().count()), (0, 3), "{}", run.err);
    assert_eq!(run.err, "note: a: only in .SKILL.md.bak from now on: license, trigger\n");
    assert_eq!(rich.run(&["migrate"]).code, 2);
}

// SPEC 3.8, 12.2: if a file cannot be written or a name is taken, every skill is unchanged
#[test]
fn a_full_disk_leaves_all_skills_as_they_were() {
    let place = Place::new(&[("a/SKILL.md", REVIEW), ("b/SKILL.md", REVIEW)]);
    let mut shell = std::process::Command::new("sh");
    // No file may have a byte, and the signal that says so is ignored.
    let limited = format!("trap '' XFSZ; ulimit -f 0; exec {} migrate a b", env!("CARGO_BIN_EXE_skills"));
    let run = Run::of(shell.args(["-c", &limited]).current_dir(&place.top));
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    assert!(run.err.contains("cannot be written"), "{}", run.err);
    assert_eq!((files(&place, "a"), files(&place, "b")), (vec!["SKILL.md".into()], vec!["SKILL.md".into()]));

    // An empty directory is not a resource.
    fs::create_dir(place.top.join("b/.SKILL.md.bak")).unwrap();
    let run = place.run(&["migrate", "a", "b"]);
    assert!(run.err.starts_with("error: b: .SKILL.md.bak is there already\n"), "{}", run.err);
    assert_eq!((run.code, files(&place, "a")), (1, vec!["SKILL.md".to_owned()]));
}

/// Returns the text behind the frontmatter, without leading blank lines.
fn body(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    let mut end = text.find('\n').unwrap() + 1;
    for line in text[end..].split_inclusive('\n') {
        end += line.len();
        if line.trim_end() == "---" {
            break;
        }
    }
    let mut body = &text[end..];
    while let Some((line, rest)) = body.split_once('\n') {
        if !line.trim().is_empty() {
            break;
        }
        body = rest;
    }
    body
}

fn documents(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            documents(&path, found);
        } else if path.ends_with("SKILL.md") {
            found.push(path);
        }
    }
}

// SPEC 3.8, 5.8: the prompt renders to the body, byte for byte, on published skills
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_published_skills_keep_their_text() {
    let corpus = test_bed::field("corpus");
    let mut found = Vec::new();
    documents(&corpus, &mut found);
    let mut migrated = 0;
    for document in &found {
        let text = fs::read_to_string(document).unwrap();
        let name = document.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let path = format!("{name}/SKILL.md");
        let place = Place::new(&[(&path, &text)]);
        let run = place.run(&["migrate", name]);
        if run.code == 0 {
            migrated += 1;
            let prompt = fs::read_to_string(place.top.join(name).join("prompt.md")).unwrap();
            assert_eq!(rendered(&prompt), body(&text), "{}", document.display());
            let check = place.run(&["check", name]);
            assert_eq!(check.code, 0, "{}", check.out);
        } else {
            assert!(run.err.contains("error: "), "{}", document.display());
            assert_eq!(files(&place, name), ["SKILL.md"], "{}", document.display());
            eprintln!("refused: {}\n{}", document.display(), run.err);
        }
    }
    eprintln!("{migrated} of {} documents migrated", found.len());
    assert!(migrated * 10 >= found.len() * 9, "{migrated} of {}", found.len());
}

// SPEC 3.8: a link may be exchanged during the migration
#[test]
fn a_link_is_not_migrated() {
    let place = Place::new(&[("skills/it/SKILL.md", "---\nname: it\ndescription: Reads it.\n---\nBody.\n")]);
    std::os::unix::fs::symlink("it", place.top.join("skills/alias")).unwrap();
    let run = place.run(&["migrate", "skills/alias"]);
    assert!(run.code == 1 && run.err.contains("name the directory itself"), "{run:?}");
    assert_eq!(files(&place, "skills/it"), ["SKILL.md"]);
}
