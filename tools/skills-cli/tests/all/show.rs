//! `skills show`, the filters of `list` and `tools`, help, and readers that go away.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use crate::command::Place;

const SKILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skills");

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

fn place() -> Place {
    Place::new(&[
        (
            "s/tool/SKILL.md",
            "---\nname: tool\ndescription: Runs.\nexec: run\nschema: in.json\nlicense: MIT\nmetadata:\n  x: 1.0\n---\n\n# Tool\n\n\u{1b}[31mred\n",
        ),
        ("s/tool/bin/run", "#!/bin/sh\ncat\n"),
        (
            "s/tool/in.json",
            "{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\", \"default\": 3}}}",
        ),
        (
            "s/add/skill.json",
            "{\"name\": \"add\", \"description\": \"Adds numbers.\", \"category\": \"math\", \"input\": {\"type\": \"object\"}, \
             \"output\": true, \"mode\": \"code\", \"tags\": [\"sum\", \"Fast\"]}",
        ),
        (
            "s/ask/skill.json",
            "{\"name\": \"ask\", \"description\": \"Asks about sums.\", \"category\": \"talk\", \"input\": {\"type\": \"object\"}, \
             \"output\": {\"type\": \"object\"}, \"mode\": \"llm\", \"tags\": [\"sum\"]}",
        ),
        ("s/ask/prompt.md", "Ask.\n"),
        ("s/gated/SKILL.md", "---\nname: gated\ndescription: Is gated.\nrequires: cap:root\n---\n"),
    ])
}

