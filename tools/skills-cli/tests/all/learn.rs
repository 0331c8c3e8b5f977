//! `skills learn`, and the comparison of permissions with observations or another version.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;

use crate::command::{Place, Run};

const COPY: &str = "#!/bin/bash\nset -e\nread -r name || :\ncat \"$SKILL_PATH/data\" notes.md\n\
                    if [ \"$name\" != '\"\"' ]; then echo x >out.txt; fi\ncat ../secret 2>/dev/null || :\n";

/// A skill with a program, which reads a file and writes one that its input names.
fn place(permissions: &str) -> Place {
    let manifest = format!(
        "{{\n  \"name\": \"copy\",\n  \"description\": \"Copies a file.\",\n  \"category\": \"files\",\n  \
         \"input\": {{}},\n  \"output\": {{}},\n  \"mode\": \"code\"{permissions}\n}}\n"
    );
    Place::new(&[
        ("s/copy/skill.json", &manifest),
        (
            "s/copy/SKILL.md",
            "---\nname: copy\ndescription: Copies a file.\nexec: run\n---\n# Copy\n\nIt copies.\n",
        ),
        ("s/copy/run", COPY),
        ("s/copy/data", "data\n"),
        ("w/notes.md", "notes\n"),
        ("w/out.txt", ""),
        ("w/in.txt", "in\n"),
        ("secret", "secret\n"),
    ])
}

fn learn(place: &Place, more: &[&str]) -> Run {
    place.run(&[&["learn", "copy", "--dir", "s", "--workspace", "w"], more].concat())
}

fn manifest(place: &Place) -> String {
    fs::read_to_string(place.top.join("s/copy/skill.json")).unwrap()
}

