//! The first steps: `skills init`, the questions of `new` on a terminal, and the lists and pages that need no
//! argument.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{Place, Run};

const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.top.join(path)).unwrap()
}

/// Runs the command on a terminal that answers, and returns the shown text.
fn on_a_terminal(place: &Place, arguments: &str, answers: &str) -> (i32, String) {
    test_bed::need("script");
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_skills"));
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--echo", "never", "--command", &line, "/dev/null"]);
    script.current_dir(&place.top).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = script.spawn().unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned())
}

// SPEC 18.3: an empty directory becomes a program that bundles a skill, and it runs
#[test]
fn an_empty_directory_becomes_a_program() {
    let place = Place::new(&[]);
    fs::create_dir(place.top.join("my agent")).unwrap();
    let run = place.run(&["init", "my agent", "--cargo", "--yes", "--path", CHECKOUT]);
    assert_eq!((run.code, run.err.as_str()), (0, "written; next: cargo run\n"), "{}", run.out);
    assert!(run.out.contains("+++ \"b/my agent/src/main.rs\"\n"), "SPEC 18.3: it is shown: {}", run.out);
    assert!(read(&place, "my agent/Cargo.toml").contains("name = \"my-agent\"\n"));
    assert!(!read(&place, "my agent/Cargo.toml").contains("/\" }"), "a path as a person writes it");
    let package = place.top.join("my agent");
    let cargo = |arguments: &[&str]| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
        let mut cargo = test_bed::cargo_of_packages(&target);
        Run::of(cargo.args(arguments).current_dir(&package))
    };
    // A package below the target directory of another workspace must exclude itself from that workspace.
    fs::write(package.join("Cargo.toml"), read(&place, "my agent/Cargo.toml") + "\n[workspace]\n").unwrap();
    // The versions that the workspace is tested with.
    fs::copy(Path::new(CHECKOUT).join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    let ran = cargo(&["run", "--offline", "--quiet"]);
    assert!(ran.out.contains("commit-message"), "{ran:?}");
    let readme = fs::read_to_string(Path::new(CHECKOUT).join("README.md")).unwrap();
    assert!(
        readme.contains(&format!("\n```text\n{}\n```\n", ran.out.trim())),
        "README.md shows this: {}",
        ran.out
    );
    let again = place.run(&["init", "my agent", "--yes", "--path", CHECKOUT]);
    assert_eq!((again.code, again.out.as_str()), (0, ""));
    assert_eq!(again.err, "nothing to do: everything is already set up\n");
}

/// A full commit, which needs no question to a server.
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

const MANIFEST: &str = "# mine\n[package]\nname = \"a\" # short\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
    [dependencies] # few\nserde_json = \"1\" # for the wire\n\n# tests\n[dev-dependencies]\n";

// SPEC 18.4: existing files are edited, and keep their comments and order
#[test]
fn existing_files_are_edited() {
    let place = Place::new(&[
        ("Cargo.toml", MANIFEST),
        ("build.rs", "// mine\nfn main() {\n    println!(\"cargo::rerun-if-changed=build.rs\");\n}\n"),
        ("src/main.rs", "//! Mine.\n\nuse std::fs;\n\nfn main() {\n    fs::read(\"a\").ok();\n}\n"),
        ("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n"),
    ]);
    let shown = place.run(&["init", "--dry-run", "--registry"]);
    assert_eq!(shown.code, 0);
    assert_eq!(read(&place, "Cargo.toml"), MANIFEST, "SPEC 18.3: shown, not written");
    let unasked = place.run(&["init", "--registry"]);
    assert_eq!((unasked.code, &unasked.out), (2, &shown.out), "SPEC 18.3: nobody can be asked");
    assert_eq!(read(&place, "Cargo.toml"), MANIFEST);
    let written = place.run(&["init", "-y", "--registry"]);
    assert_eq!((written.code, &written.out), (0, &shown.out));
    // SPEC 18.3: an existing program prints nothing by itself
    assert!(written.err.starts_with("written; next: `print!(") && written.err.ends_with("; cargo run\n"));
    let version = env!("CARGO_PKG_VERSION");
    let manifest = MANIFEST.replace("wire\n", &format!("wire\nskills-bundle = \"{version}\"\n"));
    let manifest = format!("{manifest}\n[build-dependencies]\nskills-build = \"{version}\"\n");
    assert_eq!(read(&place, "Cargo.toml"), manifest);
    assert_eq!(
        read(&place, "build.rs"),
        "// mine\nfn main() {\n    skills_build::bundle(\"skills\");\n    println!(\"cargo::rerun-if-changed=build.rs\");\n}\n"
    );
    assert_eq!(
        read(&place, "src/main.rs"),
        "//! Mine.\n\nuse std::fs;\n\nskills::skills!(\"skills/\");\n\nfn main() {\n    fs::read(\"a\").ok();\n}\n"
    );
    assert!(!place.top.join("skills/commit-message").exists(), "there are skills already");
}

