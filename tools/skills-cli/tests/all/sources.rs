//! `skills add`, `update`, `sync` and `remove`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test must fail where it cannot go on")]

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::command::{Place, Run};

const SKILL: &str = "---\nname: pdf\ndescription: Reads PDF files. Use for PDF.\n---\n# PDF\n\nOne.\n";

/// A source of two skills in `shared`, one of which has an error.
fn place() -> Place {
    Place::new(&[
        ("shared/pdf/SKILL.md", SKILL),
        ("shared/pdf/run.sh", "#!/bin/sh\necho one\n"),
        ("shared/bad/SKILL.md", "---\nname: bad\n---\n# Bad\n"),
    ])
}

fn fields(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap()
}

// SPEC 21.1, 21.2: all facts about the skills are shown, and they are added once
#[test]
fn skills_are_added_after_they_were_shown() {
    let place = place();
    let bad = place.run(&["add", "./shared", "--skill", "bad", "--yes"]);
    assert_eq!(bad.code, 1, "{}", bad.err);
    assert!(bad.err.contains("error: `bad` of ./shared is refused:"), "{}", bad.err);
    let all = place.run(&["add", "./shared", "--dry-run"]);
    assert_eq!(all.code, 0, "{}", all.err);
    assert!(all.out.ends_with("would add skills/pdf\n"), "{}", all.out);
    assert!(all.err.contains("note: `bad` of ./shared is left out: `bad`: "), "{}", all.err);
    let json = fields(&place.run(&["add", "./shared", "--dry-run", "--json"]));
    assert_eq!((&json["left_out"][0]["name"], &json["left_out"][0]["path"]), (&"bad".into(), &"bad".into()));
    let asked = place.run(&["add", "./shared", "--skill", "pdf"]);
    assert_eq!(
        (asked.code, asked.err.as_str()),
        (
            2,
            "error: standard input is not a terminal, so the changes cannot be confirmed: pass `--yes` to write them\n"
        )
    );
    let dry = place.run(&["add", "./shared", "--skill", "pdf", "--dry-run"]);
    assert_eq!(dry.code, 0, "{}", dry.err);
    for line in [
        "  add pdf as skills/pdf: 2 files, 92 bytes, no license\n",
        "    program: run.sh\n",
        "neither the skill nor `./shared` names a license",
        "would add skills/pdf\n",
    ] {
        assert!(dry.out.contains(line), "{line}: {}", dry.out);
    }
    assert!(!place.top.join("skills").exists());
    let added = place.run(&["add", "./shared", "--skill", "pdf", "--json", "--yes"]);
    assert_eq!(added.code, 0, "{}", added.err);
    let added = fields(&added);
    assert_eq!(added["written"], true);
    let change = &added["changes"][0];
    assert_eq!(
        (&change["name"], &change["action"], &change["directory"]),
        (&"pdf".into(), &"added".into(), &"skills/pdf".into())
    );
    assert_eq!(change["to"]["programs"], serde_json::json!(["run.sh"]));
    let again = place.run(&["add", "./shared", "--skill", "pdf", "--yes"]);
    assert_eq!((again.code, again.out.ends_with("nothing to do\n")), (0, true), "{}", again.out);
    for usage in [&["add", "shared", "--yes"][..], &["add", "./shared", "--to", "../out"], &["add"]] {
        assert_eq!(place.run(usage).code, 2, "{usage:?}");
    }
}

