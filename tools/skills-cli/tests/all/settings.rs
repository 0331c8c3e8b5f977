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
    assert_eq!((run.code, run.out.as_str()), (0, "1 skill, no problems\n"), "the nearer one: {run:?}");
    place.write("a/.git/HEAD", "");
    std::fs::remove_file(place.top.join("a/skills.toml")).unwrap();
    assert_eq!(place.run(&["check", "a/s"]).code, 0, "another repository's file is not asked");
}

// SPEC 17.6, 17.7, 11.20: levels of a path, the budget, excluded folders, and the reason for which they are passed over
#[test]
fn a_file_has_paths_limits_and_exclusions() {
    let place = Place::new(&[
        ("s/pdf/SKILL.md", MISMATCH),
        ("s/old/csv/SKILL.md", MISMATCH),
        ("s/new/x/SKILL.md", MISMATCH),
        ("s/vendor/y/SKILL.md", MISMATCH),
    ]);
    place.write(
        "skills.toml",
        "exclude = [\"s/new\", \"s/vendor\"]\ncatalog-budget = 1\n[paths.\"s/o*\"]\nname-mismatch = \"allow\"\n",
    );
    let run = place.run(&["check", "s", "--format", "json"]);
    let found = |code: &str| run.out.lines().filter(|line| line.contains(code)).count();
    assert_eq!((found("\"name-mismatch\""), found("\"catalog-budget\"")), (1, 1), "{run:?}");
    let (problems, tally) = run.out.trim_end().rsplit_once('\n').expect("problems, and the tally");
    assert!(
        problems.contains("pdf/SKILL.md") && !problems.contains("new/x") && tally.contains("new/x"),
        "{run:?}"
    );
    let reason = "left out by `exclude` in `skills.toml`";
    assert!(tally.matches(reason).count() == 2 && !tally.contains("below vendor"), "{run:?}");
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
    assert!(
        run.code == 1
            && run.out.ends_with("\nFound 3 problems, outside of the 1 skill\n")
            && !run.out.contains("pdf"),
        "{run:?}"
    );
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

// SPEC 17.6: a clone does not make a check read gigabytes
#[test]
fn a_project_raises_the_limits_of_sizes_only_to_a_maximum() {
    let place = Place::new(&[("skills.toml", "file-cap = 268435456\nskill-cap = 4_000_000_000\n")]);
    let large = "s/pdf/SKILL.md";
    place.write(large, "");
    let file = std::fs::File::create(place.path(large)).expect("a file");
    file.set_len(3_000_000_000).expect("a sparse file");
    let run = place.run(&["check", "s"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("`skill-cap` is more than 268435456"), "{run:?}");
    assert!(run.out.contains("`SKILL.md` is larger than 256 MiB"), "{run:?}");
    assert!(!run.out.contains("`file-cap` is more"), "{run:?}");
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
    assert_eq!(place.run(&["check", "s"]).out, "1 skill, no problems\n");
    place.write(
        "s/pdf/SKILL.md",
        &link.replace("Reads.\n", "Reads.\nmetadata:\n  skills-allow: broken-link\n"),
    );
    assert_eq!(place.run(&["check", "s"]).out, "1 skill, no problems\n");
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

/// The commands that open a file of [`PROJECT_FILES`].
fn commands_of(file: &str) -> &'static [&'static str] {
    match file {
        "skills.lock" => &["check .", "list skills", "sync --locked", "update --dry-run", "update --check"],
        "skills/pdf/SKILL.md" | "skills/pdf/skill.json" => &[
            "check .",
            "list skills",
            "sync --locked",
            "package vendor skills copy",
            "eval skills",
            "plugin check .",
        ],
        "skills/pdf/evals/evals.json" => &["check .", "eval skills"],
        "Cargo.toml" | "Cargo.lock" | ".cargo/config" | ".cargo/config.toml" => {
            &["check .", "sync --dependencies --dry-run", "init --dry-run --registry"]
        }
        "skills.toml" => &["check .", "list skills", "init --dry-run --registry"],
        "copy/pdf/SKILL.md" | "copy/.skills-source" | "copy/.skills-lock.json" => {
            &["package vendor skills copy", "package vendor --ci skills copy"]
        }
        ".pre-commit-config.yaml" | ".github/workflows/skills.yml" => &["init --dry-run --registry"],
        _ if file.starts_with("node_modules") || file.starts_with(".venv") => {
            &["sync --dependencies --dry-run"]
        }
        _ if file.ends_with(".json") && !file.starts_with("skills/") => &["plugin check .", "check ."],
        _ => &["check ."],
    }
}

const SECRET: &str = "[{\"name\": \"hunter2\", \"commands\": []}]";

/// Creates a repository with every file of [`PROJECT_FILES`], and special files beside them.
fn hostile_place() -> Place {
    let digest = "0".repeat(64);
    let lock = format!(
        "version = 1\n[[skill]]\nname = \"pdf\"\ndirectory = \"skills/pdf\"\nsource = \"./shared\"\npath = \"pdf\"\n\
         [skill.files]\n\"SKILL.md\" = \"{digest}\"\n"
    );
    let skill = "---\nname: pdf\ndescription: Reads PDF files.\n---\n`hunter2 x`\n";
    let place = Place::new(&[
        ("outside/secret", SECRET),
        ("repo/.git/HEAD", ""),
        ("repo/Cargo.toml", "[package]\nname = \"it\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("repo/Cargo.lock", "version = 4\n\n[[package]]\nname = \"it\"\nversion = \"1.0.0\"\n"),
        ("repo/src/lib.rs", "skills::skills!(\"skills/\");\n"),
        ("repo/skills/pdf/SKILL.md", skill),
        ("repo/shared/pdf/SKILL.md", skill),
        ("repo/skills.lock", &lock),
        ("repo/plugin.json", "{\"$schema\": \"x\", \"name\": \"it\"}"),
        ("repo/.claude-plugin/plugin.json", "{\"name\": \"it\"}"),
        ("repo/skills/pdf/evals/evals.json", "{\"evals\": []}"),
        ("repo/node_modules/acme/package.json", "{\"name\": \"acme\", \"version\": \"1.0.0\"}"),
        ("repo/.venv/lib/python3/site-packages/acme-1.0.dist-info/RECORD", "acme/skills/pdf/SKILL.md,,\n"),
    ]);
    let repo = place.top.join("repo");
    for fifo in ["fifo", "outside/fifo"] {
        let path = if fifo == "fifo" { repo.join(fifo) } else { place.top.join(fifo) };
        assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
    }
    let large = std::fs::File::create(repo.join("large"));
    large.and_then(|file| file.set_len(3_000_000_000)).expect("a sparse file");
    std::os::unix::fs::symlink("../outside/secret", repo.join("link")).expect("a link");
    std::os::unix::fs::symlink("/dev/zero", repo.join("zero")).expect("a link");
    place
}

/// Sets a key of a file to a value.
fn set_key(place: &Place, file: &str, key: &str, value: &str) {
    let package = "[package]\nname = \"it\"\n";
    let text = match (file, key) {
        ("skills.toml", "commands") => format!("commands = [\"{value}\"]\n"),
        ("Cargo.toml", "package.workspace") => {
            format!("{package}version.workspace = true\nworkspace = \"{value}\"\n")
        }
        ("Cargo.toml", "package.metadata.skills.path") => {
            format!("{package}version = \"1.0.0\"\n[package.metadata.skills]\npath = \"{value}\"\n")
        }
        ("Cargo.toml", "workspace.members") => {
            format!("{package}version = \"1.0.0\"\n[workspace]\nmembers = [\"{value}\"]\n")
        }
        ("Cargo.toml", "dependencies.path") => {
            format!("{package}version = \"1.0.0\"\n[dependencies]\nacme = {{ path = \"{value}\" }}\n")
        }
        ("skills.lock", "skill.directory") => {
            let text = std::fs::read_to_string(place.top.join("repo/skills.lock")).expect("a file");
            text.replace("\"skills/pdf\"", &format!("\"{value}\""))
        }
        ("skills.lock", "skill.source") => {
            let text = std::fs::read_to_string(place.top.join("repo/skills.lock")).expect("a file");
            text.replace("\"./shared\"", &format!("\"./{value}\""))
        }
        ("skills/.skills-source", _) => format!("{value}\n"),
        ("skills/pdf/skill.json", "input.$ref") => {
            format!("{{\"mode\": \"llm\", \"input\": {{\"$ref\": \"{value}\"}}}}")
        }
        ("skills/pdf/evals/evals.json", "evals.files") => {
            format!("{{\"evals\": [{{\"id\": 1, \"prompt\": \"x\", \"files\": [\"{value}\"]}}]}}")
        }
        ("src/lib.rs", "skills!") => format!("skills::skills!(\"{value}\");\n"),
        (".claude-plugin/plugin.json", key) => format!("{{\"name\": \"it\", \"{key}\": \"{value}\"}}"),
        (".claude-plugin/marketplace.json", _) => format!(
            "{{\"name\": \"m\", \"owner\": {{\"name\": \"o\"}}, \"plugins\": [{{\"name\": \"it\", \"source\": \"./{value}\"}}]}}"
        ),
        ("skills-lock.json" | ".skill-lock.json", _) => {
            format!("{{\"skills\": {{\"pdf\": {{\"source\": \"a/b\", \"skillPath\": \"{value}\"}}}}}}")
        }
        _ => unreachable!("this test has no case for {key} of {file}"),
    };
    place.write(format!("repo/{file}"), &text);
}

/// Replaces a file of the repository by a special one.
fn make_special(place: &Place, file: &str, special: &str) {
    let repo = place.top.join("repo");
    let path = repo.join(file);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    let _: std::io::Result<()> = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
    match special {
        "fifo" | "large" => std::fs::rename(repo.join(special), path).expect("renamed"),
        _ => std::os::unix::fs::symlink(special, path).expect("a link"),
    }
}

/// Runs a command in the repository with 2 GB of address space, less than the large file has.
fn run_bounded(place: &Place, line: &str) -> Run {
    let words: Vec<&str> = line.split(' ').collect();
    let inner = place.command(&words);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -S -v 2000000; exec \"$0\" \"$@\""]).arg(inner.get_program());
    command.args(inner.get_args());
    place.at_home(&mut command);
    command.env("HUNTER", "hunter3").current_dir(place.top.join("repo"));
    let output = command.output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    Run { code, out: text(&output.stdout), err: text(&output.stderr) }
}