// SPEC 18.4: files that cannot be edited safely are left, with a note
#[test]
fn files_that_cannot_be_edited_are_reported() {
    let place = Place::new(&[
        ("Cargo.toml", "dependencies = { }\n[package]\nname = \"a\"\nversion = \"0.1.0\"\n"),
        ("build.rs", "include!(\"other.rs\");\n"),
        ("src/lib.rs", "this is no Rust\n"),
    ]);
    let run = place.run(&["init", "--yes", "--registry"]);
    assert_eq!(run.code, 0);
    for expected in [
        "Cargo.toml was not edited: add `skills-bundle",
        "build.rs was not edited",
        "src/lib.rs was not edited",
    ] {
        assert!(run.err.contains(expected), "{expected}: {}", run.err);
    }
    assert!(run.err.ends_with("written; next: cargo build\n"), "a library does not run: {}", run.err);
    assert_eq!(read(&place, "src/lib.rs"), "this is no Rust\n");
    let none = Place::new(&[("Cargo.toml", "[workspace]\nmembers = []\n")]);
    let run = none.run(&["init", "--yes"]);
    let create = "create a member with `skills init NAME --cargo`";
    assert_eq!((run.code, run.err.contains(create)), (2, true), "{}", run.err);
    none.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"my agent\"]\n");
    let run = none.run(&["init", "--yes"]);
    assert!(run.err.contains("set up a member with `skills init 'my agent'`, or create"), "{}", run.err);
}

