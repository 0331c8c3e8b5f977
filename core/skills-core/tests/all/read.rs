//! `read` with real directories, rule by rule.
#![cfg(unix)]

use std::fs;

use skills_core::level::Level;
use skills_core::levels::{Levels, Profile};
use skills_core::read::{Content, DirectoryKind, ReadOptions};

use crate::disk::{Disk, MD, Reading};

// SPEC 1.1
#[test]
fn skills_are_found_at_any_depth_and_sorted_by_path() {
    let disk = Disk::new(&[
        ("z/SKILL.md", MD),
        ("a/x/SKILL.md", MD),
        ("a-b/SKILL.md", MD),
        ("cat/deep/er/s/skill.json", "{}"),
        ("cat/README.md", "no skill"),
    ]);
    let reading = disk.read();
    assert_eq!(reading.skills(), ["a-b", "a/x", "cat/deep/er/s", "z"]);
    assert_eq!(reading.tree.skills[2].name, "s");
    assert_eq!(reading.problems(), [""; 0]);
}

// SPEC 1.1
#[test]
fn hidden_and_foreign_directories_are_not_searched() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        (".h/SKILL.md", MD),
        ("node_modules/p/SKILL.md", MD),
        ("target/q/SKILL.md", MD),
    ]);
    assert_eq!(disk.read().skills(), ["a"]);
}

// SPEC 1.1
#[test]
fn a_skill_below_a_skill_is_a_separate_skill() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        ("a/sub/SKILL.md", MD),
        ("a/sub/skill.json", "{}"),
        ("a/sub/deep/er/SKILL.md", MD),
        ("a/examples/b/SKILL.md", "material"),
        ("a/old/c/SKILL.md", "left out"),
        ("a/.skillignore", "/old/\n"),
        ("a/.hidden/d/SKILL.md", MD),
        ("a/node_modules/e/SKILL.md", MD),
    ]);
    let reading = disk.read();
    assert_eq!(
        reading.files(),
        [
            "a/SKILL.md",
            "a/examples/b/SKILL.md",
            "a/sub/SKILL.md",
            "a/sub/skill.json",
            "a/sub/deep/er/SKILL.md"
        ]
    );
    assert_eq!(
        reading.problems(),
        ["skills/a/sub:1:1 skill-nested", "skills/a/sub/deep/er:1:1 skill-nested"]
    );
    let help: Vec<_> = reading.report.diagnostics.iter().map(|problem| problem.help.as_str()).collect();
    assert_eq!(help[0], "move it beside the other skill: `git mv skills/a/sub skills/sub`");
    // A check of a repository and a bundle agree on which skills there are.
    let survey = disk.read_with(&ReadOptions {
        scope: DirectoryKind::Repository,
        exclude: vec![".hidden/".into()],
        ..ReadOptions::default()
    });
    let mut both = (reading.skills(), survey.skills());
    both.0.sort_unstable();
    both.1.sort_unstable();
    assert_eq!(both.0, both.1);
    assert_eq!(survey.problems(), [""; 0]);
}

// SPEC 1.1
#[test]
fn a_root_may_be_the_skill() {
    let disk = Disk::new(&[("SKILL.md", MD), ("ref/a.md", "a"), ("sub/SKILL.md", MD)]);
    let reading = disk.read();
    assert_eq!(reading.skills(), ["", "sub"]);
    assert_eq!(reading.tree.skills[0].name, "skills");
    assert_eq!(reading.files(), ["/SKILL.md", "/ref/a.md", "sub/SKILL.md"]);
    assert_eq!(reading.problems(), ["skills/sub:1:1 skill-nested"]);
}

// SPEC 1.1
#[test]
fn a_file_name_in_another_case_is_reported() {
    for name in ["skill.md", "Skill.md", "SKILL.MD", "Skill.json"] {
        let path = format!("b/{name}");
        let reading = Disk::new(&[("a/SKILL.md", MD), (&path, MD)]).read();
        assert_eq!(reading.problems(), [format!("skills/{path}:1:1 file-name-case")]);
        assert_eq!(reading.only().level, Level::Warning);
        assert_eq!(reading.skills(), ["a"]);
    }
    let disk = Disk::new(&[("a/skill.json", "{}"), ("a/skill.md", MD), ("a/Prompt.md", "p")]);
    let expected = ["skills/a/Prompt.md:1:1 file-name-case", "skills/a/skill.md:1:1 file-name-case"];
    assert_eq!(disk.read().problems(), expected);
    let disk = Disk::new(&[("a/SKILL.md", MD), ("a/PROMPT.md", "a document"), ("a/sub/skill.md", MD)]);
    assert_eq!(disk.read().problems(), [""; 0], "without skill.json a prompt is nothing special");
}

