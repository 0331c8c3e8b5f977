//! `skills exec` and `skills expand`: programs run, are refused with the texts of the contract, and code is shown.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::child::{kill, reads, until_gone};
use crate::command::{Place, Run};

const SKILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills");

/// Returns a skill with further lines in its frontmatter.
fn skill(name: &str, lines: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name} things.\n{lines}---\n# {name}\n")
}

fn text(json: &str, key: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    value[key].as_str().unwrap_or_default().to_owned()
}

// SPEC 4.3: without the file of its schema, a program is not run, since its input would not be checked
#[test]
fn a_missing_schema_is_refused() {
    for schema in ["in.json", "../in.json"] {
        let lines = format!("exec: run\nschema: {schema}\n");
        let place = Place::new(&[
            ("s/dig/SKILL.md", &skill("dig", &lines)),
            ("s/dig/run", "#!/bin/sh\necho ran\n"),
            ("in.json", "{}"),
        ]);
        let run = place.run(&["exec", "dig", "--dir", "s", "--input", "1"]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
        assert!(run.err.contains("SKILL.md:5:9: `schema` "), "{}", run.err);
        assert_eq!(place.run(&["list", "s"]).code, 1, "a skill is left out");
    }
}

// SPEC 7.1, 7.2: the program runs in the workspace, and the keys are in order
#[test]
#[ignore = "needs git and python3"]
fn the_bundled_changelog_runs() {
    test_bed::need("git");
    test_bed::need("python3");
    let place = Place::new(&[("repository/a.txt", "a")]);
    for arguments in [
        &["init", "-q"][..],
        &["add", "."],
        &[
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b.c",
            "commit",
            "-q",
            "--no-gpg-sign",
            "-m",
            "feat(cli): run programs",
        ],
    ] {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(place.top.join("repository"));
        assert!(git.status().unwrap().success(), "{arguments:?}");
    }
    let run = place.run(&["exec", "git-changelog", "--dir", SKILLS, "--workspace", "repository"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(
        run.out.starts_with(r##"{"name":"git-changelog","exit_code":0,"stdout":"# Changelog\n"##),
        "{}",
        run.out
    );
    assert!(text(&run.out, "stdout").contains("### Features\n\n- **cli:** run programs ("), "{}", run.out);

    let outside = place.run(&["exec", "git-changelog", "--dir", SKILLS]);
    assert_eq!(outside.code, 1, "the exit code is passed on");
    assert!(text(&outside.out, "stderr").contains("not a git repository"), "{}", outside.out);
}

// SPEC 4.3, 7.1: input is checked against the schema, all violations at once, and read from stdin with `-`
#[test]
#[ignore = "needs python3"]
fn the_bundled_csv_profile_checks_its_input_and_runs() {
    test_bed::need("python3");
    let place = Place::new(&[("table.csv", "name,age\nAda,36\nAlan,41\n")]);
    let exec = |input: &[&str]| {
        let mut arguments = vec!["exec", "csv-profile", "--dir", SKILLS];
        arguments.extend(input);
        place.command(&arguments)
    };
    let run = Run::of(&mut exec(&["--input", r#"{"path": "table.csv"}"#]));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let profile: serde_json::Value = serde_json::from_str(&text(&run.out, "stdout")).unwrap();
    assert_eq!(profile["rows"], 2);
    assert_eq!(profile["columns"][1]["max"], 41);

    let mut piped = exec(&["--input", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    piped.stdin.take().unwrap().write_all(br#"{"path": "table.csv"}"#).unwrap();
    let piped = String::from_utf8(piped.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(text(&piped, "stdout"), text(&run.out, "stdout"));

    for (input, lines) in [
        (
            &["--input", r#"{"pat": 1, "max_rows": 0}"#][..],
            &["/pat: ", "/max_rows: minimum: ", "(root): required: "][..],
        ),
        (&["--input", "{"], &["1:2: "]),
        (&[], &["--input"]),
    ] {
        let run = Run::of(&mut exec(input));
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{input:?}");
        assert!(run.err.starts_with("error: invalid_input: skill \"csv-profile\" "), "{}", run.err);
        for line in lines {
            assert!(run.err.contains(line), "{line}: {}", run.err);
        }
    }
}

// SPEC 7.3: `exec` prints what the program printed, and says that a call would refuse it
#[test]
fn an_output_that_does_not_match_is_named() {
    let manifest = r#"{"name": "work", "description": "Works.", "category": "files", "mode": "code",
        "input": {"type": "object"}, "output": {"type": "object", "required": ["done"]}}"#;
    let place = Place::new(&[
        ("s/work/SKILL.md", "---\nname: work\ndescription: Works.\nexec: run\n---\n# Work\n"),
        ("s/work/skill.json", manifest),
    ]);
    for (program, code, warning) in [
        ("echo '{\"done\": 1}'", 0, ""),
        (
            "echo '{\"did\": 1}'",
            0,
            "warning: the output does not match skill.json, so a call would fail\n(root): required: expected the property \"done\", found none\n",
        ),
        ("echo broken; exit 3", 3, ""),
    ] {
        place.write("s/work/bin/run", &format!("#!/bin/sh\n{program}\n"));
        let run = place.run(&["exec", "work", "--dir", "s", "--input", "{}"]);
        assert_eq!((run.code, run.err.as_str()), (code, warning), "{program}: {}", run.out);
        assert_eq!(run.out.matches("\"exit_code\"").count(), 1, "{}", run.out);
    }
}

// SPEC 7.3, 18.22: the texts for a person, on stderr, with exit code 1; SPEC 8.3: an unknown name; SPEC 2.9: a gated skill is unknown
#[test]
fn refusals() {
    let place = Place::new(&[
        ("s/prose/SKILL.md", &skill("prose", "")),
        ("s/helper/SKILL.md", &skill("helper", "")),
        ("s/helper/scripts/a.py", "print(1)\n"),
        ("s/lost/SKILL.md", &skill("lost", "exec: run.sh\n")),
        ("s/gated/SKILL.md", &skill("gated", "exec: run.sh\nrequires: [\"cap:network\"]\n")),
        ("s/gated/run.sh", "#!/bin/sh\n"),
        (
            "s/typed/skill.json",
            r#"{"name": "typed", "description": "x", "category": "c", "mode": "llm", "input": {}, "output": {}}"#,
        ),
        ("s/typed/prompt.md", "Think.\n"),
    ]);
    let at = |path: &str| place.path(&format!("s/{path}"));
    let unknown = |name: &str| format!("skill not found: {name}");
    for (name, text) in [
        ("prose", "`prose` is a text: an agent reads it\n`skills show prose` prints it, and `skills new NAME --exec sh` makes a program".to_owned()),
        ("helper", "`helper` has scripts, but its SKILL.md does not say which one to run\nadd `exec: FILE` to its frontmatter".to_owned()),
        ("typed", "`typed` is a function without a program\n`skills call typed` calls it, unless only another program has its method".to_owned()),
        ("lost", format!("exec_not_found: skill \"lost\" exec binary not found at {}", at("lost/run.sh"))),
        ("gated", format!("{}\nnote: no name is similar; `list` shows 4 available skills", unknown("gated"))),
        ("porse", format!("{}\ndid you mean `prose`?", unknown("porse"))),
    ] {
        let run = place.run(&["exec", name, "--dir", "s"]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{name}");
        let lines: Vec<&str> = run.err.lines().filter(|line| !line.starts_with("warning: ")).collect();
        assert_eq!(lines.join("\n"), format!("error: {text}"));
    }
    let control = place.run(&["exec", "\u{1b}[31m", "--dir", "s"]);
    assert!(control.err.contains("skill not found: \\u{1b}[31m\n"), "SPEC 2.11: {}", control.err);
    std::fs::create_dir(place.top.join("empty")).unwrap();
    let empty = place.run(&["exec", "x", "--dir", "empty"]);
    assert!(empty.err.ends_with("No skills found in empty\nerror: skill not found: x\n"), "{}", empty.err);
    let file = place.run(&["exec", "x", "--dir", "s/prose/SKILL.md"]);
    assert_eq!((file.code, file.err.contains("skill not found")), (1, false), "SPEC 1.2: {}", file.err);
}

// SPEC 11.1
#[test]
fn an_input_without_its_option_is_explained() {
    let place = Place::new(&[
        ("s/count/SKILL.md", &skill("count", "exec: run.sh\n")),
        ("s/count/run.sh", "#!/bin/sh\n"),
    ]);
    for command in ["exec", "call"] {
        let run = place.run(&[command, "count", r#"{"a": 1}"#, "--dir", "s"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{command}");
        assert!(run.err.contains(r#"to pass an input, use `--input '{"a": 1}'`"#), "{command}: {}", run.err);
    }
    let run = place.run(&["exec", "count", "--inptu", "--dir", "s"]);
    assert!(!run.err.contains("to pass an input"), "{}", run.err);
}

// SPEC 7.1: the limit of the call, then that of the skill; SPEC 7.2: exit code 124 and its text
#[test]
fn limits() {
    let place = Place::new(&[
        ("s/slow/SKILL.md", &skill("slow", "exec: slow\ntimeout: 200ms\n")),
        ("s/slow/bin/slow", "#!/bin/sh\nsleep 60\n"),
    ]);
    for (limit, expected) in
        [(&[][..], "200ms"), (&["--timeout", "100ms"], "100ms"), (&["--timeout", "150"], "150ms")]
    {
        let mut arguments = vec!["exec", "slow", "--dir", "s"];
        arguments.extend(limit);
        let run = place.run(&arguments);
        assert_eq!(run.code, 124, "{}", run.err);
        assert_eq!(text(&run.out, "error"), format!("timeout after {expected}"));
    }
    for limit in ["0", "-5s", "soon"] {
        let run = place.run(&["exec", "slow", "--dir", "s", "--timeout", limit]);
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        assert!(run.err.starts_with("error: invalid_timeout: "), "{}", run.err);
    }
}

// SPEC 7.1, 7.3: an invalid limit in the frontmatter is refused, and does not mean the default
#[test]
fn an_invalid_limit_is_refused() {
    let place = Place::new(&[
        ("s/odd/SKILL.md", &skill("odd", "exec: odd\ntimeout: 0\n")),
        ("s/odd/bin/odd", "#!/bin/sh\n"),
    ]);
    let run = place.run(&["exec", "odd", "--dir", "s"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("invalid_timeout: \"0\" is not a time limit"), "{}", run.err);
    assert_eq!(place.run(&["exec", "odd", "--dir", "s", "--timeout", "10s"]).code, 0);
}

// SPEC 7.2, 7.6, 7.11, 11.1: Ctrl-C ends the program and what it started, and the outcome says so and has its standard
// error
#[test]
fn a_signal_ends_the_program() {
    let script = "#!/bin/sh\ntrap '' INT TERM\nsleep 600 &\necho 'half of it' >&2\necho $! > pid.new\nmv pid.new pid\nwait\n";
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let place =
            Place::new(&[("s/slow/SKILL.md", &skill("slow", "exec: slow\n")), ("s/slow/bin/slow", script)]);
        let mut command = place.command(&["exec", "slow", "--dir", "s"]);
        let exec = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = reads(&place.top.join("pid"));
        kill(signal, &exec.id().to_string());
        let output = exec.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!((text(&out, "error"), text(&out, "stderr")), ("cancelled".into(), "half of it\n".into()));
        until_gone(pid.trim());
    }
}

// SPEC 7.1: without a schema the input is passed on byte for byte; only the variables of the policy are passed
#[test]
fn input_environment_and_exit_code_are_passed_on() {
    let script = "#!/bin/sh\ncat\nprintf '[%s|%s|%s|%s]' \"$SKILL_NAME\" \"$SKILL_PATH\" \"$COGOS_WORKSPACE\" \"$SECRET\"\nexit 7\n";
    let place = Place::new(&[
        ("s/echo/SKILL.md", &skill("echo", "exec: run\n")),
        ("s/echo/bin/run", script),
        ("w/x", ""),
    ]);
    let mut command =
        place.command(&["exec", "echo", "--dir", "s", "--input", "-5 {no json", "--workspace", "w"]);
    let run = Run::of(command.env("SECRET", "s3cret"));
    assert_eq!(run.code, 7);
    let wanted = format!("-5 {{no json[echo|{}|{}|]", place.path("s/echo"), place.path("w"));
    assert_eq!(text(&run.out, "stdout"), wanted);
}

// SPEC 11.1: `expand` shows the generated code, of all skills or of one
#[test]
fn expanded_code_is_rust() {
    let place = Place::new(&[]);
    let all = place.run(&["expand", SKILLS]);
    assert_eq!((all.code, all.err.as_str()), (0, ""));
    let file = syn::parse_file(&all.out).unwrap();
    // The module `__exports` has the names that the macro imports.
    let is_skill = |item: &&syn::Item| matches!(item, syn::Item::Mod(module) if !module.ident.to_string().starts_with("__"));
    let modules = file.items.iter().filter(is_skill).count();
    let with_manifest = std::fs::read_dir(Path::new(SKILLS)).unwrap();
    let with_manifest = with_manifest.filter(|dir| dir.as_ref().unwrap().path().join("skill.json").exists());
    assert_eq!(modules, with_manifest.count());

    let one = place.run(&["expand", SKILLS, "--skill", "code_review"]);
    for part in
        ["pub code_review: ", "pub mod code_review {", "    pub struct Input {\n", "pub struct Output"]
    {
        assert!(one.out.contains(part), "{part}: {}", one.out);
    }
    assert!(!one.out.contains("memory_search"), "{}", one.out);
    assert_eq!(place.run(&["expand", SKILLS, "code_review"]).code, 2);
    // SPEC 6.2: the stub of a host, which `tests/packages` compiles.
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packages");
    let notes = packages.join("notes").to_string_lossy().into_owned();
    let wanted = std::fs::read_to_string(packages.join("stub/src/stub.rs")).unwrap();
    assert_eq!(place.run(&["expand", "--host", &notes]).out, wanted);
    let none = place.run(&["expand", SKILLS, "--skill", "code_revew"]);
    assert_eq!(none.code, 1);
    assert!(none.err.ends_with("did you mean `code_review`?\n"), "{}", none.err);
}

// SPEC 7.6, 11.1: `-v` and `RUST_LOG` print each run to standard error, in one line
#[test]
fn events_are_printed_on_request() {
    let place = Place::new(&[
        ("skills/a/SKILL.md", &skill("a", "exec: run.sh\n")),
        ("skills/a/run.sh", "#!/bin/sh\necho hi\n"),
    ]);
    let exec = |arguments: &[&str]| place.run(&[&["exec", "a", "--dir", "skills"], arguments].concat());
    assert_eq!(exec(&[]).err, "");
    let run = exec(&["-v"]);
    assert!(run.err.contains("INFO") && run.err.contains("program ended"), "{}", run.err);
    assert_eq!(text(&run.out, "stdout"), "hi\n");
}
