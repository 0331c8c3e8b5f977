//! Several directories of skills, and the default directories of agents.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;

use crate::command::{Place, Run};

/// Returns a skill with further lines in its frontmatter.
fn skill(name: &str, description: &str, lines: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n{lines}---\n# {name}\n")
}

/// Runs the command in the directory `work`, for the user whose home is the directory `home`.
fn run_at_work(place: &Place, arguments: &[&str]) -> Run {
    let mut command = place.command(arguments);
    Run::of(command.current_dir(place.top.join("work")).env("HOME", place.path("home")))
}

fn names(json: &str) -> Vec<(String, String)> {
    let records: serde_json::Value = serde_json::from_str(json).unwrap();
    let text = |record: &serde_json::Value, key: &str| record[key].as_str().unwrap_or("-").to_owned();
    let records = records.as_array().unwrap();
    records.iter().map(|record| (text(record, "name"), text(record, "description"))).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

// SPEC 1.6, 11.1: `--dir` from low to high; hidden skills are reported, and listed by `--all`
#[test]
fn later_directories_hide_earlier_ones() {
    let place = Place::new(&[
        ("low/run/SKILL.md", &skill("run", "Low.", "exec: run.sh\n")),
        ("low/run/run.sh", "#!/bin/sh\necho low\n"),
        ("low/only/SKILL.md", &skill("only", "Only low.", "")),
        ("high/run/SKILL.md", &skill("run", "High.", "exec: run.sh\n")),
        ("high/run/run.sh", "#!/bin/sh\necho high\n"),
    ]);
    let both = ["low", "high"];
    let with = |command: &[&'static str]| match command {
        ["list" | "prompt", ..] => place.run(&[command, &both].concat()),
        _ => place.run(&[command, &["--dir", "low", "--dir", "high"]].concat()),
    };
    let list = with(&["list", "--json"]);
    assert_eq!(names(&list.out), pairs(&[("only", "Only low."), ("run", "High.")]));
    assert_eq!(list.err.lines().count(), 1, "{}", list.err);
    assert!(list.err.starts_with("note: ") && list.err.contains("shadowed by"), "{}", list.err);

    let all = with(&["list", "--json", "--all"]);
    assert_eq!(names(&all.out), pairs(&[("only", "Only low."), ("run", "High."), ("run", "Low.")]));
    let records: serde_json::Value = serde_json::from_str(&all.out).unwrap();
    assert_eq!(records[2]["shadowed_by"], place.path("high/run"));
    assert_eq!(records[1].get("shadowed_by"), None);
    assert!(with(&["list", "--all"]).out.contains(&format!("[hidden by {}] Low.", place.path("high/run"))));

    for (command, text) in
        [(&["exec", "run"][..], "high\\n"), (&["show", "run"], "High."), (&["prompt"], "High.")]
    {
        let run = with(command);
        assert!(run.code == 0 && run.out.contains(text), "{command:?}: {}{}", run.out, run.err);
        assert!(!run.out.contains("Low."), "{}", run.out);
    }
    let turned = place.run(&["list", "--json", "high", "low"]);
    assert_eq!(names(&turned.out)[1].1, "Low.", "the argument is the highest");
}

// SPEC 1.6: without `--dir` the directories of agents; those of the workspace have precedence over those of the user
#[test]
fn the_directories_of_agents_are_read_by_default() {
    let place = Place::new(&[
        ("home/.agents/skills/a/SKILL.md", &skill("a", "1", "")),
        ("home/.claude/skills/a/SKILL.md", &skill("a", "2", "")),
        ("home/.claude/skills/b/SKILL.md", &skill("b", "2", "")),
        ("work/.claude/skills/b/SKILL.md", &skill("b", "3", "")),
        ("work/.claude/skills/c/SKILL.md", &skill("c", "3", "")),
        ("work/.agents/skills/c/SKILL.md", &skill("c", "4", "")),
    ]);
    let run = |arguments: &[&str]| run_at_work(&place, arguments);
    // An untrusted skill hides nothing (SPEC 14.13), and is marked.
    let list = run(&["list", "--json"]);
    assert_eq!(names(&list.out), pairs(&[("a", "2"), ("b", "2"), ("c", "4")]));
    assert!(run(&["list"]).out.contains("[untrusted] 4"));
    let some = run(&["install", "--to", "some", "--as", "mine"]);
    assert!(
        some.code == 0 && some.err.contains("note: `c` of .agents/skills is not trusted"),
        "{}",
        some.err
    );
    assert!(!place.top.join("work/some/skills/c").exists());
    assert_eq!(run(&["trust", "."]).code, 0);
    let list = run(&["list", "--json"]);
    assert_eq!(names(&list.out), pairs(&[("a", "2"), ("b", "3"), ("c", "4")]));
    assert_eq!(names(&run(&["list", "--json", "--all"]).out).len(), 6);
    assert!(run(&["show", "a"]).out.contains(&place.path("home/.claude/skills/a")));

    let unnamed = run(&["install", "--to", "t"]);
    assert_eq!((unnamed.code, unnamed.out.as_str()), (2, ""));
    assert!(unnamed.err.contains("pass the directory of the skills with `--dir`"), "{}", unnamed.err);
    let installed = run(&["install", "--to", "t", "--as", "mine"]);
    assert_eq!(installed.code, 0, "{}", installed.err);
    for (name, text) in [("a", "2"), ("b", "3"), ("c", "4")] {
        let written = fs::read_to_string(place.top.join(format!("work/t/skills/{name}/SKILL.md"))).unwrap();
        assert!(written.contains(&format!("description: {text}\n")), "{written}");
    }
}

// SPEC 9.8, 14.8, 14.9: without a directory, `./skills` is the highest; the skills of the home are the user's own, and
// no other skill is trusted
#[test]
fn a_command_without_a_directory_reads_all_of_them() {
    let places = [
        "home/.config/agents/skills",
        "home/.agents/skills",
        "home/.claude/skills",
        "work/.github/skills",
        "work/.claude/skills",
        "work/.agents/skills",
        "work/skills",
    ];
    let place = Place::new(&[]);
    for (at, directory) in places.iter().enumerate() {
        place.write(format!("{directory}/own-{at}/SKILL.md"), &skill(&format!("own-{at}"), "One.", ""));
        place.write(format!("{directory}/same/SKILL.md"), &skill("same", &at.to_string(), ""));
    }
    let list = run_at_work(&place, &["list"]).out;
    for (at, directory) in places.iter().enumerate() {
        let line = list.lines().find(|line| line.starts_with(&format!("own-{at} "))).unwrap();
        assert_eq!(line.contains("[untrusted]"), directory.starts_with("work/"), "{line}");
    }
    // An untrusted skill hides nothing (SPEC 14.13).
    for highest in ["2", "6"] {
        let listed = run_at_work(&place, &["list", "--json"]).out;
        assert!(names(&listed).contains(&("same".to_owned(), highest.to_owned())), "{highest}: {listed}");
        assert_eq!(run_at_work(&place, &["trust", "."]).code, 0);
    }
}

// SPEC 9.1, 1.5: directories are installed together, names that differ only in `-` and `_` hide each other, and an
// error stops all
#[test]
fn several_directories_are_installed_as_one() {
    let place = Place::new(&[
        ("low/a-b/SKILL.md", &skill("a-b", "Low.", "")),
        ("low/only/SKILL.md", &skill("only", "Low.", "")),
        ("high/a_b/SKILL.md", &skill("a_b", "High.", "")),
        ("broken/x/SKILL.md", "---\nname: x\n"),
    ]);
    let run = |more: &[&'static str]| {
        let arguments = ["install", "--dir", "low", "--dir", "high", "--as", "mine", "--to", "t"];
        place.run(&[&arguments, more].concat())
    };
    assert_eq!(run(&["--dir", "broken"]).code, 1);
    assert!(!place.top.join("t").exists());
    let done = run(&[]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(done.err, "note: `a-b` of low is hidden by a skill of a later directory\n");
    let entries = fs::read_dir(place.top.join("t/skills")).unwrap();
    let mut found: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.retain(|name| !name.starts_with('.'));
    found.sort();
    assert_eq!(found, ["a_b", "only"]);
    let status = place.run(&["status", "--dir", "low", "--dir", "high", "--as", "mine", "--to", "t"]);
    assert_eq!(status.out.lines().filter(|line| line.starts_with("current ")).count(), 2, "{}", status.out);
}

// SPEC 2.7: `--lenient` takes a line of the text for a missing description
#[test]
fn lenient_loading_falls_back() {
    let place = Place::new(&[("s/mute/SKILL.md", "---\nname: mute\n---\n# Mute\n\nSays nothing.\n")]);
    assert_eq!(place.run(&["list", "s", "--json"]).out, "[]\n");
    let run = place.run(&["list", "s", "--json", "--lenient"]);
    assert_eq!(names(&run.out), pairs(&[("mute", "Says nothing.")]));
}