// SPEC 21.5 to 21.8: the life of a locked skill
#[test]
fn locked_skills_are_checked_updated_and_removed() {
    let place = place();
    let added = place.run(&["add", "./shared", "--skill", "pdf", "--yes"]);
    assert_eq!(added.code, 0, "{}", added.err);
    // SPEC 21.14: the next step
    assert!(added.err.ends_with("then run `skills trust skills/pdf`\n"), "{}", added.err);
    let locked = place.run(&["sync", "--locked"]);
    assert_eq!((locked.code, locked.out.as_str()), (0, ""), "{}", locked.err);
    assert_eq!(place.run(&["update", "--check"]).code, 0);

    place.write("shared/pdf/SKILL.md", &SKILL.replace("One", "Two"));
    place.write("shared/pdf/more.sh", "#!/bin/sh\n");
    let outdated = place.run(&["update", "--check"]);
    assert_eq!((outdated.code, outdated.out.as_str()), (1, "pdf: ./shared has changed\n"));
    let locked = place.run(&["sync", "--locked", "--format", "json"]);
    assert_eq!(locked.code, 1);
    assert_eq!(fields(&locked)["problems"][0], "`pdf`: ./shared has changed: `skills update pdf`");
    let dry = place.run(&["update", "--dry-run"]);
    assert_eq!(dry.code, 0, "{}", dry.err);
    assert!(
        dry.out.contains("-One.\n+Two.\n") && dry.out.ends_with("would update skills/pdf\n"),
        "{}",
        dry.out
    );
    assert!(dry.err.contains("warning: `pdf` brings a NEW PROGRAM: more.sh\n"), "{}", dry.err);

    place.write("skills/pdf/SKILL.md", "mine");
    let edited = place.run(&["update", "--yes"]);
    assert_eq!(edited.code, 1);
    assert!(edited.err.contains("skills/pdf was edited, and nothing was changed:\n"), "{}", edited.err);
    assert_eq!(place.run(&["sync"]).code, 1);
    assert_eq!(fs::read_to_string(place.top.join("skills/pdf/SKILL.md")).unwrap(), "mine");
    fs::remove_dir_all(place.top.join("skills/pdf")).unwrap();
    // The source no longer has the locked files, so they cannot be restored.
    let restored = place.run(&["sync"]);
    assert!(restored.err.contains("do not have the digests of skills.lock:\n"), "{}", restored.err);
    place.write("shared/pdf/SKILL.md", SKILL);
    fs::remove_file(place.top.join("shared/pdf/more.sh")).unwrap();
    let restored = place.run(&["sync"]);
    assert!(restored.code == 0 && restored.out.ends_with("restored skills/pdf\n"), "{}", restored.err);

    place.write("shared/pdf/SKILL.md", &SKILL.replace("One", "Two"));
    let updated = place.run(&["update", "pdf", "--yes"]);
    assert!(updated.code == 0 && updated.out.ends_with("updated skills/pdf\n"), "{}", updated.err);
    assert_eq!(place.run(&["sync", "--locked"]).code, 0);
    let removed = place.run(&["remove", "pdf"]);
    assert_eq!((removed.code, removed.out.as_str()), (0, "removed skills/pdf\n"), "{}", removed.err);
    assert!(!place.top.join("skills").exists());
    assert_eq!(place.run(&["remove", "pdf"]).code, 1);
}