// SPEC 11.1, 11.2: the record, then frontmatter, body, resources, input and output; SPEC 2.5: verbatim, in file order
#[test]
fn one_skill_is_shown_completely() {
    let place = place();
    let run = place.run(&["show", "tool", "--dir", "s", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let shown = json(&run.out);
    let list = json(&place.run(&["list", "s", "--json", "--search", "runs"]).out);
    for (key, value) in list[0].as_object().unwrap() {
        assert_eq!(&shown[key], value, "the record is that of `list`");
    }
    let head: Vec<&str> = run
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("  \"")?.split_once('"').map(|(key, _)| key))
        .collect();
    let record = ["name", "version", "tier", "description", "exec", "schema", "path", "requires"];
    assert_eq!(
        head,
        [&record[..], &["frontmatter", "body", "resources", "input", "output", "callable"]].concat()
    );
    assert!(run.out.contains("      \"x\": 1.0\n"), "{}", run.out);
    assert_eq!(shown["body"], "# Tool\n\n\u{1b}[31mred\n");
    assert_eq!(shown["input"]["properties"]["n"]["default"], 3);
    assert_eq!(shown["output"], serde_json::Value::Null);
    // SPEC 6.10: a client may have a model, but not a function of a host
    assert_eq!((&shown["callable"], shown.get("missing")), (&true.into(), None));
    for (name, missing) in [
        ("ask", serde_json::Value::Null),
        ("add", "Skill \"add\" (code) has no host function and no exec".into()),
    ] {
        let shown = json(&place.run(&["show", name, "--dir", "s", "--json"]).out);
        assert_eq!((&shown["callable"], &shown["missing"]), (&missing.is_null().into(), &missing));
    }
    let resource = &shown["resources"][0];
    assert_eq!((&resource["path"], &resource["executable"]), (&"bin/run".into(), &true.into()));
    assert_eq!(resource["bytes"], "#!/bin/sh\ncat\n".len());
    assert_eq!(resource["sha256"].as_str().unwrap().len(), 64);

    let run = place.run(&["show", "tool", "--dir", "s"]);
    assert!(run.out.contains("license") && run.out.contains("bin/run  14 bytes, executable"), "{}", run.out);
    assert!(run.out.contains("\\u{1b}[31mred\n") && !run.out.contains('\u{1b}'), "SPEC 2.11: {}", run.out);
    // SPEC 11.27: the properties of the input, and an output of any value
    assert!(
        run.out.contains("\ninput\n  n  integer  default 3\n") && !run.out.contains("\noutput\n"),
        "{}",
        run.out
    );
    let add = place.run(&["show", "add", "--dir", "s"]).out;
    assert!(add.contains("\ninput\n  any  object\n\noutput\n  any  any value\n"), "{add}");
    for (name, near) in [
        ("gated", "note: no name is similar; `list` shows 3 available skills\n"),
        ("tol", "did you mean `tool`?\n"),
    ] {
        let run = place.run(&["show", name, "--dir", "s"]);
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        let expected = format!("error: skill not found: {name}\n{near}");
        assert!(run.err.ends_with(&expected), "SPEC 2.9, 8.3: {}", run.err);
    }
}

// SPEC 11.1: `--tag`, `--category`, `--mode`, `--search`, for `list` and `tools`
#[test]
fn filters() {
    let place = place();
    for (filter, names) in [
        (&["--tag", "sum"][..], &["add", "ask"][..]),
        (&["--tag", "sum", "--tag", "fast"], &["add"]),
        (&["--category", "math", "--category", "talk"], &["add", "ask"]),
        (&["--mode", "llm"], &["ask"]),
        (&["--search", "adds numbers"], &["add"]),
        (&["--search", "sum", "--mode", "composite"], &[]),
        (&["--tag", "none"], &[]),
    ] {
        let names_of = |out: &str| -> Vec<String> {
            let found = json(out);
            found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
        };
        let list = place.run(&[&["list", "s", "--json"], filter].concat());
        assert_eq!(names_of(&list.out), names, "{filter:?}");
        let tools = place.run(&[&["tools", "s", "--format", "anthropic", "--host"], filter].concat());
        assert_eq!(names_of(&tools.out), names, "{filter:?}");
    }
    assert_eq!(place.run(&["list", "s", "--mode", "prose"]).code, 2);
}

// SPEC 6.1, 7.1: what the program reads has the defaults of its schema; SPEC 4.3: of skill.json, too
#[test]
fn a_program_reads_its_defaults() {
    let place = place();
    let exec = |name: &str, input: &str| place.run(&["exec", name, "--dir", "s", "--input", input]);
    let run = exec("tool", "{}");
    assert_eq!(json(&run.out)["stdout"], "{\"n\":3}", "{}", run.err);
    place.write("s/add/SKILL.md", "---\nexec: run.sh\n---\n");
    place.write("s/add/run.sh", "#!/bin/sh\ncat\n");
    assert_eq!(exec("add", "{\"a\": [1, 2]}").code, 0);
    let refused = exec("add", "[]");
    assert!(
        refused.err.contains("invalid_input: skill \"add\" needs input that matches skill.json"),
        "{}",
        refused.err
    );
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
}

// SPEC 11.1: `--help` with examples
#[test]
fn each_command_has_a_help() {
    let place = Place::new(&[]);
    let help = place.run(&["--help"]);
    let commands: Vec<&str> = help
        .out
        .lines()
        .take_while(|line| *line != "Options:")
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 15, "{commands:?}");
    for command in &commands {
        let help = place.run(&[command, "--help"]);
        assert_eq!(help.code, 0);
        assert!(help.out.contains(&format!("Examples:\n  skills {command} ")), "{}", help.out);
        assert!(!help.out.contains('\u{1b}'), "no colours in a pipe");
    }
}

// SPEC 12.1, 12.2: a reader that closes the pipe is not an error, and nothing is reported
#[test]
fn a_reader_may_close_the_pipe() {
    let place = Place::new(&[]);
    let long = "x".repeat(1000);
    for number in 0..100 {
        let text = format!("---\nname: skill-{number}\ndescription: {long}\n---\n{long}\n");
        place.write(format!("s/skill-{number}/SKILL.md"), &text);
    }
    let big = place.run(&["list", "s", "--json"]);
    assert_eq!(json(&big.out).as_array().unwrap().len(), 100, "SPEC 12.2: more than a pipe holds");
    for arguments in [
        &["list", "s"][..],
        &["list", "s", "--json"],
        &["show", "skill-1", "--dir", "s"],
        &["prompt", "s", "--budget", "1000000"],
        &["completions", "bash"],
        &["check", "s"],
        &["expand", "s"],
        &["--help"],
    ] {
        let mut command = place.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut one = [0; 1];
        let read = child.stdout.take().unwrap().read(&mut one);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {read:?} {err}");
        assert!(!err.contains("panicked"), "{arguments:?} {err}");
    }
}