// SPEC 1.2
#[test]
fn a_missing_root_shows_what_is_near() {
    let disk = Disk::new(&[("a/SKILL.md", MD)]);
    fs::write(disk.top.join("note.txt"), "").unwrap();
    let reading = Reading::of(&disk.top.join("skils"), &ReadOptions::default());
    assert_eq!(reading.problems(), ["skills:1:1 root-missing"]);
    assert_eq!(reading.only().help, "change the path to `skills`; `.` holds `note.txt`, `skills/`");
    let reading = Reading::of(&disk.top.join("elsewhere"), &ReadOptions::default());
    assert_eq!(reading.only().help, "create it: `mkdir -p skills`; `.` holds `note.txt`, `skills/`");
}

// SPEC 1.2
#[test]
fn a_root_that_is_a_file_is_never_an_empty_list() {
    let disk = Disk::new(&[(". (file)", "text")]);
    let mut reading = disk.read();
    assert_eq!(reading.only().rule.code, "root-unreadable");
    assert_eq!(reading.only().title, "read skills dir skills: not a directory");
    reading.report.settle(&Levels::default(), Profile::Disk, &reading.tree.sources);
    assert_eq!(reading.report.errors(), 1, "an error at run time too");
    let below = Reading::of(&disk.root().join("below"), &ReadOptions::default());
    assert_eq!(below.only().rule.code, "root-unreadable");
}

// SPEC 1.2
#[test]
fn a_root_without_skills_says_what_to_do() {
    let help = |entries: &[(&str, &str)]| {
        let reading = Disk::new(entries).read();
        let empty = reading.report.diagnostics.iter().find(|found| found.rule.code == "root-empty");
        empty.expect("a root without skills is reported").help.clone()
    };
    assert!(help(&[]).contains("`skills/NAME/SKILL.md`"));
    assert!(help(&[("x/skill.md", MD)]).contains("git mv skills/x/skill.md skills/x/SKILL.md"));
    assert!(help(&[("pdf.md", MD), ("README.md", "")]).contains("git mv skills/pdf.md skills/pdf/SKILL.md"));
    assert!(help(&[("../SKILL.md", MD)]).contains("`skills/..`"));
    assert!(help(&[("a/SKILL.md", MD), (".skillignore", "a")]).contains("SKILL.md"));
}

// SPEC 1.2, 1.4
#[test]
fn levels_follow_the_profile() {
    let entries = [("a/SKILL.md", MD), ("a/x -> ../../..", ""), ("a/y.md", "y")];
    let mut reading = Disk::new(&entries).read();
    assert_eq!(reading.only().level, Level::Error);
    reading.report.settle(&Levels::default(), Profile::Disk, &reading.tree.sources);
    assert_eq!(reading.only().level, Level::Warning);
    assert_eq!(reading.files(), ["a/SKILL.md", "a/y.md"], "only the link is left out");
    let mut empty = Disk::new(&[]).read();
    empty.report.settle(&Levels::default(), Profile::Disk, &empty.tree.sources);
    assert_eq!(empty.problems(), [""; 0], "at run time an empty root is an empty list");
}

