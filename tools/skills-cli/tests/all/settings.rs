//! The effects of `skills.toml`, baselines and comments on a check.
#![cfg(unix)] // as the files that the tests share

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::command::{Place, Run};

const MISMATCH: &str = "---\nname: other\ndescription: Reads PDF files.\n---\n# PDF\n";

// SPEC 17.6: the nearest file above decides; the command line has precedence
#[test]
fn levels_come_from_a_file_above() {
    let place =
        Place::new(&[("a/s/pdf/SKILL.md", MISMATCH), ("skills.toml", "[rules]\nname-mismatch = \"deny\"\n")]);
    let run = place.run(&["check", "a/s"]);
    assert!(run.code == 1 && run.out.starts_with("error[skills::name-mismatch]"), "{run:?}");
    assert_eq!(place.run(&["check", "a/s", "--allow", "name-mismatch"]).code, 0);
    place.write("a/skills.toml", "[rules]\nname_mismatch = \"allow\"\n");
    let run = place.run(&["check", "a/s"]);
    assert_eq!((run.code, run.out.as_str()), (0, "1 checked\n"), "the nearer one: {run:?}");
    place.write("a/.git/HEAD", "");
    std::fs::remove_file(place.top.join("a/skills.toml")).unwrap();
    assert_eq!(place.run(&["check", "a/s"]).code, 0, "another repository's file is not asked");
}

// SPEC 17.6, 17.7: levels of a path, the budget, excluded folders
#[test]
fn a_file_has_paths_limits_and_exclusions() {
    let place = Place::new(&[
        ("s/pdf/SKILL.md", MISMATCH),
        ("s/old/csv/SKILL.md", MISMATCH),
        ("s/new/x/SKILL.md", MISMATCH),
    ]);
    place.write(
        "skills.toml",
        "exclude = [\"s/new\"]\ncatalog-budget = 1\n[paths.\"s/o*\"]\nname-mismatch = \"allow\"\n",
    );
    let run = place.run(&["check", "s", "--format", "json"]);
    let found = |code: &str| run.out.lines().filter(|line| line.contains(code)).count();
    assert_eq!((found("\"name-mismatch\""), found("\"catalog-budget\"")), (1, 1), "{run:?}");
    let (problems, tally) = run.out.trim_end().rsplit_once('\n').expect("problems, and the tally");
    assert!(
        problems.contains("pdf/SKILL.md") && !problems.contains("new/x") && tally.contains("new/x"),
        "{run:?}"
    );
    assert!(tally.contains("left out by `exclude` in `skills.toml`"), "SPEC 11.20: {run:?}");
    place.write("skills.toml", "");
    place.write("s/.skillignore", "/new/\n");
    let run = place.run(&["check", "s"]);
    assert!(run.out.contains("1 left out by `.skillignore` (new/x/SKILL.md)"), "{run:?}");
}

// SPEC 17.6: its faults have places, and its valid parts apply
#[test]
fn faults_of_the_file_are_reported() {
    let place = Place::new(&[("s/pdf/SKILL.md", MISMATCH)]);
    place.write(
        "skills.toml",
        "clint = 1\n[rules]\nname-mismatch = \"allow\"\nyaml-tab = \"allow\"\nlong-bdy = \"warn\"\n",
    );
    let run = place.run(&["check", "s"]);
    assert!(run.code == 1 && run.out.ends_with("\n1 checked\n") && !run.out.contains("pdf"), "{run:?}");
    let github = place.run(&["check", "s", "--format", "github"]).out;
    for (line, wanted) in [
        (1, "unknown key `clint`"),
        (4, "`yaml-tab` is an error, not a lint"),
        (5, "unknown rule `long-bdy`"),
    ] {
        assert!(
            run.out.contains(wanted) && run.out.contains(&format!("--> skills.toml:{line}:1\n")),
            "{run:?}"
        );
        let place = format!("::error file=skills.toml,line={line},");
        assert!(github.lines().any(|line| line.starts_with(&place) && line.contains(wanted)), "{github}");
    }
    let json = place.run(&["check", "s", "--format", "json"]).out;
    assert_eq!(json.matches("\"config-invalid\"").count(), 3, "{json}");
}