// SPEC 12.1: paths and arguments that are not UTF-8
#[test]
fn paths_that_are_not_utf8() {
    let place = place();
    let odd = OsStr::from_bytes(b"s\xff");
    std::fs::rename(place.top.join("s"), place.top.join(odd)).unwrap();
    let run = |arguments: &[&OsStr]| place.run(arguments);
    let list = run(&["list".as_ref(), odd, "--json".as_ref()]);
    assert_eq!(json(&list.out).as_array().unwrap().len(), 3, "{}", list.err);
    assert!(list.err.contains("the path is not UTF-8"), "{}", list.err);
    let exec =
        run(&["exec".as_ref(), "tool".as_ref(), "--dir".as_ref(), odd, "--input".as_ref(), "{}".as_ref()]);
    assert_eq!(exec.code, 0, "it runs where it lies: {}{}", exec.out, exec.err);
    for arguments in [
        &["show".as_ref(), odd, "--dir".as_ref(), odd][..],
        &["new".as_ref(), odd],
        &["explain".as_ref(), odd],
    ] {
        let run = run(arguments);
        assert!((1..=2).contains(&run.code) && run.out.is_empty(), "{arguments:?} {}", run.err);
    }
    let made = run(&["new".as_ref(), "x".as_ref(), "--dir".as_ref(), odd]);
    assert_eq!(made.code, 0, "{}", made.err);
    let migrated = run(&["migrate".as_ref(), std::path::Path::new(odd).join("x").as_os_str()]);
    assert_eq!(migrated.code, 0, "{}", migrated.err);
}

// SPEC 11.1: the bundled skills of this repository are shown, each as JSON and as text
#[test]
fn every_bundled_skill_is_shown() {
    let place = Place::new(&[]);
    for skill in json(&place.run(&["list", SKILLS, "--json", "--all"]).out).as_array().unwrap() {
        let name = skill["name"].as_str().unwrap();
        for more in [&[][..], &["--json"]] {
            let run = place.run(&[&["show", name, "--dir", SKILLS], more].concat());
            assert_eq!((run.code, run.err.as_str()), (0, ""));
        }
    }
}

// SPEC 5.8: the body of a prompt is shown without doubled braces, any other unchanged
#[test]
fn a_prompt_is_shown_without_its_escapes() {
    let document = "---\nname: ask\ndescription: Asks.\n---\nUse {{{{x}}}}.\n";
    let function = "{\"name\": \"ask\", \"description\": \"Asks.\", \"category\": \"c\", \"input\": {\"type\": \"object\"}, \
                    \"output\": {\"type\": \"object\"}, \"mode\": \"llm\"}";
    let place = Place::new(&[
        ("s/ask/SKILL.md", document),
        ("s/ask/skill.json", function),
        ("t/ask/SKILL.md", document),
    ]);
    let shown = |dir: &str| place.run(&["show", "ask", "--dir", dir]).out;
    assert!(shown("s").ends_with("\nUse {{x}}.\n"), "{}", shown("s"));
    assert!(shown("t").ends_with("\nUse {{{{x}}}}.\n"), "{}", shown("t"));
}