// SPEC 18.5: a repository gets a working set-up for checks
#[test]
fn a_repository_checks_its_skills() {
    let place = Place::new(&[
        (".pre-commit-config.yaml", "repos:\n- repo: meta\n  hooks:\n  - id: identity\n"),
        ("README.md", "# Mine\n"),
    ]);
    let run = place.run(&["init", "--yes", "--git", "https://example.com/skills", "--rev", COMMIT]);
    assert_eq!((run.code, run.err.as_str()), (0, "written; next: skills check .\n"));
    let hooks = read(&place, ".pre-commit-config.yaml");
    assert!(hooks.starts_with("repos:\n- repo: local\n") && hooks.ends_with("- id: identity\n"), "{hooks}");
    let workflow = read(&place, ".github/workflows/skills.yml");
    assert!(workflow.contains(&format!(" --git https://example.com/skills --rev {COMMIT}\n")), "{workflow}");
    let (install, checkout) = (workflow.find("cargo install").unwrap(), workflow.find("checkout@").unwrap());
    assert!(install < checkout, "SPEC 18.5: the repository cannot affect the build");
    for line in workflow.lines().filter_map(|line| line.split_once("uses: ")?.1.split_once('@')) {
        let digest = line.1.split(' ').next().unwrap();
        assert!(digest.len() == 40 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{line:?}");
    }
    let check = place.run(&["check", "."]);
    assert_eq!(check.code, 0, "{}", check.err);
    assert!(check.out.contains("1 skill"), "{}", check.out);
    assert_eq!(place.run(&["init", "--yes"]).err, "nothing to do: everything is already set up\n");
}

// SPEC 18.5: a workflow names a commit; a tag or a branch is replaced with the commit that it names now
#[test]
fn the_workflow_names_a_commit() {
    let git = |place: &Place, arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(arguments);
        let output = git.current_dir(&place.top).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let place = Place::new(&[
        ("source/a", "1"),
        ("package/Cargo.toml", MANIFEST),
        ("package/src/main.rs", "fn main() {}\n"),
    ]);
    git(&place, &["init", "--quiet", "source"]);
    git(&place, &["-C", "source", "add", "a"]);
    git(&place, &["-C", "source", "commit", "--quiet", "-m", "one"]);
    // Cargo reads no path as a git repository, and the machine of a workflow does not have it.
    let run = place.run(&["init", "package", "--yes", "--git", "./source"]);
    let version = env!("CARGO_PKG_VERSION");
    let line =
        format!("skills-bundle = {{ version = \"{version}\", git = \"file://{}\" }}", place.path("source"));
    assert!(read(&place, "package/Cargo.toml").contains(&line), "{run:?}");
    let run = place.run(&["init", "other", "--yes", "--git", "./source"]);
    assert!(run.code == 0 && run.err.contains("skills.yml was left out: a machine that runs it"), "{run:?}");
    // Nobody answers there.
    let run = place.run(&["init", "third", "--yes", "--git", "https://127.0.0.1:1/s", "--rev", "v1"]);
    assert!(run.code == 0 && run.err.contains("pass `--rev COMMIT`"), "{run:?}");
    assert!(!place.top.join("third/.github").exists());
    for odd in ["./missing", "missing", "git@example.com:/odd"] {
        assert_eq!(place.run(&["init", "fourth", "--yes", "--git", odd]).code, 2, "{odd}");
    }
    let run = place.run(&["init", "package2", "--cargo", "--yes", "--git", "git@example.com:a/b.git"]);
    assert!(
        read(&place, "package2/Cargo.toml").contains("git = \"ssh://git@example.com/a/b.git\""),
        "{run:?}"
    );
}

// SPEC 18.3: the directory of a new package is created, and only when something is written
#[test]
fn the_directory_is_created() {
    let place = Place::new(&[]);
    let words = ["init", "my-agent", "--cargo", "--git", "https://example.com/s"];
    let shown = place.run(&[&words[..], &["--dry-run"]].concat());
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(!place.top.join("my-agent").exists());
    let made = place.run(&[&words[..], &["--yes"]].concat());
    assert_eq!((made.code, &made.out), (0, &shown.out), "{}", made.err);
    assert!(read(&place, "my-agent/Cargo.toml").contains("name = \"my-agent\""));
    assert!(place.top.join("my-agent/skills").is_dir());
}

// SPEC 18.3, 18.5: a package name that nobody has registered is written only if the user says so
#[test]
fn no_unregistered_package_is_named() {
    let package = Place::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", "fn main() {}\n")]);
    let run = package.run(&["init", "--yes"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("name their source with `--git URL` or `--path CHECKOUT`"), "{}", run.err);
    assert_eq!(read(&package, "Cargo.toml"), MANIFEST);
    let run = package.run(&["init", "--yes", "--git", "https://example.com/s", "--rev", "abc"]);
    let version = env!("CARGO_PKG_VERSION");
    let line = format!(
        "skills-bundle = {{ version = \"{version}\", git = \"https://example.com/s\", rev = \"abc\" }}"
    );
    assert!(read(&package, "Cargo.toml").contains(&line), "{}", run.err);
    assert_eq!(package.run(&["init", "--yes"]).err, "nothing to do: everything is already set up\n");

    let repository = Place::new(&[("README.md", "# Mine\n")]);
    let run = repository.run(&["init", "--yes"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("note: .github/workflows/skills.yml was left out"), "{}", run.err);
    let hook = read(&repository, ".pre-commit-config.yaml");
    assert!(hook.contains("language: system"), "the hook runs what is installed: {hook}");
    assert!(!run.out.contains("skills-bundle") && !run.out.contains("cargo-skills"), "{}", run.out);
    for odd in ["https://a/b c", "https://a/$(b)", "--config=a", "https://a/\"", ""] {
        assert_eq!(repository.run(&["init", "--dry-run", &format!("--git={odd}")]).code, 2, "{odd}");
    }
}

// SPEC 18.3: on a terminal the user is asked, and `no` writes nothing
#[test]
#[ignore = "needs script"]
fn the_user_is_asked_before_files_are_written() {
    let place = Place::new(&[("README.md", "# Mine\n")]);
    let (code, seen) = on_a_terminal(&place, "init", "n\n");
    assert!(seen.contains("Write this? [y/N]") && seen.contains("+++ b/skills.toml"), "{seen}");
    assert_eq!((code, place.top.join("skills.toml").exists()), (1, false));
    let yes = on_a_terminal(&place, "init", "y\n");
    assert_eq!((yes.0, place.top.join("skills.toml").exists()), (0, true), "{}", yes.1);
}

// SPEC 18.6: `new` without options asks, and asks again after an invalid answer
#[test]
#[ignore = "needs script"]
fn new_asks_for_missing_values() {
    let place = Place::new(&[]);
    let answers = "No Name\ncsv-profile\nsonnet\ntext\nProfiles tables. Use for CSV files.\n";
    let (code, seen) = on_a_terminal(&place, "new", answers);
    assert_eq!(code, 0, "{seen}");
    assert!(
        seen.contains("`No Name` is not a valid name") && seen.contains("`sonnet` is not one of them"),
        "{seen}"
    );
    assert!(
        read(&place, "skills/csv-profile/SKILL.md")
            .contains("description: Profiles tables. Use for CSV files.\n")
    );
    let printed = on_a_terminal(&place, "new add --description Adds.", "");
    assert_eq!(printed.0, 0, "an option decides everything: {}", printed.1);
    assert!(!printed.1.contains("Kind"), "{}", printed.1);
    let nobody = place.run(&["new"]);
    assert_eq!((nobody.code, nobody.err.as_str()), (2, "error: the name is missing: skills new NAME\n"));
}

// SPEC 18.7: lists all rules once, by topic
#[test]
fn rules_are_listed_by_group() {
    let place = Place::new(&[]);
    let list = place.run(&["explain"]);
    assert_eq!((list.code, list.err.as_str()), (0, ""));
    for rule in skills_core::rule::all() {
        assert_eq!(list.out.matches(&format!("\n  {} ", rule.code)).count(), 1, "{}", rule.code);
    }
    assert!(list.out.contains("\nFrontmatter\n"), "{}", list.out);
}

// SPEC 18.8: a page for each command
#[test]
fn manual_pages_are_written() {
    let place = Place::new(&[]);
    assert_eq!(place.run(&["manual", "--to", "a/man1"]).code, 0);
    assert!(read(&place, "a/man1/skills.1").starts_with(".ie"));
    assert!(read(&place, "a/man1/skills-check.1").contains("baseline"));
}

// SPEC 12.3, 18.3: a link in the repository does not lead written files out of it
#[test]
fn nothing_is_written_through_a_link() {
    let place =
        Place::new(&[("repo/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n")]);
    fs::create_dir(place.top.join("away")).unwrap();
    std::os::unix::fs::symlink("../away", place.top.join("repo/.github")).unwrap();
    let run = place.run(&["init", "repo", "--yes", "--git", "https://example.com/skills", "--rev", COMMIT]);
    assert_ne!(run.code, 0, "{}", run.out);
    assert!(run.err.contains("leads out of the directory"), "{}", run.err);
    assert_eq!(fs::read_dir(place.top.join("away")).unwrap().count(), 0);
}

// SPEC 18.4: a pipe or a link out of the package is reported, and not waited for
#[test]
fn special_files_and_links_are_not_read() {
    let place = Place::new(&[("p/src/main.rs", "fn main() {}\n"), ("away/Cargo.toml", MANIFEST)]);
    let manifest = place.top.join("p/Cargo.toml");
    assert!(Command::new("mkfifo").arg(&manifest).status().unwrap().success());
    let run = place.run(&["init", "p", "--yes"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("Cargo.toml: it is a link, or not a regular file"), "{}", run.err);
    fs::remove_file(&manifest).unwrap();
    std::os::unix::fs::symlink("../away/Cargo.toml", &manifest).unwrap();
    let run = place.run(&["init", "p", "--yes"]);
    assert!(run.code == 2 && run.err.contains("leads out of the directory"), "{}", run.err);
    assert_eq!(read(&place, "away/Cargo.toml"), MANIFEST);
}

// SPEC 18.3: nothing that was there becomes a skill of the user
#[test]
fn a_skill_that_is_there_is_not_recorded() {
    let evil = "---\nname: commit-message\ndescription: Evil. Use it.\n---\nEvil.\n";
    let nested = evil.replace("commit-message", "evil");
    for (files, path) in [
        (vec![("skills/commit-message/SKILL.md", evil), (".skillignore", "skills/\n")], "SKILL.md"),
        (vec![("skills/commit-message/_template/evil/SKILL.md", nested.as_str())], "_template/evil/SKILL.md"),
        (vec![("skills/commit-message/SKILL.md", "---\nname: [\n---\n")], "SKILL.md"),
        (vec![("skills/commit-message/scripts/run.sh", "#!/bin/sh\necho evil\n")], "scripts/run.sh"),
    ] {
        let place = Place::new(&files);
        let run = place.run(&["init", "--yes"]);
        let note = "skills/commit-message exists already, so no first skill is written";
        assert!(run.code == 0 && run.err.contains(note), "{path}: {run:?}");
        let found = fs::read_dir(place.top.join("skills/commit-message")).unwrap();
        assert_eq!(found.count(), 1, "{path}: {run:?}");
        assert_eq!(place.run(&["trust", "--list"]).out, "", "{path}: {run:?}");
    }
}
