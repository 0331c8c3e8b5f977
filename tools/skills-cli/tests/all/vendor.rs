//! `skills package vendor` and `skills package publish --check`: skills in the package of a crate.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::command::Place;

const PDF: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";
const CARGO: &str =
    "[package]\nname = \"agent\"\nversion = \"0.1.0\"\nlicense = \"MIT\"\nedition = \"2024\"\n";

// SPEC 18.18
#[test]
fn a_copy_is_made_and_kept_equal() {
    let place = Place::new(&[
        ("skills/pdf/SKILL.md", PDF),
        ("skills/pdf/scripts/run.sh", "#!/bin/sh\n"),
        ("skills/pdf/.env", "SECRET=1\n"),
        ("skills/office/csv/SKILL.md", &PDF.replace("pdf", "csv")),
        ("agent/Cargo.toml", CARGO),
    ]);
    let vendor =
        |more: &[&str]| place.run(&[&["package", "vendor", "skills", "agent/skills"], more].concat());
    let missing = vendor(&["--ci"]);
    assert_eq!(missing.code, 1);
    assert!(
        missing.out.contains("`pdf` is missing") && !place.top.join("agent/skills").exists(),
        "{missing:?}"
    );

    let done = vendor(&[]);
    assert_eq!(
        (done.code, done.out.as_str()),
        (0, "create  csv/SKILL.md\ncreate  pdf/SKILL.md\ncreate  pdf/scripts/run.sh\n"),
        "{}",
        done.err
    );
    let copied = place.top.join("agent/skills/pdf/scripts/run.sh");
    assert_eq!(fs::metadata(&copied).unwrap().permissions().mode() & 0o111, 0o111);
    assert!(!place.top.join("agent/skills/pdf/.env").exists());
    assert_eq!(fs::read_to_string(place.top.join("agent/skills/.skills-source")).unwrap(), "../../skills\n");
    assert_eq!(vendor(&["--ci"]).code, 0);

    // The source changes: files are updated, removed and added.
    place.write("skills/pdf/SKILL.md", &PDF.replace("Reads", "Writes"));
    fs::remove_dir_all(place.top.join("skills/office")).unwrap();
    let stale = vendor(&["--ci"]);
    assert_eq!(stale.code, 1);
    assert_eq!(stale.out, "`pdf/SKILL.md` differs\n`csv` is not in the source\n");
    assert!(stale.err.contains("run `skills package vendor skills agent/skills`"), "{}", stale.err);
    assert_eq!(vendor(&[]).out, "remove  csv/SKILL.md\nupdate  pdf/SKILL.md\n");
    assert_eq!(vendor(&["--ci"]).code, 0);

    // An edit in the copy is not lost, and nothing else is written either.
    place.write("agent/skills/pdf/SKILL.md", &PDF.replace("Reads", "Prints"));
    place.write("skills/new/SKILL.md", &PDF.replace("pdf", "new"));
    let refused = vendor(&[]);
    assert_eq!((refused.code, refused.out.as_str()), (1, "keep    pdf/SKILL.md (edited here)\n"));
    assert!(!place.top.join("agent/skills/new").exists(), "{}", refused.err);
    // The edited file is kept beside its successor, and must not be published either.
    let forced = vendor(&["--force"]);
    assert!(
        forced.code == 1 && forced.out.ends_with("`pdf/SKILL.md.bak` is not in the source\n"),
        "{forced:?}"
    );
    assert!(fs::read_to_string(place.top.join("agent/skills/pdf/SKILL.md.bak")).unwrap().contains("Prints"));

    // A file of a person in the copy would be published, too.
    fs::remove_file(place.top.join("agent/skills/pdf/SKILL.md.bak")).unwrap();
    place.write("agent/skills/pdf/more.md", "mine\n");
    let more = vendor(&["--ci"]);
    assert_eq!((more.code, more.out.as_str()), (1, "`pdf/more.md` is not in the source\n"));
    assert_eq!(vendor(&[]).code, 1);
    assert_eq!(fs::read_to_string(place.top.join("agent/skills/pdf/more.md")).unwrap(), "mine\n");
}

// SPEC 18.18
#[test]
fn a_copy_is_not_made_of_broken_skills_or_into_its_source() {
    let place =
        Place::new(&[("skills/pdf/SKILL.md", "---\nname: pdf\n---\n# PDF\n"), ("good/pdf/SKILL.md", PDF)]);
    let broken = place.run(&["package", "vendor", "skills", "agent/skills"]);
    assert!(broken.code == 1 && broken.err.contains("has no `description`"), "{broken:?}");
    assert!(!place.top.join("agent").exists());
    let inside = place.run(&["package", "vendor", "good", "good/copy"]);
    assert!(inside.code == 1 && inside.err.contains("inside the other"), "{inside:?}");
    assert_eq!(place.run(&["package", "vendor", "nowhere", "copy"]).code, 2);
}