fn check_run(run: &Run, what: &str) {
    assert!((0..=2).contains(&run.code), "{what}: {run:?}");
    assert!(!run.err.contains("panicked"), "{what}: {run:?}");
    // The name is also in a skill; the rest of the file is not.
    let text = format!("{}{}", run.out, run.err);
    assert!(!text.contains("\"hunter2\"") && !text.contains("has no command"), "{what}: {run:?}");
    assert!(!text.contains("hunter3"), "{what}: {run:?}");
}

// SPEC 12.14: each command ends, without much memory, and reads nothing outside
#[test]
fn what_keys_of_a_project_name_is_a_regular_file_below_it() {
    for (file, keys) in skills_core::read::PROJECT_FILES {
        for key in *keys {
            for value in [
                "/dev/zero",
                "zero",
                "fifo",
                "large",
                "/proc/self/environ",
                "../outside/secret",
                "link",
                "~/x",
                ".",
            ] {
                let place = hostile_place();
                set_key(&place, file, key, value);
                for line in commands_of(file) {
                    let what = format!("skills {line}, {file} {key} {value}");
                    let run = run_bounded(&place, line);
                    check_run(&run, &what);
                    if *key == "commands" && *line == "check ." {
                        assert!(
                            run.code == 1 && run.out.contains("cannot read the commands"),
                            "{what}: {run:?}"
                        );
                    }
                }
            }
        }
    }
}

// SPEC 12.14: each command ends, without much memory, and reads nothing outside
#[test]
fn the_files_of_a_project_are_regular_files() {
    for (file, _) in skills_core::read::PROJECT_FILES {
        for special in ["/dev/zero", "fifo", "large", "/proc/self/environ", "../outside/fifo"] {
            let place = hostile_place();
            make_special(&place, file, special);
            for line in commands_of(file) {
                let what = format!("skills {line}, {file} is {special}");
                let run = run_bounded(&place, line);
                check_run(&run, &what);
                if *file == "skills.toml" && *line == "check ." {
                    assert!(run.out.contains("cannot read `skills.toml`"), "{what}: {run:?}");
                }
            }
        }
    }
}