// SPEC 17.6: an option that is written has precedence, even if its value is the default
#[test]
fn a_written_default_has_precedence_over_the_file() {
    let long = format!("---\nname: other\ndescription: {}\n---\n# PDF\n", "Reads PDF files. ".repeat(20));
    let place =
        Place::new(&[(".claude/skills/pdf/SKILL.md", &long), (".claude/skills/pdf/data.bin", "123456789")]);
    for (file, code, option) in [
        ("catalog-budget = 1", "catalog-budget", ["--budget", "8000"]),
        ("file-cap = 2", "file-too-large", ["--cap", "file=10MiB"]),
        ("skill-cap = 2", "skill-too-large", ["--cap", "skill=50MiB"]),
        ("bundle-cap = 2", "bundle-too-large", ["--cap", "200MiB"]),
        ("[rules]\nname-mismatch = \"deny\"", "error[skills::name-mismatch]", ["--warn", "name-mismatch"]),
    ] {
        place.write("skills.toml", file);
        let run = place.run(&["check", "."]);
        assert!(run.out.contains(code), "{file}: {run:?}");
        let run = place.run(&["check", ".claude/skills", option[0], option[1]]);
        assert!(!run.out.contains(code), "{file} {option:?}: {run:?}");
    }
}

// SPEC 17.8: a baseline is written once, and afterwards only what is new is reported
#[test]
fn a_baseline_hides_old_problems() {
    let place = Place::new(&[("s/pdf/SKILL.md", MISMATCH)]);
    let arguments = ["check", "s", "--deny", "name-mismatch", "--baseline", "base.txt"];
    // In CI, a baseline that nobody committed would hide every problem.
    let run = place.run(&["check", "s", "--ci", "--baseline", "base.txt"]);
    let expected = "error: the baseline base.txt does not exist: write it without `--ci`, and commit it\n";
    assert_eq!((run.code, run.err.as_str()), (2, expected), "{run:?}");
    assert!(!place.top.join("base.txt").exists());
    let run = place.run(&arguments);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{run:?}");
    assert_eq!(place.run(&arguments).code, 0);
    place.write("s/pdf/SKILL.md", &MISMATCH.replace("---\nname", "---\nlicense: MIT\nname"));
    assert_eq!(place.run(&arguments).code, 0, "a line above changes nothing");
    place.write("s/csv/SKILL.md", &MISMATCH.replace("other", "third"));
    let run = place.run(&arguments);
    assert!(
        run.code == 1 && run.out.contains("csv/SKILL.md") && !run.out.contains("pdf/SKILL.md:"),
        "{run:?}"
    );
}

// SPEC 17.9: a comment and a key allow lints for one skill; a rule that is not a lint is reported
#[test]
fn a_skill_allows_itself_a_lint() {
    let link = "---\nname: pdf\ndescription: Reads.\n---\nRead [this](gone.md).\n";
    let place = Place::new(&[("s/pdf/SKILL.md", link)]);
    assert!(place.run(&["check", "s"]).out.contains("broken-link"));
    place.write("s/pdf/SKILL.md", &format!("{link}<!-- skills: allow(broken-link, long_body) -->\n"));
    assert_eq!(place.run(&["check", "s"]).out, "1 checked\n");
    place.write(
        "s/pdf/SKILL.md",
        &link.replace("Reads.\n", "Reads.\nmetadata:\n  skills-allow: broken-link\n"),
    );
    assert_eq!(place.run(&["check", "s"]).out, "1 checked\n");
    place.write("s/pdf/SKILL.md", &format!("{link}<!-- skills: allow(broken-lnk yaml-tab) -->\n"));
    let run = place.run(&["check", "s"]);
    assert_eq!((run.code, run.out.matches("error[skills::config-invalid]").count()), (1, 2), "{run:?}");
    assert!(run.out.contains("change it to `broken-link`"), "{}", run.out);
}

