//! Tests that skills of a workspace do nothing until the user trusts them, through every interface.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test without its files must fail")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use skills_call::{CallError, CallOptions, Runner};
use skills_exec::{ExecOptions, NotRun};
use skills_load::trust::{Trust, TrustStatus, TrustStore, TrustStoreError};
use skills_load::{Layers, LayersBuilder, Live};
use skills_runtime::{ToolFormat, Triggers};

use crate::support::Scratch;

const TOOL: &str = "---\nname: dig\ndescription: Digs. Use to dig.\nexec: run.sh\nschema: in.json\ntrigger: dig\nmcp:\n  \
                    digger: {command: digger}\n---\nDig.\n";
const RUN: &str = "#!/bin/sh\necho '\"ran\"'\n";

/// A home, and a repository with a skill in `.claude/skills`.
struct Fixture {
    top: Scratch,
}

impl Fixture {
    fn new() -> Self {
        let fixture = Self { top: Scratch::new() };
        fixture.skill("repo/.claude/skills/dig", "dig");
        fixture
    }

    fn skill(&self, at: &str, name: &str) {
        self.write(&format!("{at}/SKILL.md"), &TOOL.replace("name: dig", &format!("name: {name}")));
        self.write(&format!("{at}/run.sh"), RUN);
        self.write(&format!("{at}/in.json"), r#"{"type":"object"}"#);
    }

    fn write(&self, path: &str, text: &str) {
        self.top.file(path, text, if text.starts_with("#!") { 0o755 } else { 0o644 });
    }

    fn at(&self, path: &str) -> PathBuf {
        self.top.path().join(path)
    }

    fn store(&self) -> TrustStore {
        TrustStore::read(self.at("config/skills/trust.json"))
    }

    fn load(&self, workspace: &str) -> Layers {
        self.builder(workspace).load().unwrap()
    }

    fn builder(&self, workspace: &str) -> LayersBuilder {
        let store = self.at("config/skills/trust.json");
        LayersBuilder::new().agent(Some(&self.at("home")), &self.at(workspace)).trust_file(store)
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Asks every way to make a skill do something; the answer is the same for all.
fn does_something(layers: Layers, name: &str) -> bool {
    let servers = Triggers::new().all_servers(layers.iter()).len();
    let triggered = Triggers::new().servers(layers.iter(), "dig a hole").len();
    let prompt = layers.prompt().contains(name);
    let tools = layers.all_tools(ToolFormat::Mcp).contains(name);
    let found = layers.get(name).is_some() && layers.find(name).is_ok() && layers.locate(name).is_some();
    assert_eq!(layers.len(), usize::from(found));
    let runner = Runner::from(layers);
    let shown = runner.prompt().contains(name) || runner.tools(ToolFormat::Anthropic).contains(name);
    let (exec, call) = runtime().block_on(async {
        let exec = runner.exec(name, "{}", ExecOptions::default()).await;
        (exec, runner.call_json(name, serde_json::json!({})).await)
    });
    let asked = format!(r#"{{"name":"{name}"}}"#);
    let read = runtime().block_on(runner.dispatch("load_skill", &asked, &CallOptions::default()));
    let all = [
        servers > 0,
        triggered > 0,
        prompt,
        tools,
        found,
        shown,
        exec.is_ok(),
        call.is_ok(),
        runner.is_callable(name),
        runner.is_tool(name),
        read.text.contains("Dig."),
    ];
    if let (Err(exec), Err(call)) = (&exec, &call) {
        assert!(matches!(exec, NotRun::NotTrusted(_)), "{exec}");
        assert!(matches!(call, CallError::NotTrusted(_)), "{call}");
        assert!(call.to_string().contains("`skills trust "), "{call}");
        assert!(runner.backend(name).unwrap_err().to_string().contains("not trusted"));
    }
    assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    all[0]
}

// SPEC 14.9, 14.10, 14.14
#[test]
fn a_workspace_does_nothing_until_it_is_trusted() {
    let fixture = Fixture::new();
    let layers = fixture.load("repo");
    let found = layers.all().next().unwrap();
    assert_eq!((found.skill.name(), found.trust), ("dig", Trust::Untrusted));
    let problem = layers.problems().iter().find(|problem| problem.code == "skill-untrusted").unwrap();
    assert!(problem.title.contains("`skills trust "), "{problem}");
    assert!(!does_something(layers, "dig"));

    let trusted = fixture.store().trust(&fixture.at("repo")).unwrap();
    assert_eq!(trusted, [fixture.at("repo/.claude/skills")]);
    let layers = fixture.load("repo");
    assert_eq!(layers.all().next().unwrap().trust, Trust::Approved);
    assert!(does_something(layers, "dig"));
    // Only the user can read the file.
    let file = fixture.at("config/skills/trust.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(file.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);

    assert_eq!(fixture.store().revoke(&fixture.at("repo")).unwrap(), trusted);
    assert!(!does_something(fixture.load("repo"), "dig"));
    assert!(matches!(fixture.store().revoke(&fixture.at("repo")), Err(TrustStoreError::NotTrusted(_))));
}

// SPEC 14.8, 14.9: the user's own directories and named ones
#[test]
fn trusted_skills_run() {
    let fixture = Fixture::new();
    fixture.skill("home/.agents/skills/own", "dig");
    fs::remove_dir_all(fixture.at("repo")).unwrap();
    let layers = fixture.load("repo");
    assert_eq!(layers.all().next().unwrap().trust, Trust::User);
    assert!(does_something(layers, "dig"));
    let named = LayersBuilder::new().directory(fixture.at("home/.agents/skills")).load().unwrap();
    assert_eq!(named.all().next().unwrap().trust, Trust::Named);
    assert!(does_something(named, "dig"));
    // The home as the workspace: its skills are the user's own, also by a link.
    assert!(does_something(fixture.load("home"), "dig"));
    fs::create_dir_all(fixture.at("linked/.claude")).unwrap();
    symlink(fixture.at("home/.agents/skills"), fixture.at("linked/.claude/skills")).unwrap();
    assert!(does_something(fixture.load("linked"), "dig"));
}

// SPEC 14.12
#[test]
fn changed_files_need_new_trust() {
    let fixture = Fixture::new();
    let skill = "repo/.claude/skills/dig";
    fixture.store().trust(&fixture.at("repo")).unwrap();
    for (path, text, expected) in [
        (format!("{skill}/run.sh"), "#!/bin/sh\necho '\"other\"'\n", "changed: dig/run.sh"),
        (format!("{skill}/.hidden/lib.sh"), "", "added: dig/.hidden/lib.sh"),
        (format!("{skill}/__pycache__/json.pyc"), "", "added: dig/__pycache__/json.pyc"),
        ("repo/.claude/skills/shared.sh".to_owned(), "", "added: shared.sh"),
    ] {
        fixture.write(&path, text);
        let layers = fixture.load("repo");
        let problem = layers.problems().iter().find(|problem| problem.code == "skill-untrusted").unwrap();
        assert!(problem.title.contains(expected), "{problem}");
        let untrusted = layers.untrusted("dig").unwrap();
        assert!(untrusted.to_string().contains("has changed since it was trusted"), "{untrusted}");
        assert!(!does_something(layers, "dig"), "{expected}");
        if path.ends_with("run.sh") {
            fixture.write(&path, RUN)
        } else {
            fs::remove_file(fixture.at(&path)).unwrap()
        }
        assert!(does_something(fixture.load("repo"), "dig"), "{expected}");
    }
    // A new link is a change, too.
    symlink("run.sh", fixture.at("repo/.claude/skills/dig/link")).unwrap();
    assert!(!does_something(fixture.load("repo"), "dig"));
    fixture.store().trust(&fixture.at("repo")).unwrap();
    assert!(does_something(fixture.load("repo"), "dig"));
    fs::remove_file(fixture.at("repo/.claude/skills/dig/link")).unwrap();
    symlink("in.json", fixture.at("repo/.claude/skills/dig/link")).unwrap();
    assert!(!does_something(fixture.load("repo"), "dig"));
}

// SPEC 14.12: a link that leads out of the directory counts with its target
#[test]
fn the_target_of_a_link_is_trusted_with_it() {
    let fixture = Fixture::new();
    fixture.write("repo/lib.sh", "one");
    fixture.write("repo/libs/deep/x", "one");
    fixture.write("repo/other/y", "one");
    let skill = fixture.at("repo/.claude/skills/dig");
    symlink("../../../lib.sh", skill.join("lib.sh")).unwrap();
    symlink("../../../libs", skill.join("libs")).unwrap();
    symlink("../../other", fixture.at("repo/libs/deep/more")).unwrap();
    symlink(".", fixture.at("repo/libs/self")).unwrap();
    symlink("../../../later", skill.join("later")).unwrap();
    fixture.store().trust(&fixture.at("repo")).unwrap();
    let status = || fixture.store().entries().next().unwrap().status().to_string();
    assert_eq!(status(), "as it was trusted");
    for (path, expected) in [
        ("repo/lib.sh", "changed: dig/lib.sh"),
        ("repo/libs/deep/x", "changed: dig/libs/deep/x"),
        ("repo/libs/new", "added: dig/libs/new"),
        ("repo/other/y", "changed: dig/libs/deep/more/y"),
        ("repo/later", "changed: dig/later"),
    ] {
        let before = fs::read_to_string(fixture.at(path)).ok();
        fixture.write(path, "two");
        assert_eq!(status(), expected);
        match before {
            Some(before) => fixture.write(path, &before),
            None => fs::remove_file(fixture.at(path)).unwrap(),
        }
        assert_eq!(status(), "as it was trusted", "{path}");
    }
    // What leads to no file cannot be compared.
    assert!(std::process::Command::new("mkfifo").arg(fixture.at("repo/later")).status().unwrap().success());
    assert_eq!(status(), "`dig/later` is neither a file nor a directory");
    let refused = fixture.store().trust(&fixture.at("repo")).unwrap_err();
    assert!(matches!(refused, TrustStoreError::Unfit(..)), "{refused}");
}

// SPEC 14.12: a skill whose files changed after they were read is not run
#[test]
fn trust_is_checked_again_before_a_program_runs() {
    let fixture = Fixture::new();
    fixture.store().trust(&fixture.at("repo")).unwrap();
    let runner = Runner::from(fixture.load("repo"));
    let run = || runtime().block_on(runner.exec("dig", "{}", ExecOptions::default()));
    assert_eq!(run().unwrap().stdout, "\"ran\"\n");
    fixture.write("repo/.claude/skills/dig/run.sh", "#!/bin/sh\ntouch ran\n");
    assert!(matches!(run(), Err(NotRun::NotTrusted(_))));
    let called = runtime().block_on(runner.call_json("dig", serde_json::json!({}))).unwrap_err();
    assert_eq!(called.kind().as_str(), "not_trusted", "{called}");
    assert!(!called.is_retryable());
}

// SPEC 14.10, 14.12: a directory that was replaced with a link is reported with the command to type
#[test]
fn a_link_in_place_of_a_trusted_directory_is_reported() {
    for linked in ["repo/.claude/skills/dig", "repo/.claude/skills", "repo/.claude"] {
        let fixture = Fixture::new();
        fixture.store().trust(&fixture.at("repo")).unwrap();
        let runner = Runner::from(fixture.load("repo"));
        fs::rename(fixture.at(linked), fixture.at("away")).unwrap();
        symlink(fixture.at("away"), fixture.at(linked)).unwrap();
        // The same files in another place are refused, whether the program read them before the move or reads them now.
        let late = runtime().block_on(runner.exec("dig", "{}", ExecOptions::default())).unwrap_err();
        let now = Runner::from(fixture.load("repo"));
        let now = runtime().block_on(now.exec("dig", "{}", ExecOptions::default())).unwrap_err();
        for error in [late, now] {
            assert!(matches!(error, NotRun::NotTrusted(_)), "{linked}: {error}");
            let message = error.to_string();
            let hint = format!("then run `skills trust {}`", fixture.at("repo/.claude/skills").display());
            assert!(
                message.contains("has changed since it was trusted") && message.contains(&hint),
                "{linked}: {message}"
            );
        }
        let problems: Vec<String> = fixture.load("repo").problems().iter().map(ToString::to_string).collect();
        assert!(problems.iter().any(|problem| problem.contains("`skills trust ")), "{linked}: {problems:?}");
        let same = fixture.store().entries().all(|entry| matches!(entry.status(), TrustStatus::Same));
        assert!(!same, "{linked}");
    }
}

// SPEC 14.12: Python writes no compiled files beside the sources of a skill
#[test]
#[ignore = "needs python3"]
fn a_python_program_does_not_change_its_skill() {
    test_bed::need("python3");
    let fixture = Fixture::new();
    fixture.write("repo/.claude/skills/dig/run.sh", "#!/usr/bin/env python3\nimport lib\nprint('\"ran\"')\n");
    fixture.write("repo/.claude/skills/dig/lib.py", "");
    fixture.store().trust(&fixture.at("repo")).unwrap();
    assert!(does_something(fixture.load("repo"), "dig"));
    assert!(does_something(fixture.load("repo"), "dig"));
}

// SPEC 14.13
#[test]
fn untrusted_skills_hide_nothing() {
    let fixture = Fixture::new();
    fixture.skill("home/.agents/skills/dig", "dig");
    let place = |layers: &Layers| layers.locate("dig").unwrap().origin.path().cloned().unwrap();
    let layers = fixture.load("repo");
    assert_eq!(place(&layers), fixture.at("home/.agents/skills"));
    let pair = layers.shadowed().next().unwrap();
    assert_eq!((pair.lost.trust, pair.won.trust), (Trust::Untrusted, Trust::User));
    fixture.store().trust(&fixture.at("repo")).unwrap();
    assert_eq!(place(&fixture.load("repo")), fixture.at("repo/.claude/skills"));
}

// SPEC 14.10, 14.13: what is said about a skill is not what is true of the skill that hides it
#[test]
fn a_hidden_skill_has_its_own_trust_and_directory() {
    let fixture = Fixture::new();
    fixture.skill("home/.agents/skills/dig", "dig");
    let layers = fixture.load("repo");
    let pair = layers.shadowed().next().unwrap();
    let (lost, won) = (pair.lost.skill, pair.won.skill);
    assert_eq!([layers.trust(lost), layers.trust(won)], [Trust::Untrusted, Trust::User]);
    assert_eq!(layers.directory(lost), Some(fixture.at("repo/.claude/skills/dig")));
    assert_eq!(layers.directory(won), Some(fixture.at("home/.agents/skills/dig")));
    assert_eq!(layers.check_trust(won), Ok(()));
    let refused = layers.check_trust(lost).unwrap_err();
    assert_eq!(refused.directory, fixture.at("repo/.claude/skills/dig"));
}

// SPEC 14.10: a program does not run if nothing is known about its skill
#[test]
fn a_skill_is_refused_right_before_it_runs() {
    let fixture = Fixture::new();
    let layers = fixture.load("repo");
    let skill = layers.all().next().unwrap().skill;
    let refused = layers.check_trust(skill).unwrap_err();
    assert_eq!(refused.directory, fixture.at("repo/.claude/skills/dig"));
    // Other layers do not have this skill, even if they have one of its name.
    fixture.store().trust(&fixture.at("repo")).unwrap();
    let later = fixture.load("repo");
    assert_eq!(later.check_trust(later.get("dig").unwrap()), Ok(()));
    assert_eq!(later.trust(skill), Trust::Untrusted);
    assert!(later.check_trust(skill).is_err() && !later.is_checked(skill));
}

// SPEC 14.11: trust is bound to a path
#[test]
fn places_are_real_paths() {
    let fixture = Fixture::new();
    fixture.store().trust(&fixture.at("repo/.claude/skills/dig")).unwrap();
    assert!(does_something(fixture.load("repo"), "dig"));
    // Through a link to the workspace, the real path is the same.
    symlink(fixture.at("repo"), fixture.at("link")).unwrap();
    assert!(does_something(fixture.load("link"), "dig"));
    // After a move, the real path is another.
    fs::rename(fixture.at("repo"), fixture.at("moved")).unwrap();
    assert!(!does_something(fixture.load("moved"), "dig"));
    assert!(!does_something(fixture.load("moved"), "dig"));
    let store = fixture.store();
    assert!(matches!(store.entries().next().unwrap().status(), TrustStatus::Unknown(_)));
    // A link to other files in its place is not trusted.
    fixture.skill("evil/dig", "dig");
    fixture.write("evil/dig/run.sh", "#!/bin/sh\necho '\"evil\"'\n");
    fs::create_dir_all(fixture.at("repo/.claude")).unwrap();
    symlink(fixture.at("evil"), fixture.at("repo/.claude/skills")).unwrap();
    assert!(!does_something(fixture.load("repo"), "dig"));
    // The trust in a missing directory can be revoked.
    assert_eq!(fixture.store().revoke(&fixture.at("repo/.claude/skills/dig")).unwrap().len(), 1);
    for (directory, expected) in [("home", "No such file"), ("evil/dig/run.sh", "no skills")] {
        let refused = fixture.store().trust(&fixture.at(directory)).unwrap_err();
        assert!(refused.to_string().contains(expected), "{refused}");
    }
}

// SPEC 14.11: a damaged trust file trusts nothing, and is not overwritten
#[test]
fn a_damaged_file_trusts_nothing() {
    let fixture = Fixture::new();
    let file = fixture.at("config/skills/trust.json");
    fixture.store().trust(&fixture.at("repo")).unwrap();
    let good = fs::read_to_string(&file).unwrap();
    let digest = good.find("\"digest\": \"").unwrap() + 12;
    let mut other = good.clone();
    other.replace_range(digest..=digest, if &good[digest..=digest] == "0" { "1" } else { "0" });
    for damaged in [&good[..good.len() / 2], "", "[]", "{}", r#"{"version":2,"trusted":[]}"#, &other] {
        fs::write(&file, damaged).unwrap();
        let layers = fixture.load("repo");
        assert!(layers.problems().iter().any(|problem| problem.code == "trust-unreadable"), "{damaged}");
        assert!(!does_something(layers, "dig"), "{damaged}");
        assert!(
            matches!(fixture.store().trust(&fixture.at("repo")), Err(TrustStoreError::Damaged(..))),
            "{damaged}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), damaged);
    }
    // A trust file that others can write is ignored, too.
    fs::write(&file, &good).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(!does_something(fixture.load("repo"), "dig"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(does_something(fixture.load("repo"), "dig"));
    // If the trust file cannot be written, nothing is trusted, and an error is reported.
    fs::remove_dir_all(fixture.at("config")).unwrap();
    fs::write(fixture.at("config"), "a file").unwrap();
    assert!(matches!(fixture.store().trust(&fixture.at("repo")), Err(TrustStoreError::Unwritten(..))));
    assert!(!does_something(fixture.load("repo"), "dig"));
}

// SPEC 14.15
#[test]
fn a_program_can_decide_about_trust() {
    let fixture = Fixture::new();
    fixture.skill("repo/.agents/skills/more", "more");
    let root = fixture.at("repo/.claude/skills");
    let layers = fixture
        .builder("repo")
        .trust(move |place| {
            assert!(place.directory.starts_with(place.root) && place.directory.ends_with(place.name));
            place.root == root
        })
        .load()
        .unwrap();
    let trust: Vec<(&str, Trust)> = layers.all().map(|found| (found.skill.name(), found.trust)).collect();
    assert_eq!(trust, [("dig", Trust::Approved), ("more", Trust::Untrusted)]);
    let single =
        LayersBuilder::new().workspace_directory(fixture.at("repo/.agents/skills")).trust(|_| true).load();
    assert!(does_something(single.unwrap(), "more"));
}

// SPEC 14.12: a reload reads the trust file again
#[test]
fn a_reload_checks_trust_again() {
    let fixture = Fixture::new();
    let live = Live::new(fixture.builder("repo")).unwrap();
    assert!(live.layers().get("dig").is_none());
    fixture.store().trust(&fixture.at("repo")).unwrap();
    assert_eq!(live.reload().unwrap().changed, ["dig"]);
    assert!(live.layers().get("dig").is_some());
    fixture.write("repo/.claude/skills/dig/run.sh", "#!/bin/sh\n");
    assert_eq!(live.reload().unwrap().changed, ["dig"]);
    assert!(live.layers().get("dig").is_none());
    let _: &Path = live.layers().untrusted("dig").unwrap().place.as_path();
}

// SPEC 14.18: of two decisions at the same time none is lost, whichever process reads first
#[test]
fn no_simultaneous_trust_decision_is_lost() {
    let fixture = Fixture::new();
    let count = 8;
    for at in 0..count {
        fixture.skill(&format!("r{at}/.claude/skills/dig"), "dig");
    }
    for _ in 0..test_bed::rounds(5) {
        let stores: Vec<TrustStore> = (0..count).map(|_| fixture.store()).collect();
        std::thread::scope(|scope| {
            for (at, mut store) in stores.into_iter().enumerate() {
                let fixture = &fixture;
                scope.spawn(move || store.trust(&fixture.at(&format!("r{at}"))).unwrap());
            }
        });
        assert_eq!(fixture.store().entries().count(), count);
        // Each store was read while the file had all entries.
        let stores: Vec<TrustStore> = (0..count).map(|_| fixture.store()).collect();
        std::thread::scope(|scope| {
            for (at, mut store) in stores.into_iter().enumerate() {
                let fixture = &fixture;
                scope.spawn(move || store.revoke(&fixture.at(&format!("r{at}"))).unwrap());
            }
        });
        assert_eq!(fixture.store().entries().count(), 0);
    }
    // Files of a killed process do not block others.
    fs::write(fixture.at("config/skills/.trust.json.new"), "half").unwrap();
    fixture.store().trust(&fixture.at("r0")).unwrap();
    assert_eq!(fixture.store().entries().count(), 1);
    let mut names: Vec<_> =
        fs::read_dir(fixture.at("config/skills")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".trust.json.lock", "trust.json"]);
}

// SPEC 14.18: a trust file that another user can write is ignored
#[test]
fn a_trust_file_of_other_users_is_ignored() {
    let fixture = Fixture::new();
    fixture.store().trust(&fixture.at("repo")).unwrap();
    let directory = fixture.at("config/skills");
    let mode = |mode| fs::set_permissions(&directory, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o777);
    assert_eq!(fixture.store().damage(), Some("others may write to its directory"));
    assert!(matches!(fixture.store().trust(&fixture.at("repo")), Err(TrustStoreError::Damaged(..))));
    mode(0o1777);
    assert_eq!(fixture.store().entries().count(), 1);
    mode(0o700);
    assert_eq!(fixture.store().entries().count(), 1);
    // A lock that leads elsewhere is not followed.
    fs::remove_file(directory.join(".trust.json.lock")).unwrap();
    symlink(fixture.at("elsewhere"), directory.join(".trust.json.lock")).unwrap();
    assert!(matches!(fixture.store().trust(&fixture.at("repo")), Err(TrustStoreError::Unwritten(..))));
    assert!(!fixture.at("elsewhere").exists());
}
