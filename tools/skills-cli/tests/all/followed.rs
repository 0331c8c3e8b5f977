//! Attacks on the trust of directories that follow edits: nothing else at their path, and nobody else's files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use crate::command::{Place, Run};

const EXEC: [&str; 4] = ["exec", "hello", "--input", r#"{"text": "one"}"#];
const SKILL: &str = "skills/hello";

/// Returns a directory with a skill that was just written.
fn place() -> Place {
    let place = Place::new(&[("evil/run.sh", "#!/bin/sh\necho evil\n")]);
    assert_eq!(
        place.run(&["new", "hello", "--exec", "sh", "--description", "Greets. Use to greet."]).code,
        0
    );
    place
}

/// Checks that the skill does not run, and that the error names the reason.
fn refuses(place: &Place, reason: &str) {
    let run = place.run(&EXEC);
    assert!(run.code == 1 && run.out.is_empty() && run.err.contains(reason), "{reason}: {run:?}");
    let run = place.run(&["prompt"]);
    let is_said = run.err.contains("`skills trust ") || run.err.contains(reason);
    assert!(is_said && !run.out.contains("Greets."), "{reason}: {run:?}");
}

fn runs(place: &Place) {
    let run = place.run(&EXEC);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
}

// SPEC 14.21: an exchanged, moved or linked directory, also with the inode of the first
#[test]
fn another_directory_is_not_followed() {
    let place = place();
    let at = |path: &str| place.top.join(path);
    runs(&place);
    fs::rename(at(SKILL), at("aside")).unwrap();
    assert!(
        Command::new("cp").args(["-r", "aside", SKILL]).current_dir(&place.top).status().unwrap().success()
    );
    refuses(&place, "it was replaced by another directory");
    assert!(place.run(&["trust", "--list"]).out.contains("\n  it was replaced by another directory\n"));
    fs::remove_dir_all(at(SKILL)).unwrap();
    fs::rename(at("aside"), at("skills/.aside")).unwrap();
    symlink(".aside", at(SKILL)).unwrap();
    refuses(&place, "a link to ");
    fs::remove_file(at(SKILL)).unwrap();
    fs::rename(at("skills/.aside"), at("aside")).unwrap();
    fs::rename(at("aside"), at(SKILL)).unwrap();
    runs(&place);
    // The whole project is elsewhere.
    let moved = place.top.with_extension("block");
    fs::rename(&place.top, &moved).unwrap();
    assert_eq!(Run::of(place.command(&EXEC).current_dir(&moved)).code, 1);
    fs::rename(&moved, &place.top).unwrap();
    runs(&place);
    // File systems give the number of a removed directory to the next one.
    let (saved, number) = (at("saved"), fs::metadata(at(SKILL)).unwrap().ino());
    assert!(
        Command::new("cp").args(["-r", SKILL, "saved"]).current_dir(&place.top).status().unwrap().success()
    );
    fs::remove_dir_all(at(SKILL)).unwrap();
    for other in 0..20 {
        fs::create_dir(at(SKILL)).unwrap();
        if fs::metadata(at(SKILL)).unwrap().ino() == number {
            break;
        }
        fs::rename(at(SKILL), at(&format!("other-{other}"))).unwrap();
    }
    fs::create_dir_all(at(SKILL)).unwrap();
    for file in fs::read_dir(&saved).unwrap() {
        let file = file.unwrap();
        fs::rename(file.path(), at(SKILL).join(file.file_name())).unwrap();
    }
    refuses(&place, "it was replaced by another directory");
    // The user says that the restored directory is the same.
    let run = place.run(&["trust", "--follow-edits", SKILL]);
    assert_eq!(run.out, format!("follows edits: {}\n", place.path(SKILL)), "{run:?}");
    runs(&place);
    assert_eq!(place.run(&["trust", "--revoke", SKILL]).code, 0);
    refuses(&place, "is not trusted");
}

// SPEC 14.21: links out of the directory, and files that others can write
#[test]
fn files_of_others_are_not_followed() {
    let place = place();
    let at = |path: &str| place.top.join(path);
    symlink("SKILL.md", at("skills/hello/inner")).unwrap();
    runs(&place);
    symlink(at("evil/run.sh"), at("skills/hello/outer")).unwrap();
    let run = place.run(&EXEC);
    assert!(run.code == 1 && run.err.contains("outer leads out of the directory"), "{run:?}");
    fs::remove_file(at("skills/hello/outer")).unwrap();
    for (path, mode) in [
        ("skills/hello/SKILL.md", 0o646),
        ("skills/hello/scripts", 0o777),
        (SKILL, 0o757),
        ("skills", 0o777),
        ("", 0o757),
    ] {
        let before = fs::metadata(at(path)).unwrap().permissions();
        fs::set_permissions(at(path), fs::Permissions::from_mode(mode)).unwrap();
        refuses(&place, "other users may write to ");
        fs::set_permissions(at(path), before).unwrap();
        runs(&place);
    }
}

// SPEC 14.21: skills of other people below a directory that follows edits
#[test]
fn skills_of_others_are_not_followed() {
    let place = place();
    let run = place.run(&["trust", "--follow-edits"]);
    assert_eq!(run.out, format!("follows edits: {}\n", place.path("skills")), "{run:?}");
    place.write("skills/own/SKILL.md", "---\nname: own\ndescription: Owns. Use to own.\n---\nOwn.\n");
    place
        .write("skills/more/other/SKILL.md", "---\nname: other\ndescription: Others. Use it.\n---\nOther.\n");
    let run = place.run(&["prompt"]);
    assert!(run.out.contains("Owns.") && run.out.contains("Others.") && run.err.is_empty(), "{run:?}");
    // A repository below the directory.
    place.write("skills/more/.git", "gitdir: elsewhere\n");
    let run = place.run(&["prompt"]);
    assert!(run.out.contains("Owns.") && !run.out.contains("Others."), "{run:?}");
    assert!(run.err.contains("1 skill is not trusted"), "{run:?}");
    fs::remove_file(place.top.join("skills/more/.git")).unwrap();
    // A skill that `skills add` wrote.
    place.write(
        "skills.lock",
        "version = 1\n\n[[skill]]\ndirectory = \"skills/own\"\nsource = \"acme/skills\"\n",
    );
    let listed = place.run(&["list"]).out;
    assert!(listed.contains("[from "), "the lock is read: {listed}");
    assert!(listed.contains("[untrusted] ") && !place.run(&["prompt"]).out.contains("Owns."), "{listed}");
}

const THIRD: &str = "---\nname: third\ndescription: Thirds. Use to third.\nlicense: MIT\n---\nThird.\n";

/// Adds a skill of another project to a directory that follows edits.
fn with_third(to: &str) -> Place {
    let place = place();
    place.write("shared/third/SKILL.md", THIRD);
    place.write(
        "shared/third/references/.agents/skills/inner/SKILL.md",
        &THIRD.replace("third", "inner").replace("Thirds.", "Inner."),
    );
    fs::create_dir(place.top.join(".claude")).unwrap();
    symlink("../skills", place.top.join(".claude/skills")).unwrap();
    assert_eq!(place.run(&["trust", "--follow-edits"]).code, 0);
    let run = place.run(&["add", "./shared", "--skill", "third", "--to", to, "--yes"]);
    assert_eq!(run.code, 0, "{run:?}");
    place
}

/// Checks that the skill of another project is not shown to a model, and that the own one still runs.
fn leaves_out_third(place: &Place, case: &str) {
    for directory in ["", "skills/third/references"] {
        let run = Run::of(place.command(&["prompt"]).current_dir(place.top.join(directory)));
        assert!(!run.out.contains("Thirds.") && !run.out.contains("Inner."), "{case}: {run:?}");
    }
    runs(place);
}

// SPEC 14.21, 21.14: what `skills add` writes is recorded in the trust file, so the lock file need not be there
#[test]
fn added_skills_are_excluded_whatever_the_lock_says() {
    for to in ["skills", ".claude/skills"] {
        let place = with_third(to);
        leaves_out_third(&place, to);
        let listed = place.run(&["trust", "--list"]).out;
        let excluded = format!("excluded  {}\n", place.path("skills/third"));
        assert!(listed.ends_with(&excluded), "{to}: {listed}");
        let note = place.run(&["prompt"]).err;
        let command = format!("1 skill is not trusted, and does nothing; `skills trust {}", place.path(""));
        assert!(note.contains(&command) && note.contains("/third` allows it"), "{to}: {note}");
        fs::remove_file(place.top.join("skills.lock")).unwrap();
        leaves_out_third(&place, "no lock");
        // The person who reviewed the skill trusts it by itself.
        assert_eq!(place.run(&["trust", "skills/third"]).code, 0);
        let run = place.run(&["prompt"]);
        assert!(run.out.contains("Thirds.") && !run.err.contains("not trusted"), "{run:?}");
        assert_eq!(place.run(&["trust", "--revoke", "skills/third"]).code, 0);
        leaves_out_third(&place, "revoked");
        // Or says that it is an own one now.
        assert_eq!(place.run(&["trust", "--follow-edits", "skills/third"]).code, 0);
        assert!(place.run(&["prompt"]).out.contains("Thirds."));
    }
}

// SPEC 14.21: the exclusion of a skill goes with the skill, but a skill that is there keeps it
#[test]
fn removing_a_skill_ends_its_exclusion() {
    let place = with_third("skills");
    let is_excluded = || place.run(&["trust", "--list"]).out.contains("excluded");
    assert_eq!(place.run(&["remove", "third", "--dry-run"]).code, 0);
    assert!(is_excluded());
    let run = place.run(&["remove", "third"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!is_excluded() && !place.top.join("skills/third").exists());
    runs(&place);
}

// SPEC 14.20, 14.21: a copy that the user makes of such a skill is the user's
#[test]
fn a_copy_of_an_added_skill_is_written_by_the_user() {
    let place = with_third("skills");
    place.write("skills/own-third/SKILL.md", &THIRD.replace("name: third", "name: own-third"));
    let run = place.run(&["prompt"]);
    assert!(run.out.contains("<name>own-third</name>") && !run.out.contains("<name>third</name>"), "{run:?}");
}

// SPEC 14.21: the catalog names the files whose trust was decided, not a link to them
#[test]
fn the_catalog_has_the_real_path_of_a_workspace() {
    let place = Place::new(&[("real/third/SKILL.md", THIRD)]);
    symlink("real", place.top.join("skills")).unwrap();
    assert_eq!(place.run(&["trust", "skills"]).code, 0);
    let run = place.run(&["prompt"]);
    assert!(
        run.out.contains(&format!("<location>{}</location>", place.path("real/third/SKILL.md"))),
        "{run:?}"
    );
}

// SPEC 14.21: the journal of a change can be part of a repository
#[test]
fn completed_changes_are_excluded() {
    let place = with_third("skills");
    fs::rename(place.top.join("skills.lock"), place.top.join(".skills.lock.new")).unwrap();
    fs::create_dir(place.top.join("skills/.skills-tmp")).unwrap();
    fs::rename(place.top.join("skills/third"), place.top.join("skills/.skills-tmp/third")).unwrap();
    let trust = place.home().join(".config/skills/trust.json");
    let text = fs::read_to_string(&trust).unwrap();
    fs::write(&trust, text.replace(&place.path("skills/third"), &place.path("skills/gone"))).unwrap();
    let run = place.run(&["sync"]);
    assert!(run.err.contains("an earlier change was interrupted, and is completed now"), "{run:?}");
    fs::remove_file(place.top.join("skills.lock")).unwrap();
    leaves_out_third(&place, "completed");
}

// SPEC 14.21, 21.12: the lock file of a project that somebody else has changed
#[test]
fn a_lock_that_cannot_be_read_ends_the_trust() {
    let lock = "version = 1\n\n[[skill]]\ndirectory = \"skills/third\"\nsource = \"acme/skills\"\n";
    let place = place();
    assert_eq!(place.run(&["trust", "--follow-edits"]).code, 0);
    // A pull brings the skill and its entry.
    place.write("skills/third/SKILL.md", THIRD);
    place.write("skills.lock", lock);
    let run = place.run(&["prompt"]);
    assert!(!run.out.contains("Thirds.") && run.err.contains("skills/third` allows it"), "{run:?}");
    runs(&place);
    // A nearer lock file and a repository do not hide it.
    place.write("skills/skills.lock", "version = 1\n");
    assert!(!place.run(&["prompt"]).out.contains("Thirds."));
    fs::remove_file(place.top.join("skills/skills.lock")).unwrap();
    for damaged in [
        format!("<<<<<<< HEAD\n{lock}"),
        lock.replace("version = 1", "version = 2"),
        lock.replace("skills/third", "../third"),
    ] {
        place.write("skills.lock", &damaged);
        refuses(&place, "skills.lock cannot be read (it is damaged, or has another version)");
    }
    fs::remove_file(place.top.join("skills.lock")).unwrap();
    symlink("/etc/hostname", place.top.join("skills.lock")).unwrap();
    refuses(&place, "skills.lock cannot be read (");
    fs::remove_file(place.top.join("skills.lock")).unwrap();
    fs::create_dir(place.top.join("skills.lock")).unwrap();
    refuses(&place, "skills.lock cannot be read (");
    fs::remove_dir(place.top.join("skills.lock")).unwrap();
    runs(&place);
}

// SPEC 14.11, 14.21: a person withdraws or narrows the trust of a skill below a directory that follows edits
#[test]
fn stricter_decisions_win() {
    let place = place();
    assert_eq!(place.run(&["trust", "--follow-edits"]).code, 0);
    let run = place.run(&["trust", "--revoke", SKILL]);
    assert_eq!(run.out, format!("no longer trusted: {}\n", place.path(SKILL)), "{run:?}");
    refuses(&place, "skills trust ");
    assert_eq!(place.run(&["trust", "--revoke", SKILL]).code, 1, "it is revoked already");
    assert_eq!(place.run(&["trust", "--follow-edits", SKILL]).code, 0);
    runs(&place);
    // By digests from now on.
    assert_eq!(place.run(&["trust", SKILL]).code, 0);
    runs(&place);
    place.write("skills/hello/more.txt", "more\n");
    refuses(&place, "added: more.txt");
    assert_eq!(place.run(&["trust", "--follow-edits", "."]).code, 0);
    assert_eq!(place.run(&["trust", "."]).code, 0);
    let listed = place.run(&["trust", "--list"]).out;
    assert!(!listed.contains("follows edits"), "{listed}");
    runs(&place);
    place.write("skills/hello/more.txt", "other\n");
    refuses(&place, "has changed since it was trusted");
}

// SPEC 14.21: somebody else's repository is put where the directory was
#[test]
fn a_directory_that_becomes_a_repository_is_not_followed() {
    for marker in [".git", ".hg", ".jj", ".svn"] {
        let place = place();
        fs::create_dir(place.top.join(SKILL).join(marker)).unwrap();
        refuses(&place, "it has become the root of a repository, by ");
        let run = place.run(&EXEC);
        assert!(run.err.contains("run `skills trust --follow-edits "), "{run:?}");
        assert_eq!(place.run(&["trust", "--follow-edits", SKILL]).code, 0);
        runs(&place);
        fs::remove_dir(place.top.join(SKILL).join(marker)).unwrap();
        runs(&place);
        // A repository below it.
        assert_eq!(place.run(&["trust", "--revoke", SKILL]).code, 0);
        assert_eq!(place.run(&["trust", "--follow-edits"]).code, 0);
        fs::create_dir(place.top.join(SKILL).join(marker)).unwrap();
        refuses(&place, "is not trusted");
    }
}

// SPEC 14.21: a link of a repository leads to a directory that the person has not named
#[test]
fn a_link_out_of_the_directory_is_not_followed() {
    let place = place();
    place.write("repo/skills/good/SKILL.md", &THIRD.replace("third", "good"));
    fs::create_dir(place.top.join("repo/.agents")).unwrap();
    symlink("../../skills", place.top.join("repo/.agents/skills")).unwrap();
    let before = place.run(&["trust", "--list"]).out;
    let run = place.run(&["trust", "--follow-edits", "repo"]);
    let command = format!("run `skills trust --follow-edits {}`", place.path("skills"));
    assert!(run.code == 1 && run.out.is_empty() && run.err.contains(&command), "{run:?}");
    assert_eq!(place.run(&["trust", "--list"]).out, before);
    // A name with control characters is printed without them.
    fs::create_dir(place.top.join("a\nb\u{1b}[2J")).unwrap();
    let run = place.run(&["trust", "--follow-edits", "a\nb\u{1b}[2J"]);
    assert!(run.code == 1 && run.err.contains("a\\nb\\u{1b}[2J"), "{run:?}");
}

// SPEC 14.22
#[test]
#[cfg(target_os = "linux")]
fn an_untrusted_program_can_be_tried() {
    let program = "#!/bin/sh\ncd \"$SKILL_PATH\"; cat data.txt; cat \"$HOME/secret\" \"$OLDPWD/secret\" ../secret; echo a > \"$TMPDIR/a\" && \
                   cat \"$TMPDIR/a\"; echo b > data.txt; env\n";
    let skill = "---\nname: hello\ndescription: Greets. Use it.\nexec: run.sh\nmetadata:\n  permissions: {read: [\"~\", $WORKSPACE], \
                 write: [$WORKSPACE], env: [GIVEN], net: all}\n---\n";
    let place = Place::new(&[
        ("skills/hello/SKILL.md", skill),
        ("skills/hello/run.sh", program),
        ("skills/hello/data.txt", "own\n"),
        ("skills/secret", "secret\n"),
        ("secret", "secret\n"),
    ]);
    fs::create_dir_all(place.top.with_extension("home")).unwrap();
    fs::write(place.top.with_extension("home").join("secret"), "secret\n").unwrap();
    let run = place.run(&["exec", "hello"]);
    assert!(run.code == 1 && run.out.is_empty(), "{run:?}");
    assert!(run.err.ends_with("run `skills exec hello --sandbox require` with the same input\n"), "{run:?}");
    assert_eq!(place.run(&["exec", "hello", "--sandbox", "off"]).code, 1);
    let run = Run::of(place.command(&["exec", "hello", "--sandbox", "require"]).env("GIVEN", "given"));
    let outcome: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let printed = outcome["stdout"].as_str().unwrap();
    assert!(printed.starts_with("own\na\n"), "{run:?}");
    assert!(!printed.contains("secret\n") && !printed.contains("GIVEN"), "{run:?}");
    assert_eq!(fs::read_to_string(place.top.join("skills/hello/data.txt")).unwrap(), "own\n");
    assert!(place.run(&["trust", "--list"]).out.is_empty(), "it is not trusted by that");
}

// SPEC 14.21
#[test]
#[ignore = "needs root"]
fn mounts_and_owners_end_the_trust() {
    test_bed::need("unshare");
    let place = place();
    fs::create_dir(place.top.join("copy")).unwrap();
    for (from, to) in
        [("evil", "skills/hello/scripts"), ("evil/run.sh", "skills/hello/scripts/run.sh"), ("evil", SKILL)]
    {
        let mut command = Command::new("unshare");
        let script = "mount --bind \"$1\" \"$2\" && exec \"$0\" exec hello --input '{\"text\": \"one\"}'";
        command.args(["-m", "sh", "-c", script, env!("CARGO_BIN_EXE_skills"), from, to]);
        place.at_home(&mut command);
        let run = Run::of(&mut command);
        assert!(run.code != 0 && !run.out.contains("evil"), "{to}: {run:?}");
        assert!(to == SKILL || run.err.contains("something is mounted at "), "{to}: {run:?}");
    }
    runs(&place);
    std::os::unix::fs::chown(place.top.join("skills/hello/SKILL.md"), Some(12345), None).unwrap();
    refuses(&place, "SKILL.md belongs to another user");
    std::os::unix::fs::chown(place.top.join("skills/hello/SKILL.md"), Some(0), None).unwrap();
    runs(&place);
    // In a directory such as `/tmp`, another user can only write a lock file.
    place.write("skills.lock", "version = 1\n\n[[skill]]\ndirectory = \"skills/hello\"\nsource = \"a/b\"\n");
    assert_eq!(place.run(&EXEC).code, 1);
    std::os::unix::fs::chown(place.top.join("skills.lock"), Some(12345), None).unwrap();
    runs(&place);
}