// SPEC 18.19
#[test]
fn publish_shows_what_users_get() {
    let listed = CARGO.to_owned() + "include = [\"/src\", \"/skills/**/*.md\"]\n";
    let place = Place::new(&[
        ("agent/Cargo.toml", &listed),
        ("agent/skills/pdf/SKILL.md", PDF),
        ("agent/skills/pdf/run.sh", "#!/bin/sh\n"),
        ("beside/Cargo.toml", CARGO),
        ("beside/SKILL.md", PDF),
        ("beside/src/lib.rs", ""),
        ("named/Cargo.toml", &(CARGO.to_owned() + "[package.metadata.skills]\npath = \"docs/skills\"\n")),
        ("named/docs/skills/pdf/SKILL.md", PDF),
        ("free/Cargo.toml", &CARGO.replace("license = \"MIT\"\n", "")),
        ("free/skills/pdf/SKILL.md", PDF),
        ("none/Cargo.toml", CARGO),
        ("outside/Cargo.toml", &(CARGO.to_owned() + "metadata.skills.path = \"../agent/skills\"\n")),
    ]);
    let publish = |dir: &str| place.run(&["package", "publish", "--check", dir]);
    let partly = publish("agent");
    assert_eq!(
        (partly.code, partly.out.as_str()),
        (1, "pdf 0.1.0: 1 file, 54 bytes, 1 left out\n"),
        "{}",
        partly.err
    );
    assert!(partly.err.contains("add to the list: \"/skills/**\""), "{}", partly.err);
    for (dir, out) in
        [("beside", "pdf 0.1.0: 1 file, 54 bytes\n"), ("named", "pdf 0.1.0: 1 file, 54 bytes\n")]
    {
        let run = publish(dir);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, out, ""), "{dir}");
    }
    // SPEC 21.13
    let free = publish("free");
    assert!(
        free.code == 0 && free.err.contains("neither the skill nor `crate:agent` names a license"),
        "{free:?}"
    );
    assert!(free.err.contains("`license` in the `[package]`") && !free.err.contains("author"), "{free:?}");
    // `cargo package` refuses these as well.
    let dependencies = "[dependencies]\na = { path = \"../a\" }\nb = { version = \"1\", path = \"../b\" }\nc = \"1\"\n\
                        [target.'cfg(unix)'.dependencies]\nd = { git = \"https://example.com/d\" }\n\
                        [dev-dependencies]\ne = { path = \"../e\" }\n";
    place.write("loose/Cargo.toml", &(CARGO.to_owned() + dependencies));
    place.write("loose/skills/pdf/SKILL.md", PDF);
    let loose = publish("loose");
    let refused: Vec<&str> = loose.err.lines().filter(|line| line.contains("which has no version")).collect();
    assert!(loose.code == 1 && refused.len() == 2, "{loose:?}");
    assert!(refused[0].contains("`a`") && refused[0].contains("loose/Cargo.toml:7:1"), "{loose:?}");
    assert!(refused[1].contains("`d`"), "{loose:?}");
    assert_eq!(publish("none").code, 2);
    let outside = publish("outside");
    assert!(outside.code == 1 && outside.err.contains("skills package vendor agent/skills"), "{outside:?}");
    assert_eq!(place.run(&["package", "publish", "agent"]).code, 2, "the command itself publishes nothing");
}

// SPEC 18.14: cargo packs the files that the rules name
#[test]
fn cargo_packages_the_files_of_the_rules() {
    let skill = |dir: &str| {
        [(format!("{dir}/SKILL.md"), PDF.to_owned()), (format!("{dir}/a.sh"), "#!x\n".to_owned())]
    };
    for (keys, is_git) in [
        ("", true),
        ("", false),
        ("include = [\"src\", \"/skills/**/*.md\", \"!**/x/*\"]", false),
        ("include = [\"/src\", \".claude\"]", true),
        ("exclude = [\"*.sh\", \"!/skills/x/**\", \"/docs\"]", true),
        ("exclude = [\"skills/*/a.sh\"]", false),
    ] {
        let place = Place::new(&[("Cargo.toml", &format!("{CARGO}{keys}\n")), ("src/lib.rs", "")]);
        let dirs = ["skills/pdf", "skills/x", ".claude/skills/pdf", "docs/pdf"];
        for (path, text) in dirs.iter().flat_map(|dir| skill(dir)) {
            place.write(path, &text);
        }
        if is_git {
            test_bed::need("git");
            let init =
                std::process::Command::new("git").args(["init", "-q"]).current_dir(&place.top).status();
            assert!(init.unwrap().success());
            let add = std::process::Command::new("git").args(["add", "."]).current_dir(&place.top).status();
            assert!(add.unwrap().success());
        }
        let output = test_bed::cargo(&place.top.join("target"))
            .args(["package", "--list", "--allow-dirty", "--offline"])
            .current_dir(&place.top)
            .output()
            .unwrap();
        let listed = String::from_utf8(output.stdout).unwrap();
        let package = skills_core::package::Package::read(&place.top, "Cargo.toml");
        for (path, _) in dirs.iter().flat_map(|dir| skill(dir)) {
            let is_listed = listed.lines().any(|line| line == path);
            assert_eq!(package.has(&path), is_listed, "{keys} {is_git} {path}\n{listed}");
        }
    }
}