// SPEC 13.18, 13.21: the permissions are printed with their first uses, and added without any other change
#[test]
fn permissions_are_learned_and_written() {
    let place = place("");
    let run = learn(&place, &["--input", "\"\""]);
    assert_eq!((run.code, run.out.lines().count()), (0, 1), "{}", run.err);
    let before = manifest(&place);
    let top = place.path("secret");
    assert_eq!(
        run.out,
        format!(
            "{{\"read\":[\"$WORKSPACE/notes.md\",\"{}\"],\"write\":[],\"net\":\"none\",\"env\":[]}}\n",
            top.rsplit_once('/').unwrap().0
        )
    );
    assert!(
        run.err
            .contains("read `$WORKSPACE/notes.md`: in the run, it read $WORKSPACE/notes.md (openat by cat)"),
        "{}",
        run.err
    );
    let run = learn(&place, &["--input", "\"\"", "--write"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let after = manifest(&place);
    let (added, old): (Vec<&str>, Vec<&str>) =
        after.lines().partition(|line| line.contains("\"permissions\""));
    assert_eq!(added.len(), 1, "{after}");
    assert_eq!(old.join("\n").replace("\"mode\": \"code\",", "\"mode\": \"code\"") + "\n", before);
    let run = learn(&place, &["--input", "\"\"", "--write"]);
    assert!(run.err.contains("the skill already requests all permissions that it used"), "{}", run.err);
    assert_eq!(manifest(&place), after);
}

// SPEC 13.21: its permissions refuse the program everything else, which is suggested
#[test]
fn refused_accesses_are_suggested_as_permissions() {
    let place = place(",\n  \"permissions\": { \"read\": [\"$WORKSPACE/notes.md\"] }");
    let run = learn(&place, &["--input", "\"x\"", "--sandbox", "require"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.starts_with(r#"{"read":["$WORKSPACE/notes.md"],"write":[],"#), "{}", run.out);
    let wanted =
        "it tried to write $WORKSPACE/out.txt (openat by bash run): add \"$WORKSPACE/out.txt\" to `write`";
    assert!(run.err.replace("\n  ", " ").contains(wanted), "{}", run.err);
    assert!(run.err.contains("the run: the program failed with exit code 1"), "{}", run.err);
}

// SPEC 13.21: a confined program has a home directory of its own, in which the files of the user are missing
#[test]
fn a_file_of_the_user_is_named() {
    let place = place(",\n  \"permissions\": {}");
    place.write("s/copy/run", "#!/bin/bash\ncat ~/.config/gh/hosts.yml ~/.config/none; :\n");
    place.write("home/.config/gh/hosts.yml", "x\n");
    let home = place.path("home");
    let arguments =
        ["learn", "copy", "--dir", "s", "--workspace", "w", "--sandbox", "require", "--input", "\"\""];
    let run = Run::of(place.command(&arguments).env("HOME", &home));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with(r#"{"read":[],"write":[]"#), "{}", run.out);
    let wanted = "it tried to read ~/.config/gh/hosts.yml, which does not exist in its private home directory: add \"~/.config/gh\" to `read`";
    assert!(run.err.replace("\n  ", " ").contains(wanted) && !run.err.contains("none"), "{}", run.err);
}

// SPEC 13.18: the inputs of evaluation cases and examples
#[test]
fn each_case_and_each_example_is_run() {
    let place = place("");
    place.write("s/copy/examples/one.json", "\"\"");
    let run = learn(&place, &[]);
    assert!(run.err.contains("in examples/one.json, it read"), "{}", run.err);
    let cases = r#"{"skill_name": "copy", "evals": [
        {"id": "a", "input": "", "expected_output": "x"}, {"id": "b", "input": {"file": "notes.md"}, "expected_output": "x"}]}"#;
    place.write("s/copy/evals/evals.json", cases);
    place.write(
        "s/copy/run",
        "#!/bin/bash\nread -r text || :\ncase $text in *notes*) cat notes.md ;; *) cat in.txt ;; esac\n",
    );
    let run = learn(&place, &["--evals", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let skill = &value["skills"][0];
    assert_eq!(skill["runs"][1]["run"], "case b", "{}", run.out);
    // Another case names another file.
    assert_eq!(skill["permissions"]["read"], serde_json::json!(["$WORKSPACE"]), "{}", run.out);
}

// SPEC 13.22: an undeclared right is an error, and an unused one a lint
#[test]
fn observed_runs_are_compared_with_the_permissions() {
    let place = place(
        ",\n  \"permissions\": {\n    \"read\": [\n      \"$WORKSPACE/notes.md\"\n    ],\n    \"env\": [\"LANGUAGE\"]\n  }",
    );
    let run = learn(&place, &["--input", "\"\"", "--json"]);
    place.write("observed.json", &run.out);
    let run = place.run(&["check", "s", "--observed", "observed.json", "--allow", "permission-wide"]);
    let dir = place.top.to_str().unwrap();
    assert_eq!(run.code, 1, "{}", run.err);
    let all = format!("{}{}", run.out, run.err);
    assert!(
        all.contains(&format!("the program of `copy` reads `{dir}`, which the skill does not request")),
        "{all}"
    );
    assert!(all.contains("no observed run used the permission `LANGUAGE` of `env`"), "{all}");
    assert!(all.contains(&format!("`{dir}`: {dir}/secret (openat by cat), in the run")), "{all}");
    let fix = [
        "check",
        "s",
        "--observed",
        "observed.json",
        "--allow",
        "permission-wide",
        "--fix",
        "--unsafe-fixes",
    ];
    assert_eq!(place.run(&fix).code, 0);
    let wanted = format!(
        "\"read\": [\n      \"$WORKSPACE/notes.md\",\n      \"{dir}\"\n    ],\n    \"env\": [\"LANGUAGE\"]"
    );
    assert!(manifest(&place).contains(&wanted), "{}", manifest(&place));
    place.write("observed.json", "{}");
    let run = place.run(&["check", "s", "--observed", "observed.json"]);
    assert!(run.code == 2 && run.err.contains("it has no `format_version`"), "{}", run.err);
    place.write("observed.json", r#"{"format_version": 9, "skills": []}"#);
    let run = place.run(&["check", "s", "--observed", "observed.json"]);
    assert!(run.code == 2 && run.err.contains("its `format_version` is 9"), "{}", run.err);
    place.write("observed.json", r#"{"format_version": 1, "skills": []}"#);
    let run = place.run(&["check", "s", "--observed", "observed.json"]);
    assert!(run.code == 0 && run.err.contains("observed.json: no program was observed"), "{}", run.err);
}

// SPEC 13.22: an evaluation observes the programs that it runs
#[test]
fn an_evaluation_writes_its_observations() {
    let place = place("");
    let cases =
        r#"{"skill_name": "copy", "evals": [{"id": "a", "input": "", "expected_output": "It is done."}]}"#;
    place.write("s/copy/evals/evals.json", cases);
    place.write("s/copy/run", "#!/bin/bash\nls >/dev/null\necho '\"done\"'\n");
    let run = place.run(&[
        "eval",
        "s",
        "--observe",
        "observed.json",
        "--runs",
        "1",
        "--no-baseline",
        "--allow-ungraded",
    ]);
    let text = fs::read_to_string(place.top.join("observed.json")).unwrap_or_else(|_| panic!("{}", run.err));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["skills"][0]["permissions"]["read"], serde_json::json!(["$WORKSPACE"]), "{text}");
}

// SPEC 13.23: a directory that is trusted again, and another version of a plugin
#[test]
fn changed_permissions_are_described() {
    let skill = |permissions: &str| {
        format!(
            "---\nname: pdf\ndescription: Reads PDF files.\nlicense: MIT\n{permissions}---\n# PDF\n\nRead it.\n"
        )
    };
    let old = skill("metadata:\n  permissions: '{\"net\": [\"a.example\"]}'\n");
    let new = skill("metadata:\n  permissions: '{\"net\": [\"a.example\", \"api.example.com\"]}'\n");
    let plugin = r#"{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "p", "version": "1.0.0", "description": "A plugin."}"#;
    let place = Place::new(&[
        ("r/.claude/skills/pdf/SKILL.md", &old),
        ("home/x", ""),
        ("old/plugin.json", plugin),
        ("old/skills/pdf/SKILL.md", &old),
        ("new/plugin.json", plugin),
        ("new/skills/pdf/SKILL.md", &new),
    ]);
    let trust = |arguments: &[&str]| {
        Run::of(
            place
                .command(&[&["trust"], arguments].concat())
                .env("HOME", place.path("home"))
                .env_remove("XDG_CONFIG_HOME"),
        )
    };
    assert_eq!(trust(&["r"]).code, 0);
    place.write("r/.claude/skills/pdf/SKILL.md", &new);
    let wanted = "`pdf` now also connects to api.example.com";
    for arguments in [&["--list"][..], &["r"]] {
        let run = trust(arguments);
        assert!(run.out.contains(wanted), "{run:?}");
    }
    assert!(!trust(&["r"]).out.contains(wanted));
    let run = place.run(&["plugin", "check", "new", "--against", "old"]);
    assert!(run.code == 0 && run.out.contains(wanted), "{run:?}");
    let run = place.run(&["plugin", "check", "old", "--against", "new", "--json"]);
    assert!(run.out.contains("`pdf` no longer connects to api.example.com"), "{run:?}");
}