// SPEC 13.1, 13.4: requested permissions are shown from either file, and an invalid value requests nothing
#[test]
fn requested_permissions_are_shown() {
    let document = |name, asked: &str| {
        format!("---\nname: {name}\ndescription: D.\nallowed-tools: Bash Write\n{asked}---\n# T\n")
    };
    let function = "{\"name\": \"add\", \"description\": \"Adds.\", \"category\": \"math\", \"input\": {}, \"output\": {}, \
         \"mode\": \"code\", \"permissions\": {\"net\": [\"a.example\"], \"env\": [\"LANG\"]}}";
    let place = Place::new(&[
        (
            "s/says/SKILL.md",
            &document("says", "metadata:\n  permissions: '{\"read\": [\"$WORKSPACE\", \"data\"]}'\n"),
        ),
        ("s/silent/SKILL.md", &document("silent", "")),
        ("s/wrong/SKILL.md", &document("wrong", "metadata:\n  permissions: everything\n")),
        (
            "s/partly/SKILL.md",
            &document(
                "partly",
                "metadata:\n  permissions: '{\"read\": [\"../x\", \".\"], \"net\": \"any\"}'\n",
            ),
        ),
        ("s/add/skill.json", function),
    ]);
    let list = json(&place.run(&["list", "s", "--json"]).out);
    let asked = |name: &str| {
        let record = list.as_array().unwrap().iter().find(|record| record["name"] == name).unwrap();
        record.get("permissions").map(serde_json::Value::to_string)
    };
    let text = |text: &str| Some(json(text).to_string());
    assert_eq!(asked("says"), text(r#"{"read":["$WORKSPACE","data"],"write":[],"net":"none","env":[]}"#));
    assert_eq!(asked("add"), text(r#"{"read":[],"write":[],"net":["a.example"],"env":["LANG"]}"#));
    assert_eq!(asked("silent"), None, "`allowed-tools` is not a right");
    assert_eq!(asked("wrong"), text(r#"{"read":[],"write":[],"net":"none","env":[]}"#));
    assert_eq!(asked("partly"), text(r#"{"read":["."],"write":[],"net":"none","env":[]}"#));
    let shown = place.run(&["show", "add", "--dir", "s"]).out;
    assert!(shown.contains("permissions") && shown.contains("a.example"), "{shown}");
    let check = place.run(&["check", "s"]);
    assert_eq!(check.code, 1);
    for code in ["permission-value", "permission-path"] {
        assert!(check.err.contains(code) || check.out.contains(code), "{code}: {}{}", check.out, check.err);
    }
}

// SPEC 3.5, 13.1: two files with different permissions are an error of the build
#[test]
fn two_files_ask_for_the_same() {
    let function = "{\"name\": \"add\", \"description\": \"Adds.\", \"category\": \"math\", \"input\": {}, \"output\": {}, \
         \"mode\": \"code\", \"permissions\": {\"net\": \"none\"}}";
    let document = |asked| format!("---\nmetadata:\n  permissions: '{asked}'\n---\n# T\n");
    let place = Place::new(&[
        ("s/add/skill.json", function),
        ("s/add/SKILL.md", &document("{\"net\": [\"a.example\"]}")),
        ("t/add/skill.json", function),
        ("t/add/SKILL.md", &document("{}")),
    ]);
    let run = place.run(&["check", "s"]);
    assert!(
        run.code == 1 && format!("{}{}", run.out, run.err).contains("field-conflict"),
        "{}{}",
        run.out,
        run.err
    );
    let run = place.run(&["check", "t"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

// SPEC 11.25: at most three similar names, however many skills there are
#[test]
fn three_similar_names_are_suggested() {
    let names = ["pdf-a", "pdf-b", "pdf-c", "pdf-d", "other"];
    let files: Vec<(String, String)> = names
        .iter()
        .map(|name| (format!("s/{name}/SKILL.md"), format!("---\nname: {name}\ndescription: Reads.\n---\n")))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let run = Place::new(&files).run(&["show", "pdf-x", "--dir", "s"]);
    assert_eq!(run.code, 1);
    let expected = "error: skill not found: pdf-x\ndid you mean `pdf-a`, `pdf-b` or `pdf-c`?\n";
    assert!(run.err.ends_with(expected), "{}", run.err);
}