// SPEC 1.3
#[test]
fn resources_keep_path_bytes_and_executable_bit() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        ("a/bin/run (executable)", "echo"),
        ("a/scripts/x.py", "#!/usr/bin/env python3\n"),
        ("a/scripts/y.py", "print()"),
        ("a/data.bin (latin-1)", "\u{0}\u{ff}"),
        ("a/prompt.md", "Do it."),
    ]);
    let reading = disk.read();
    let skill = &reading.tree.skills[0];
    let bits = |path| skill.file(path).map(|file| (file.executable, file.mode_executable));
    assert_eq!(bits("bin/run"), Some((true, true)));
    assert_eq!(bits("scripts/x.py"), Some((true, false)));
    assert_eq!(bits("scripts/y.py"), Some((false, false)));
    assert_eq!(skill.file("data.bin").unwrap().bytes(&reading.tree.sources), b"\0\xff");
    let prompt = skill.text("prompt.md").unwrap();
    assert_eq!(reading.tree.sources.file(prompt).skill, Some(0));
    assert_eq!(skill.file("SKILL.md").unwrap().bytes(&reading.tree.sources), MD.as_bytes());
}

// SPEC 1.3
#[test]
fn contents_can_be_left_unread() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        ("a/x.py", "#!/bin/sh\n"),
        ("a/server.pem", "certificate\n-----BEGIN PRIVATE KEY-----\n"),
        ("a/big.bin (10485761 bytes)", "\0"),
    ]);
    let reading = disk.read_with(&ReadOptions { contents: false, ..ReadOptions::default() });
    assert_eq!(reading.files(), ["a/SKILL.md", "a/x.py"]);
    let script = reading.tree.skills[0].file("x.py").unwrap();
    assert!(matches!(script.content, Content::Unread) && script.executable);
    let expected = ["skills/a/big.bin:1:1 file-too-large", "skills/a/server.pem:1:1 secret-file"];
    assert_eq!(reading.problems(), expected);
}

// SPEC 1.3
#[test]
fn junk_and_hidden_files_are_left_out() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        ("a/.DS_Store", ""),
        ("a/x.md~", ""),
        ("a/x.swp", ""),
        ("a/lib/__pycache__/x.pyc", ""),
        ("a/y.pyc", ""),
        ("a/.git/config", ""),
        ("a/CVS/Entries", ""),
        ("a/target/debug/x", ""),
        ("a/node_modules/p/index.js", ""),
        ("a/.hidden", ""),
        ("a/lib/ok.py", ""),
    ]);
    let reading = disk.read();
    assert_eq!(reading.files(), ["a/SKILL.md", "a/lib/ok.py"]);
    assert_eq!(reading.problems(), [""; 0]);
}

// SPEC 1.3, 2.11, 12.4
#[test]
fn secrets_are_left_out_and_reported() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        ("a/.env", "TOKEN=1"),
        ("a/.env.local", "TOKEN=1"),
        ("a/keys/id_rsa", "secret"),
        ("a/keys/deploy", "-----BEGIN OPENSSH PRIVATE KEY-----\n"),
        ("a/keys/cert.pem", "-----BEGIN CERTIFICATE-----\n"),
        ("a/.env.example", "TOKEN="),
    ]);
    let reading = disk.read();
    let expected = ["a/.env", "a/.env.local", "a/keys/deploy", "a/keys/id_rsa"];
    assert_eq!(reading.problems(), expected.map(|path| format!("skills/{path}:1:1 secret-file")));
    assert_eq!(reading.files(), ["a/SKILL.md", "a/keys/cert.pem"]);

    disk.plant("a/.skillignore", "/.env*\n/keys/deploy\n!/keys/id_rsa\n");
    let reading = disk.read();
    assert_eq!(reading.problems(), [""; 0], "the author says that it is known");
    assert_eq!(reading.files(), ["a/SKILL.md", "a/keys/cert.pem", "a/keys/id_rsa"]);
}

// SPEC 1.3, 2.11
#[test]
fn a_cargo_manifest_in_a_skill_is_reported() {
    let disk = Disk::new(&[
        ("Cargo.toml", "the user's own crate"),
        ("cat/Cargo.toml", ""),
        ("cat/a/SKILL.md", MD),
        ("cat/a/template/Cargo.toml", ""),
        ("other/Cargo.toml", "no skill here"),
    ]);
    let expected = ["skills/cat/a/template/Cargo.toml:1:1 cargo-toml"];
    assert_eq!(disk.read().problems(), expected);
}