/// Returns the command without the Python environment of the machine.
fn run(place: &Place, arguments: &[&str]) -> Run {
    Run::of(place.command(arguments).env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX"))
}

// SPEC 21.10: skills of dependencies are added once, and follow the installed versions
#[test]
fn skills_of_dependencies_follow_their_versions() {
    let place = Place::new(&[
        ("node_modules/ui/package.json", "{\"name\": \"ui\", \"version\": \"1.0.0\"}"),
        ("node_modules/ui/skills/pdf/SKILL.md", SKILL),
        ("node_modules/ui/skills/bad/SKILL.md", "---\nname: bad\n---\n# Bad\n"),
        ("node_modules/plain/package.json", "{\"name\": \"plain\", \"version\": \"1.0.0\"}"),
    ]);
    let asked = run(&place, &["sync", "--dependencies"]);
    assert_eq!(asked.code, 2);
    assert!(asked.err.contains("npm:ui is new, and `skills add npm:ui` adds its skills"), "{}", asked.err);
    let added = run(&place, &["sync", "--dependencies", "--yes"]);
    assert!(added.code == 0 && added.out.ends_with("added skills/pdf\n"), "{}{}", added.out, added.err);
    assert!(added.err.contains("note: `bad` of npm:ui is left out: "), "{}", added.err);
    let again = run(&place, &["sync", "--dependencies"]);
    assert_eq!((again.code, again.out.as_str()), (0, "nothing to do\n"), "{}", again.err);

    place.write("node_modules/ui/package.json", "{\"name\": \"ui\", \"version\": \"1.1.0\"}");
    place.write("node_modules/ui/skills/pdf/SKILL.md", &SKILL.replace("One", "Two"));
    assert_eq!(
        run(&place, &["sync", "--locked"]).out,
        "`pdf`: npm:ui is 1.1.0 now, not 1.0.0: `skills update pdf`\n"
    );
    let bumped = run(&place, &["sync", "--dependencies", "--dry-run"]);
    assert!(
        bumped.out.contains("-One.\n+Two.\n") && bumped.out.ends_with("would update skills/pdf\n"),
        "{}",
        bumped.out
    );
    assert_eq!(run(&place, &["sync", "--dependencies", "--yes"]).code, 0);
    assert_eq!(run(&place, &["sync", "--locked"]).code, 0);
    fs::remove_dir_all(place.top.join("skills")).unwrap();
    let restored = run(&place, &["sync", "--dependencies", "--yes"]);
    assert!(restored.out.ends_with("restored skills/pdf\n"), "{}{}", restored.out, restored.err);
}

// SPEC 21.14: added skills are trusted like any others, and a change ends the trust
#[test]
fn an_added_skill_runs_after_it_is_trusted() {
    let place = place();
    place.write("shared/pdf/SKILL.md", &SKILL.replace("\n---\n#", "\nexec: run.sh\nlicense: MIT\n---\n#"));
    place.write("home/note", "");
    let run = |arguments: &[&str]| Run::of(place.command(arguments).env("HOME", place.path("home")));
    assert_eq!(run(&["add", "./shared", "--skill", "pdf", "--yes"]).code, 0);
    let refused = run(&["exec", "pdf"]);
    assert!(refused.code == 1 && refused.err.contains("trust"), "{}", refused.err);
    assert_eq!(run(&["trust", "skills"]).code, 0);
    assert!(run(&["exec", "pdf"]).out.contains("one"));
    place.write("shared/pdf/run.sh", "#!/bin/sh\necho two\n");
    assert_eq!(run(&["update", "--yes"]).code, 0);
    let changed = run(&["exec", "pdf"]);
    assert!(changed.code == 1 && changed.err.contains("trust"), "{}{}", changed.out, changed.err);
}

// SPEC 21.14
#[test]
fn an_added_skill_keeps_its_signature() {
    let place = place();
    place.write("shared/pdf/SKILL.md", &SKILL.replace("\n---\n#", "\nlicense: MIT\n---\n#"));
    let keys = test_bed::Kind::P256;
    place.write("key.pem", keys.private());
    place.write("pub.pem", keys.public());
    let signed = place.run(&["sign", "shared/pdf", "--key", "key.pem"]);
    assert_eq!(signed.code, 0, "{}", signed.err);
    assert_eq!(place.run(&["add", "./shared", "--skill", "pdf", "--yes"]).code, 0);
    let list = |place: &Place| place.run(&["list", "skills", "--require-signature", "pub.pem"]).out;
    assert!(list(&place).starts_with("pdf ") && !list(&place).contains("untrusted"), "{}", list(&place));
    place.write("skills/pdf/run.sh", "#!/bin/sh\necho other\n");
    assert!(list(&place).contains("[untrusted] [from ./shared]"), "{}", list(&place));
}

// SPEC 21.10: a name that is taken excludes only that skill
#[test]
fn a_taken_name_leaves_out_one_skill_of_a_dependency() {
    let csv = SKILL.replace("pdf", "csv");
    let place = Place::new(&[
        ("node_modules/a/package.json", "{\"name\": \"a\", \"version\": \"1.0.0\", \"license\": \"MIT\"}"),
        ("node_modules/a/skills/first/SKILL.md", SKILL),
        ("node_modules/a/skills/pdf/SKILL.md", SKILL),
        ("node_modules/a/skills/csv/SKILL.md", &csv),
        ("node_modules/b/package.json", "{\"name\": \"b\", \"version\": \"1.0.0\", \"license\": \"MIT\"}"),
        ("node_modules/b/skills/pdf/SKILL.md", SKILL),
        ("node_modules/b/skills/own/SKILL.md", &SKILL.replace("pdf", "own")),
        ("node_modules/b/skills/xls/SKILL.md", &SKILL.replace("pdf", "xls")),
        ("skills/own/SKILL.md", "mine"),
    ]);
    let added = run(&place, &["sync", "--dependencies", "--yes"]);
    assert_eq!(added.code, 0, "{}", added.err);
    assert!(added.out.ends_with("added skills/csv\nadded skills/pdf\nadded skills/xls\n"), "{}", added.out);
    for note in [
        "`pdf` of npm:a is left out: `skills/pdf`: it is a copy of `skills/first` of npm:a\n",
        "`pdf` of npm:b is left out: `skills/pdf`: npm:a has a skill of this name\n",
        "`own` of npm:b is left out: `skills/own`: `skills/own` already exists\n",
    ] {
        assert!(added.err.contains(note), "{note}: {}", added.err);
    }
    assert_eq!(fs::read_to_string(place.top.join("skills/own/SKILL.md")).unwrap(), "mine");
    assert_eq!(run(&place, &["sync", "--locked"]).code, 0);
}

// SPEC 21.11
#[test]
fn lists_name_the_source() {
    let place = place();
    place.write("skills/own/SKILL.md", &SKILL.replace("pdf", "own"));
    assert_eq!(place.run(&["add", "./shared", "--skill", "pdf", "--yes"]).code, 0);
    let list = place.run(&["list", "skills"]).out;
    let lines: Vec<&str> = list.lines().collect();
    assert!(!lines[0].contains("[from") && lines[1].contains("[from ./shared] "), "{list}");
    let shown = fields(&place.run(&["show", "pdf", "--dir", "skills", "--json"]));
    assert_eq!((&shown["source"], &shown["revision"]), (&"./shared".into(), &Value::Null));
    assert!(fields(&place.run(&["show", "own", "--dir", "skills", "--json"])).get("source").is_none());
}

/// Runs git in a directory of a place, without the configuration of the machine.
fn git(place: &Place, directory: &str, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"])
        .args(arguments);
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    let run = Run::of(command.current_dir(place.top.join(directory)));
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
    run.out.trim().to_owned()
}

// SPEC 21.5, 21.7: a repository is locked at a commit, which needs no repository until the update
#[test]
#[ignore = "needs git"]
fn a_repository_is_followed_by_its_commits() {
    test_bed::need("git");
    let place = place();
    fs::remove_dir_all(place.top.join("shared/bad")).unwrap();
    let commit = || {
        git(&place, "shared", &["add", "--all"]);
        git(&place, "shared", &["commit", "--quiet", "-m", "change"]);
        git(&place, "shared", &["rev-parse", "HEAD"])
    };
    git(&place, "shared", &["init", "--quiet"]);
    let first = commit();
    let source = "./shared#main";
    let added = place.run(&["add", source, "--yes"]);
    assert!(
        added.code == 0 && added.out.starts_with(&format!("{source} at {first}\n")),
        "{}{}",
        added.out,
        added.err
    );
    assert_eq!(place.run(&["update", "--check"]).code, 0);
    assert_eq!(place.run(&["update", "--yes"]).out, "nothing to do\n");
    place.write("shared/pdf/SKILL.md", &SKILL.replace("One", "Two"));
    let second = commit();
    assert_eq!(place.run(&["sync", "--locked"]).code, 0, "the commit is what it was");
    assert_eq!(place.run(&["update", "--check"]).out, format!("pdf: {source} {first} -> {second}\n"));
    let updated = place.run(&["update", "--json", "--yes"]);
    let change = &fields(&updated)["changes"][0];
    assert_eq!(
        (&change["from"]["revision"], &change["to"]["revision"]),
        (&first.into(), &second.clone().into())
    );
    let list = fields(&place.run(&["list", "skills", "--json"]));
    assert_eq!((&list[0]["source"], &list[0]["revision"]), (&source.into(), &second.into()));
    fs::rename(place.top.join("shared"), place.top.join("gone")).unwrap();
    assert_eq!(place.run(&["sync", "--locked"]).code, 0);
    assert_eq!(place.run(&["update", "--check"]).code, 1);
}

// SPEC 21.6: each command that changes skills completes an interrupted change first, and a dry run says that there is one
#[test]
fn an_interrupted_change_is_completed_by_the_next_command() {
    for command in [&["update", "--yes"][..], &["remove", "pdf"], &["sync"], &["add", "./other", "--yes"]] {
        let place = place();
        place.write("other/csv/SKILL.md", &SKILL.replace("pdf", "csv"));
        assert_eq!(place.run(&["add", "./shared", "--skill", "pdf", "--yes"]).code, 0);
        let old = fs::read_to_string(place.path("skills.lock")).unwrap();
        place.write("shared/pdf/SKILL.md", &SKILL.replace("One.", "Two."));
        place.write("shared/pdf/run.sh", "#!/bin/sh\necho two\n");
        assert_eq!(place.run(&["update", "--yes"]).code, 0);
        // The state after a kill between the two files: the journal is the new lock file.
        fs::rename(place.path("skills.lock"), place.path(".skills.lock.new")).unwrap();
        place.write("skills.lock", &old);
        fs::create_dir_all(place.path("skills/.skills-tmp/pdf")).unwrap();
        fs::rename(place.path("skills/pdf/run.sh"), place.path("skills/.skills-tmp/pdf/run.sh")).unwrap();
        place.write("skills/pdf/run.sh", "#!/bin/sh\necho one\n");
        let dry = place.run(&["update", "--dry-run"]);
        assert!(dry.err.contains("a change was interrupted"), "{dry:?}");
        let run = place.run(command);
        assert_eq!(run.code, 0, "{command:?}: {run:?}");
        assert!(run.err.contains("an earlier change was interrupted, and is completed now"), "{run:?}");
        assert_eq!(place.run(&["sync", "--locked"]).code, 0, "{command:?}");
        let run = fs::read_to_string(place.path("skills/pdf/run.sh")).ok();
        let expected = (command[0] != "remove").then(|| "#!/bin/sh\necho two\n".to_owned());
        assert_eq!(run, expected, "{command:?}");
    }
}

// SPEC 21.9: neither a toolchain file nor a configuration of the project makes cargo run a program
#[test]
fn dependencies_are_listed_without_running_a_program_of_the_project() {
    for (path, text) in [
        ("rust-toolchain.toml", "[toolchain]\npath = \"TOP/toolchain\"\n"),
        ("rust-toolchain", "[toolchain]\npath = \"TOP/toolchain\"\n"),
        (".cargo/config.toml", "[build]\nrustc-wrapper = \"TOP/act\"\n"),
    ] {
        let place = Place::new(&[
            (
                "Cargo.toml",
                "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\none = { path = \"one\" }\n[workspace]\nexclude = [\"one\"]\n",
            ),
            (
                "Cargo.lock",
                "version = 3\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"one\"]\n\
                 [[package]]\nname = \"one\"\nversion = \"1.0.0\"\n",
            ),
            ("src/lib.rs", ""),
            ("one/Cargo.toml", "[package]\nname = \"one\"\nversion = \"1.0.0\"\n"),
            ("one/src/lib.rs", ""),
            ("one/skills/pdf/SKILL.md", SKILL),
        ]);
        let act = format!("#!/bin/sh\necho \"$0 $*\" >>'{}'\nexit 1\n", place.path("acted"));
        for program in ["act", "toolchain/bin/cargo", "toolchain/bin/rustc"] {
            place.write(program, &act);
        }
        place.write(path, &text.replace("TOP", &place.path("").trim_end_matches('/').replace('\\', "/")));
        for arguments in [&["sync", "--dependencies", "--dry-run"][..], &["add", "crate:one", "--dry-run"]] {
            // With these variables of the test's cargo, rustup would not look for a toolchain file.
            let mut command = place.command(arguments);
            command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
            let run = Run::of(&mut command);
            assert_eq!(run.code, 0, "{path} {arguments:?}: {run:?}");
            assert!(run.out.contains("would add skills/pdf"), "{path}: {run:?}");
            let acted = fs::read_to_string(place.path("acted")).unwrap_or_default();
            assert_eq!(acted, "", "{path} {arguments:?}");
        }
    }
}

// SPEC 14.20: the hosts that the lock file of a clone names are shown before they are asked
#[test]
#[ignore = "needs git"]
fn hosts_are_named_before_they_are_asked() {
    let lock = concat!(
        "version = 1\n[[skill]]\nname = \"pdf\"\ndirectory = \"skills/pdf\"\nsource = \"https://127.0.0.1:1/a\"\n",
        "revision = \"0123456789012345678901234567890123456789\"\npath = \"pdf\"\n[skill.files]\n\"SKILL.md\" = \"",
        "0000000000000000000000000000000000000000000000000000000000000000\"\n",
    );
    let place = Place::new(&[("skills.lock", lock)]);
    for line in ["update --check", "update --dry-run", "sync --dry-run", "sync"] {
        let run = place.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, 1, "{line}: {run:?}");
        assert!(
            run.err.starts_with("note: asking 127.0.0.1:1, which skills.lock names\n"),
            "{line}: {run:?}"
        );
    }
    let checked = place.run(&["sync", "--locked"]);
    assert!(!checked.err.contains("asking"), "{checked:?}");
}