// SPEC 17.8: a change is seen
#[test]
fn a_watched_directory_is_checked_again() {
    let place = Place::new(&[("s/pdf/SKILL.md", MISMATCH)]);
    let mut child = place
        .command(&["check", "s", "--watch", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut lines =
        lines.filter(|line| line.as_ref().is_ok_and(|line| !line.starts_with("{\"format_version\"")));
    assert!(lines.next().expect("a line").expect("text").contains("name-mismatch"));
    place.write("s/pdf/SKILL.md", "---\nname: pdf\n---\n# PDF\n");
    assert!(lines.next().expect("a line").expect("text").contains("description-missing"));
    child.kill().expect("it ends");
    child.wait().expect("it ended");
}

/// Runs `check .` in a repository that one of its files leads to a special file, a large file or outside.
fn check_hostile(file: &str, key: &str, value: &str) -> Run {
    let secret = "[{\"name\": \"hunter2\", \"commands\": []}]";
    let place = Place::new(&[
        ("outside/secret", secret),
        ("repo/.git/HEAD", ""),
        ("repo/Cargo.toml", "[package]\nname = \"it\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("repo/src/lib.rs", "skills::skills!(\"skills/\");\n"),
        ("repo/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n`hunter2 x`\n"),
    ]);
    let repo = place.path("repo");
    let repo = std::path::Path::new(&repo);
    let made = std::process::Command::new("mkfifo").arg(repo.join("fifo")).status().expect("mkfifo");
    assert!(made.success());
    std::fs::File::create(repo.join("large"))
        .and_then(|file| file.set_len(3_000_000_000))
        .expect("a sparse file");
    std::os::unix::fs::symlink("../outside/secret", repo.join("link")).expect("a link");
    std::os::unix::fs::symlink("/dev/zero", repo.join("zero")).expect("a link");
    let text = match (file, key) {
        ("skills.toml", "commands") => format!("commands = [\"{value}\"]\n"),
        ("Cargo.toml", "package.workspace") => {
            format!("[package]\nname = \"it\"\nversion.workspace = true\nworkspace = \"{value}\"\n")
        }
        ("Cargo.toml", "package.metadata.skills.path") => {
            format!(
                "[package]\nname = \"it\"\nversion = \"1.0.0\"\n[package.metadata.skills]\npath = \"{value}\"\n"
            )
        }
        (".skills-source", _) => format!("{value}\n"),
        ("skills.lock", "skill.directory") => {
            format!("version = 1\n[[skill]]\ndirectory = \"{value}\"\nsource = \"acme/skills\"\n")
        }
        // The file itself is special.
        (file, "") => {
            let _: std::io::Result<()> = std::fs::remove_file(repo.join(file));
            match value {
                "fifo" | "large" => std::fs::rename(repo.join(value), repo.join(file)).expect("renamed"),
                _ => std::os::unix::fs::symlink(value, repo.join(file)).expect("a link"),
            }
            return run_in(&place);
        }
        _ => unreachable!("this test has no case for {key} of {file}"),
    };
    place.write(format!("repo/{}{file}", if file == ".skills-source" { "skills/" } else { "" }), &text);
    run_in(&place)
}

fn run_in(place: &Place) -> Run {
    let mut command = place.command(&["check", "."]);
    Run::of(command.current_dir(place.path("repo")))
}

// SPEC 12.14: it ends, without much memory, and reads nothing outside
#[test]
fn what_files_of_a_project_name_is_a_regular_file_below_it() {
    for (file, key) in skills_core::read::FILE_KEYS {
        for value in [
            "/dev/zero",
            "zero",
            "fifo",
            "large",
            "/proc/self/environ",
            "../outside/secret",
            "link",
            "~/x",
            "/dev/stdin",
            ".",
        ] {
            let run = check_hostile(file, key, value);
            assert!((0..=2).contains(&run.code), "{file} {key} {value}: {run:?}");
            assert!(!run.out.contains("has no command"), "{file} {key} {value}: {run:?}");
            if key == "commands" {
                assert_eq!(run.code, 1, "{value}: {run:?}");
                assert!(run.out.contains("cannot read the commands"), "{value}: {run:?}");
            }
        }
    }
    for file in ["skills.toml", "skills.lock", "Cargo.toml", "skills/.skills-source", ".git/index"] {
        for value in ["/dev/zero", "fifo", "large", "/proc/self/environ", "../outside/secret"] {
            let run = check_hostile(file, "", value);
            assert!((0..=2).contains(&run.code), "{file} {value}: {run:?}");
            if file == "skills.toml" {
                assert!(run.out.contains("cannot read `skills.toml`"), "{value}: {run:?}");
            }
        }
    }
}