// SPEC 1.3
#[test]
fn skillignore_holds_for_all_below_it() {
    let disk = Disk::new(&[
        (".skillignore", "drafts/\n*.txt\n*.md\n"),
        ("drafts/d/SKILL.md", MD),
        ("cat/.skillignore", "/b\n"),
        ("cat/a/SKILL.md", MD),
        ("cat/a/.skillignore", "!keep.txt\n/sub/*\n"),
        ("cat/a/keep.txt", ""),
        ("cat/a/drop.txt", ""),
        ("cat/a/sub/x", ""),
        ("cat/a/y", ""),
        ("cat/b/SKILL.md", MD),
    ]);
    let reading = disk.read();
    assert_eq!(reading.files(), ["cat/a/SKILL.md", "cat/a/keep.txt", "cat/a/y"], "SKILL.md itself stays");
    assert_eq!(reading.problems(), [""; 0]);
}

// SPEC 1.3
#[test]
fn a_faulty_line_of_a_skillignore_is_shown() {
    let disk = Disk::new(&[("a/SKILL.md", MD), ("a/.skillignore", "# ok\r\nx\r\n  [a\r\n"), ("a/x", "")]);
    let reading = disk.read();
    assert_eq!(reading.problems(), ["skills/a/.skillignore:3:1 skillignore-line"]);
    assert_eq!(reading.tree.sources.text(reading.only().span), "  [a");
    assert_eq!(reading.files(), ["a/SKILL.md"], "the good lines hold");
    let disk = Disk::new(&[("a/SKILL.md", MD), ("a/.skillignore (latin-1)", "x\ncafé\n"), ("a/x", "")]);
    let reading = disk.read();
    assert_eq!(reading.problems(), ["skills/a/.skillignore:2:4 not-utf8"]);
    assert_eq!(reading.files(), ["a/SKILL.md"]);
}

// SPEC 1.3
#[test]
fn limits_name_the_file() {
    let entries = [
        ("a/SKILL.md", "1234567890"),
        ("a/x", "12345"),
        ("a/y", "123456"),
        ("b/SKILL.md", "1234567890"),
        ("c/SKILL.md", "123"),
    ];
    let disk = Disk::new(&entries);
    let options = |file_cap, skill_cap, bundle_cap| ReadOptions {
        file_cap: Some(file_cap),
        skill_cap: Some(skill_cap),
        bundle_cap: Some(bundle_cap),
        ..ReadOptions::default()
    };
    assert_eq!(disk.read_with(&options(10, 21, 34)).problems(), [""; 0], "the limits themselves are allowed");
    let reading = disk.read_with(&options(9, 21, 34));
    assert_eq!(
        reading.problems(),
        ["skills/a/SKILL.md:1:1 file-too-large", "skills/b/SKILL.md:1:1 file-too-large"]
    );
    assert_eq!(reading.skills(), ["c"], "without its SKILL.md there is no skill");
    let reading = disk.read_with(&options(10, 20, 34));
    assert_eq!(reading.problems(), ["skills/a/y:1:1 skill-too-large"]);
    assert!(reading.only().label.starts_with("`y` (6 bytes)"), "{}", reading.only().label);
    let reading = disk.read_with(&options(10, 21, 30));
    assert_eq!(reading.problems(), ["skills/b/SKILL.md:1:1 bundle-too-large"], "`c` still fits");
    let unread = ReadOptions { contents: false, ..options(10, 20, 34) };
    assert_eq!(disk.read_with(&unread).problems(), ["skills/a/y:1:1 skill-too-large"]);
}

// SPEC 1.4
#[test]
fn names_that_other_systems_cannot_hold() {
    let long = "d".repeat(200) + "/" + &"f".repeat(40);
    let whole = format!("a/{long}");
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        (&whole, ""),
        ("a/CON.txt", ""),
        ("a/dot.", ""),
        ("a/b:c", ""),
        ("a/Docs/x", ""),
        ("a/docs/y", ""),
        ("a/skill.MD", ""),
        ("aux/b/SKILL.md", MD),
        ("Aux2/b/SKILL.md", MD),
        ("aux2/c/SKILL.md", MD),
    ]);
    let mut expected = vec![
        "skills/a/CON.txt:1:1 path-reserved".to_owned(),
        "skills/a/b:c:1:1 path-reserved".to_owned(),
        format!("skills/{whole}:1:1 path-long"),
        "skills/a/docs:1:1 path-case".to_owned(),
        "skills/a/dot.:1:1 path-reserved".to_owned(),
        "skills/a/skill.MD:1:1 path-case".to_owned(),
        "skills/aux:1:1 path-reserved".to_owned(),
        "skills/aux2:1:1 path-case".to_owned(),
    ];
    expected.sort();
    let reading = disk.read();
    let mut found = reading.problems();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(reading.report.errors(), expected.len());
}

