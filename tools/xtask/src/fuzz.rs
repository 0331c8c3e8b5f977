//! Feeds mutated inputs to every parser and to whole directories: none may panic, or report a position
//! outside its file.
//!
//! The seeds are the examples of the rule table and the bundled skills. The generator is deterministic, so
//! the same command reproduces a failure. Inputs that cause a panic are written to `fuzz` in the target
//! directory.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use skills_core::levels::Profile;
use skills_core::options::Options;
use skills_core::print::text;
use skills_core::read::{Content, File, SkillDir, SourceTree};
use skills_core::report::Report;
use skills_core::rule;
use skills_core::span::SourceMap;
use skills_core::{Loaded, check_tree, lower};
use skills_report::{github, json, sarif};

use crate::mutate::Mutator;
use crate::workspace::Workspace;

/// A directory in memory: relative paths and texts.
type Directory = Vec<(String, String)>;

/// Returns `true` if a path should be mutated.
type Wanted = fn(&str) -> bool;

/// The targets: one kind of file, or every file and path of a directory.
const TARGETS: [(&str, Wanted); 5] = [
    ("frontmatter", |path| path.ends_with("SKILL.md")),
    ("json", |path| path.ends_with("skill.json")),
    ("toml", |path| path.ends_with("SKILL.md")),
    ("prompt", |path| path.ends_with("prompt.md")),
    ("directory", |_| true),
];

/// Runs every target for some seconds. Another `stream` gives other inputs.
pub(crate) fn run(seconds: &str, stream: &str) -> Result<(), String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not an integer"));
    let (seconds, stream) = (number(seconds)?, number(stream)?);
    let seeds = seeds();
    let mut total = 0;
    for (at, (name, wanted)) in (1..).zip(TARGETS) {
        let mut mutator = Mutator::new(stream.wrapping_mul(TARGETS.len() as u64).wrapping_add(at));
        let seeds: Vec<&Directory> = seeds
            .iter()
            .filter(|seed| seed.iter().any(|(path, text)| wanted(path) && (name != "toml" || is_toml(text))))
            .collect();
        let count = fuzz(name, &seeds, wanted, Duration::from_secs(seconds), &mut mutator);
        println!("{name}: {count} inputs, no panic");
        total += count;
    }
    println!("{total} inputs in all");
    Ok(())
}

fn fuzz(name: &str, seeds: &[&Directory], wanted: Wanted, time: Duration, mutator: &mut Mutator) -> u64 {
    let texts: Vec<&str> = seeds
        .iter()
        .flat_map(|seed| seed.iter())
        .filter(|(path, _)| wanted(path))
        .map(|(_, text)| text.as_str())
        .collect();
    let begin = Instant::now();
    let mut count = 0;
    while begin.elapsed() < time {
        for _ in 0..256 {
            let mut directory = (*mutator.pick(seeds)).clone();
            for (path, text) in &mut directory {
                if wanted(path) {
                    *text = mutator.mutate(text, &texts);
                }
                if name == "directory" && mutator.below(8) == 0 {
                    *path = mutator.mutate(path, &["a/SKILL.md", "b/skill.json", "技能/prompt.md"]);
                }
            }
            let profile = *mutator.pick(&[Profile::Bundle, Profile::Disk, Profile::Standard]);
            guarded(name, &directory, profile, count);
            count += 1;
        }
    }
    count
}

/// Checks one directory. If it panics, saves the input and continues.
fn guarded(name: &str, directory: &Directory, profile: Profile, count: u64) {
    let outcome = std::panic::catch_unwind(|| examine(directory, profile, count));
    if let Err(panic) = outcome {
        let fuzz = Workspace::target().unwrap_or_else(|_| "target".into()).join("fuzz");
        let path = fuzz.join(name);
        let text: String = directory.iter().map(|(path, text)| format!("=== {path}\n{text}")).collect();
        let saved = std::fs::create_dir_all(&fuzz).and_then(|()| std::fs::write(&path, text));
        eprintln!("the input is in {} ({saved:?})", path.display());
        std::panic::resume_unwind(panic);
    }
}