// SPEC 1.4
#[test]
fn names_that_are_not_utf8_are_reported() {
    let disk = Disk::new(&[
        ("a/SKILL.md", MD),
        ("a/café.md (latin-1 name)", ""),
        ("bé/SKILL.md (latin-1 name)", MD),
    ]);
    let reading = disk.read();
    assert_eq!(
        reading.problems(),
        ["skills/a/caf\\xe9.md:1:1 path-not-utf8", "skills/b\\xe9:1:1 path-not-utf8"]
    );
    assert_eq!(reading.files(), ["a/SKILL.md"]);
}

// SPEC 2.1, 3.3
#[test]
fn text_that_is_not_utf8_is_shown_at_the_byte() {
    let disk = Disk::new(&[
        ("a/SKILL.md (latin-1)", "---\nname: a\ndescription: résumé\n---\n"),
        ("b/SKILL.md", MD),
    ]);
    let reading = disk.read();
    assert_eq!(reading.problems(), ["skills/a/SKILL.md:3:15 not-utf8"]);
    assert_eq!(reading.tree.sources.text(reading.only().span), "\u{fffd}");
    assert!(reading.only().help.contains("iconv -f LATIN1 -t UTF-8 skills/a/SKILL.md"));
    assert_eq!(reading.only().label, "byte 0xE9 (offset 26) is not part of a character");
    assert!(reading.tree.skills[0].text("SKILL.md").is_none());
    assert!(matches!(reading.tree.skills[0].files[0].content, Content::Bytes(_)));
    let disk = Disk::new(&[("a/skill.json (latin-1)", "\u{ff}\u{fe}{\0")]);
    assert_eq!(disk.read().only().label, "the file is UTF-16");
}

// SPEC 12.5
#[test]
fn the_order_in_which_files_were_made_does_not_matter() {
    let mut entries = vec![
        ("b/SKILL.md", MD),
        ("a/SKILL.md", MD),
        ("a/z -> sub", ""),
        ("a/sub/x", "x"),
        ("a/y -> sub", ""),
        ("a/Sub/x", "x"),
        ("l1 -> .h", ""),
        ("l0 -> .h", ""),
        (".h/c/SKILL.md", MD),
        ("d/skill.json", "{}"),
        ("d/1", "1"),
        ("d/2 (executable)", "2"),
    ];
    let options = ReadOptions { skill_cap: Some(3), ..ReadOptions::default() };
    let forward = Disk::new(&entries);
    entries.reverse();
    let backward = Disk::new(&entries);
    entries.rotate_left(5);
    let rotated = Disk::new(&entries);
    for options in [ReadOptions::default(), options] {
        let picture = forward.read_with(&options).picture();
        assert_eq!(backward.read_with(&options).picture(), picture);
        assert_eq!(rotated.read_with(&options).picture(), picture);
    }
}

// SPEC 12.12: files that git ignores, and files with a second name, are reported before they are bundled
#[test]
fn files_that_are_shipped_by_mistake_are_reported() {
    let disk = Disk::new(&[
        (".gitignore", "*.log\nsecret/\n"),
        ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\n---\nRead.\n"),
        ("pdf/run.log", "x"),
        ("pdf/notes.txt", "x"),
        ("pdf/config.env", "KEY=1"),
    ]);
    fs::create_dir(disk.root().join(".git")).unwrap();
    fs::hard_link(disk.root().join("pdf/notes.txt"), disk.top.join("other.txt")).unwrap();
    let loaded = skills_core::load(&disk.root(), "skills", &skills_core::options::Options::default());
    let mut codes: Vec<_> = loaded.report.diagnostics.iter().map(|problem| problem.rule.code).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["git-ignored", "hard-link", "secret-file"]);
}