fn examine(directory: &Directory, profile: Profile, count: u64) {
    let options = Options { profile, ..Options::default() };
    let loaded = check_tree(tree(directory), Report::default(), &options);
    let sources = loaded.catalog.sources();
    for diagnostic in &loaded.report.diagnostics {
        assert!(!diagnostic.help.is_empty(), "`{}` has no help", diagnostic.rule.code);
        let range = sources.range(diagnostic.span);
        let text = &sources.file_of(diagnostic.span).text;
        assert!(text.get(range.clone()).is_some(), "`{}` cuts a character: {range:?}", diagnostic.rule.code);
    }
    let mut names = BTreeSet::new();
    for skill in loaded.catalog.skills() {
        assert!(names.insert(skill.name.replace('-', "_")), "two skills are called `{}`", skill.name);
        assert!(skills_schema::json::parse(&skill.frontmatter).is_ok(), "no JSON: {}", skill.frontmatter);
        assert!(loaded.catalog.body(skill).len() <= 1 << 24);
    }
    // Lowering takes as long as checking, and printing much longer.
    if count.is_multiple_of(16) {
        assert!(lower::tables(&loaded.catalog, 8_000).is_ok(), "the tables cannot be written");
    }
    if count.is_multiple_of(4096) {
        examine_printed(&loaded);
    }
}

fn examine_printed(loaded: &Loaded) {
    let sources = loaded.catalog.sources();
    let printed = text::print(&loaded.report, sources);
    assert!(!printed.contains(['\u{202e}', '\u{1b}']), "a raw control character is printed");
    for line in json::print(&loaded.report, sources).lines() {
        assert!(skills_schema::json::parse(line).is_ok(), "no JSON: {line}");
    }
    assert!(skills_schema::json::parse(&sarif::print(&loaded.report, sources)).is_ok(), "SARIF is not JSON");
    drop(github::print(&loaded.report, sources));
}

/// Creates the tree that `read` would return for the files.
fn tree(directory: &Directory) -> SourceTree {
    let mut files: Vec<(&str, &str, &str)> = directory
        .iter()
        .map(|(path, text)| {
            let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
            (dir, file, text.as_str())
        })
        .collect();
    files.sort_unstable();
    files.dedup_by_key(|(dir, file, _)| (*dir, *file));
    let mut sources = SourceMap::new("skills");
    let mut skills: Vec<SkillDir> = Vec::new();
    for (dir, file, text) in files {
        if skills.last().is_none_or(|skill| skill.path != dir) {
            let name = dir.rsplit('/').next().unwrap_or(dir).to_owned();
            skills.push(SkillDir { path: dir.to_owned(), name, ..SkillDir::default() });
        }
        let at = skills.len() - 1;
        let content = match file {
            "SKILL.md" | "skill.json" | "prompt.md" => {
                Content::Text(sources.add(format!("{dir}/{file}"), text.to_owned(), Some(at)))
            }
            _ => Content::Bytes(text.as_bytes().to_vec()),
        };
        let executable = text.starts_with("#!");
        skills[at].files.push(File {
            path: file.to_owned(),
            content,
            executable,
            mode_executable: executable,
            crlf_shebang: false,
        });
    }
    skills.retain(|skill| skill.file("SKILL.md").is_some() || skill.file("skill.json").is_some());
    SourceTree { sources, skills, ..SourceTree::default() }
}

fn is_toml(text: &str) -> bool {
    text.lines().nth(1).is_some_and(|line| line.contains(" = ")) || text.starts_with("---toml")
}

fn seeds() -> Vec<Directory> {
    let example = |files: rule::Example| -> Directory {
        files
            .iter()
            .map(|(path, text)| (path.split(' ').next().unwrap_or(path).to_owned(), (*text).to_owned()))
            .collect()
    };
    let mut seeds: Vec<Directory> =
        rule::texts().flat_map(|rule| [example(rule.bad), example(rule.good)]).collect();
    let bundled = skills_core::load(Path::new("skills"), "skills", &Options::default());
    for skill in bundled.catalog.skills() {
        let texts = skill.files.iter().filter_map(|file| {
            let text = String::from_utf8(file.bytes(bundled.catalog.sources()).to_vec()).ok()?;
            Some((format!("{}/{}", skill.dir, file.path), text))
        });
        seeds.push(texts.collect());
    }
    seeds
}
