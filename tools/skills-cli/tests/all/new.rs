//! `skills new`: new skills pass `check`, run, and build; existing files are never changed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{Place, Run};

/// Every kind and language that go together.
const COMBINATIONS: [(&str, &str); 7] = [
    ("text", ""),
    ("code", ""),
    ("code", "sh"),
    ("code", "python"),
    ("code", "node"),
    ("llm", ""),
    ("pipeline", ""),
];

fn make(place: &Place, name: &str, mode: &str, language: &str) -> Run {
    let option = if ["code", "llm"].contains(&mode) { "--mode" } else { "--kind" };
    let mut arguments = vec!["new", name, option, mode, "--description", "Does it. Use to test."];
    if !language.is_empty() {
        arguments.extend(["--exec", language]);
    }
    place.run(&arguments)
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

// SPEC 18.6: `check --standard` accepts the names that `new` writes.
#[test]
fn a_name_is_portable() {
    for (mode, language) in [("text", ""), ("code", "sh")] {
        let place = Place::new(&[]);
        let made = make(&place, "word_count", mode, language);
        assert_eq!(made.code, 0, "{}", made.err);
        let (what, rest) =
            if mode == "text" { ("skill", "") } else { ("directory", "; the function is `word_count`") };
        assert_eq!(
            made.err,
            format!("note: the {what} is called `word-count`, since other agents accept no `_`{rest}\n")
        );
        assert!(place.top.join("skills/word-count/SKILL.md").is_file(), "{}", made.out);
        let found = place.run(&["list", "skills"]);
        let name = if mode == "text" { "word-count " } else { "word_count " };
        assert!(found.out.starts_with(name), "{}", found.out);
    }
    let place = Place::new(&[]);
    make(&place, "word_count", "text", "");
    assert_eq!(place.run(&["check", "--standard", "skills"]).code, 0);
}

// SPEC 11.1: each passes `check` without a warning, alone and together; SPEC 7.1: programs take the input that their
// SKILL.md shows and give what the output schema says; SPEC 4.3: they refuse another
#[test]
fn every_combination_is_checked() {
    let together = Place::new(&[]);
    for (mode, language) in COMBINATIONS {
        let place = Place::new(&[]);
        let name = format!("a-{mode}{language}");
        let made = make(&place, &name, mode, language);
        assert_eq!(made.code, 0, "{mode} {language}: {}", made.err);
        for line in made.out.lines() {
            assert!(place.top.join(line.strip_prefix("write   ").unwrap()).is_file(), "{line}");
        }
        let check = place.run(&["check", "skills"]);
        assert_eq!((check.code, check.out.as_str()), (0, "1 skill, no problems\n"), "{}", check.err);
        assert_eq!(make(&together, &name, mode, language).code, 0);
    }
    let check = together.run(&["check", "skills"]);
    assert_eq!((check.code, check.out.as_str()), (0, "7 skills, no problems\n"), "{}", check.err);
}

const ACME: &str = r#"{
  "name": "acme notes",
  "about": "Keeps notes",
  "commands": [
    { "name": "add", "about": "Adds a note", "arguments": [{ "name": "TITLE", "required": true }],
      "flags": [
        { "names": ["--kind"], "takes": "one", "required": true, "values": { "possible": ["todo", "idea"] } },
        { "names": ["--old"], "deprecated": "" }
      ] },
    { "name": "list", "about": "Lists notes", "examples": ["acme notes list --all"], "flags": [{ "names": ["--all"] }] },
    { "name": "db", "about": "Moves notes", "commands": [
      { "name": "copy", "arguments": [{ "name": "FROM" }, { "name": "TO", "required": true }] },
      { "name": "dump", "hidden": true }
    ] },
    { "name": "ls", "deprecated": "list" }
  ]
}"#;

// SPEC 23.16
#[test]
fn the_first_skill_of_a_program_fits_its_commands() {
    let place = Place::new(&[("acme.json", ACME)]);
    let made = place.run(&["new", "--commands", "acme.json"]);
    assert_eq!((made.code, made.out.as_str()), (0, "write   skills/acme-notes/SKILL.md\n"), "{}", made.err);
    let text = fs::read_to_string(place.top.join("skills/acme-notes/SKILL.md")).unwrap();
    for part in [
        "description: \"Keeps notes. Use when the user names acme notes, or needs one of its commands: add, list, db.\"\n",
        "\n## When to use it\n\nUse `acme notes` when",
        "\n- `acme notes db`: Moves notes\n",
        "\n<!-- commands: acme notes -->\n- `acme notes add <TITLE>`: Adds a note\n",
        "\n  - example: `acme notes list --all`\n",
        "\n```sh\nacme notes add --kind todo <TITLE>\nacme notes db copy <FROM> <TO>\n```\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!text.contains("--old") && !text.contains(" ls") && !text.contains("dump"), "{text}");
    for options in [&["check", "skills", "--ci"][..], &["check", "skills", "--ci", "--commands", "acme.json"]]
    {
        let check = place.run(options);
        assert_eq!((check.code, check.out.as_str()), (0, "1 skill, no problems\n"), "{}", check.err);
    }
    // The block is the same as the one that a check generates.
    place.write("acme.json", &ACME.replace("Adds a note", "Adds one note"));
    assert!(place.run(&["check", "skills", "--commands", "acme.json"]).out.contains("command-block"));
}

// SPEC 23.16: NAME selects one of several programs, and nothing is written if the skill would have a problem
#[test]
fn a_program_without_a_skill_is_an_error() {
    let place = Place::new(&[
        ("two.json", r#"[{"name": "acme"}, {"name": "Bolt"}]"#),
        ("none.json", "[]"),
        ("wrong.json", r#"{"name": "acme", "commands": [{"name": "list", "examples": ["acme list --al"]}]}"#),
    ]);
    let fails = |arguments: &[&str], code: i32, message: &str| {
        let run = place.run(&[&["new"], arguments].concat());
        assert!(run.code == code && run.err.contains(message), "{arguments:?}: {run:?}");
        assert!(!place.top.join("skills").exists(), "{arguments:?}");
    };
    fails(&["--commands", "two.json"], 2, "take one of the names acme, bolt");
    fails(&["--commands", "none.json"], 2, "describes no program");
    fails(&["--commands", "missing.json"], 2, "cannot read the commands in missing.json");
    fails(&["x", "--commands", "two.json", "--exec", "sh"], 2, "take one of the names");
    fails(&["acme", "--commands", "two.json", "--exec", "sh"], 2, "`--commands` writes a text");
    fails(&["--commands", "wrong.json"], 1, "nothing was written");
    assert_eq!(place.run(&["new", "bolt", "--commands", "two.json"]).code, 0);
    assert!(place.top.join("skills/bolt/SKILL.md").is_file());
}

// SPEC 2.7: `new` writes a placeholder, and each later check reports it
#[test]
fn a_placeholder_is_reported_until_it_is_replaced() {
    let place = Place::new(&[("todo/pdf/SKILL.md", "---\nname: pdf\ndescription: TODO\n---\n# PDF\n")]);
    let note = "note: the function is called `a_mode_code`, since its name has no `-`\n";
    for (option, said) in [("--kind=text", ""), ("--mode=code", note)] {
        let made = place.run(&["new", &format!("a{option}").replace("--", "-").replace('=', "-"), option]);
        assert_eq!((made.code, made.err.as_str()), (0, said), "{}", made.out);
    }
    for (dir, count) in [("skills", 2), ("todo", 1)] {
        let check = place.run(&["check", dir]);
        assert_eq!(check.code, 0, "{}", check.out);
        let expected =
            check.out.matches("warning[skills::description-placeholder]: the description is a placeholder");
        assert_eq!(expected.count(), count, "{}", check.out);
        assert_eq!(place.run(&["check", dir, "--deny", "description-placeholder"]).code, 1);
    }
    assert_eq!(place.run(&["check", "--standard", "todo"]).code, 0);
}

// SPEC 4.3, 7.1
#[test]
fn programs_of_the_shell_run() {
    every_program_runs("sh");
}

// SPEC 4.3, 7.1
#[test]
#[ignore = "needs node and python3"]
fn programs_of_other_languages_run() {
    for (language, program) in [("node", "node"), ("python", "python3")] {
        test_bed::need(program);
        every_program_runs(language);
    }
}

/// Runs the programs that `new` writes in a language.
fn every_program_runs(wanted: &str) {
    let combinations = COMBINATIONS.iter().filter(|(_, language)| *language == wanted);
    for &(mode, language) in combinations.clone() {
        let place = Place::new(&[]);
        let name = format!("a-{mode}{language}");
        assert_eq!(make(&place, &name, mode, language).code, 0);
        let document = fs::read_to_string(place.top.join("skills").join(&name).join("SKILL.md")).unwrap();
        let example = document.split_once("echo '").unwrap().1.split_once('\'').unwrap().0;
        let called = name.replace('-', "_");
        let exec = |input: &str| place.run(&["exec", &called, "--dir", "skills", "--input", input]);
        let run = exec(example);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        let output = json(json(&run.out)["stdout"].as_str().unwrap());
        assert_eq!(output["received"], json(example));
        let manifest = place.top.join("skills").join(&name).join("skill.json");
        let manifest = json(&fs::read_to_string(manifest).unwrap());
        assert!(jsonschema::is_valid(&manifest["output"], &output), "{output}");
        assert_eq!(manifest["input"]["additionalProperties"], json("false"));
        let refused = exec("{\"text\": 1}");
        assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{}", refused.err);
        assert!(refused.err.contains("/text: type: "), "{}", refused.err);
    }
    assert!(combinations.count() > 0, "{wanted}");
}

// SPEC 11.1, 5.7: a pipeline calls an existing function, or the command says that there is none
#[test]
fn a_pipeline_calls_an_existing_function() {
    let place = Place::new(&[]);
    let alone = make(&place, "alone", "pipeline", "");
    assert!(alone.err.starts_with("note: skills has no function to call"), "{}", alone.err);
    fs::remove_dir_all(place.top.join("skills")).unwrap();
    assert_eq!(make(&place, "look-up", "llm", "").code, 0);
    // A schema that names its language has no reference.
    let path = place.top.join("skills/look-up/skill.json");
    let text = fs::read_to_string(&path).unwrap();
    let language = "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"";
    let named = text.replacen("\"input\": {", &format!("\"input\": {{{language},"), 1);
    assert_ne!(named, text);
    fs::write(&path, named).unwrap();
    let made = make(&place, "both", "pipeline", "");
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    let manifest = json(&fs::read_to_string(place.top.join("skills/both/skill.json")).unwrap());
    assert_eq!(manifest["calls"], serde_json::json!(["look_up"]));
    assert_eq!(manifest["pipeline"][0]["input"], serde_json::json!({"text": "{{input.text}}"}));
    assert_eq!(place.run(&["check", "skills", "--deny", "all"]).code, 2, "there is no such rule");
    assert_eq!(place.run(&["check", "skills"]).out, "2 skills, no problems\n");
}

// SPEC 2.6, 3.1, 11.1: wrong arguments exit with 2, existing files with 1, and neither leaves anything behind
#[test]
fn no_file_is_overwritten_or_partial() {
    let place =
        Place::new(&[("skills/code/a-b/SKILL.md", "---\nname: a-b\ndescription: Is here.\n---\nx\n")]);
    let before = fs::read(place.top.join("skills/code/a-b/SKILL.md")).unwrap();
    let long = "x".repeat(65);
    for arguments in [
        &["new", "A"][..],
        &["new", "a--b"],
        &["new", "-a"],
        &["new", "../a"],
        &["new", ""],
        &["new", &long],
        &["new", "con"],
        &["new", "lpt1", "--mode", "code"],
        &["new", "3d", "--mode", "code"],
        &["new", "x", "--mode", "llm", "--exec", "sh"],
        &["new", "x", "--mode", "prompt"],
        &["new", "x", "--kind", "text", "--exec", "sh"],
        &["new", "x", "--kind", "pipeline", "--mode", "llm"],
        &["new", "x", "--kind", "prose"],
    ] {
        let run = place.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?} {}", run.err);
    }
    fs::create_dir_all(place.top.join("skills/taken")).unwrap();
    for (arguments, expected) in [
        (&["new", "taken"][..], "error: skills/taken exists already\n"),
        (&["new", "a_b"], "error: a skill has this name already: skills/code/a-b\n"),
        (&["new", "x", "--dir", "skills/code/a-b"], "error: skills/code/a-b is a skill itself"),
        (&["new", "x", "--description", " "], "error: "),
        (&["new", "x", "--description", "a\u{202e}b"], "error: "),
    ] {
        let run = place.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{arguments:?}");
        assert!(run.err.starts_with(expected), "{arguments:?}: {}", run.err);
    }
    let entries = fs::read_dir(place.top.join("skills")).unwrap();
    let mut left: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["code", "taken"], "SPEC 12.2");
    assert_eq!(fs::read(place.top.join("skills/code/a-b/SKILL.md")).unwrap(), before);

    let mut shell = Command::new("sh");
    let limited = format!("trap '' XFSZ; ulimit -f 0; exec {} new full", env!("CARGO_BIN_EXE_skills"));
    let run = Run::of(shell.args(["-c", &limited]).current_dir(&place.top));
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    assert_eq!(fs::read_dir(place.top.join("skills")).unwrap().count(), 2);
}

// SPEC 2.3, 2.7: a description with any characters is written unchanged
#[test]
fn descriptions_are_quoted_if_necessary() {
    for text in [
        "Use when: reviewing # code",
        "\"quoted\" and 'single' \\ back",
        "- a list",
        "true",
        "读 PDF。",
        "{{input.x}} & more",
        "ends with a colon:",
        "3000",
        "a, b (c) d/e",
    ] {
        let place = Place::new(&[]);
        for (mode, option) in [("text", "--kind"), ("code", "--mode")] {
            let run = place.run(&["new", mode, option, mode, "--description", text]);
            assert_eq!(run.code, 0, "{text}: {}", run.err);
        }
        let list = json(&place.run(&["list", "skills", "--json"]).out);
        assert_eq!([&list[0]["description"], &list[1]["description"]], [text, text]);
    }
    // To other readers of YAML these are not texts.
    for text in ["null", "Yes", "on", "FALSE"] {
        let place = Place::new(&[]);
        assert_eq!(place.run(&["new", "x", "--description", text]).code, 0);
        let document = fs::read_to_string(place.top.join("skills/x/SKILL.md")).unwrap();
        assert!(document.contains(&format!("\ndescription: \"{text}\"\n")), "{document}");
    }
}

// SPEC 11.1: the written skill builds in `skills!`
#[test]
#[ignore = "builds packages"]
fn every_combination_builds() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let manifest = format!(
        "[package]\nname = \"made\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         skills-bundle = {{ path = {:?} }}\n",
        workspace.to_str().unwrap()
    );
    let main = "skills::skills!(\"skills/\");\nfn main() {\n    print!(\"{}\", SKILLS.len());\n}\n";
    let place = Place::new(&[("Cargo.toml", &manifest), ("src/main.rs", main)]);
    for (mode, language) in COMBINATIONS {
        assert_eq!(make(&place, &format!("a-{mode}{language}"), mode, language).code, 0);
    }
    // The versions that the workspace is tested with.
    fs::copy(workspace.join("Cargo.lock"), place.top.join("Cargo.lock")).unwrap();
    let mut cargo = test_bed::cargo_of_packages(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages"));
    cargo.args(["run", "--offline", "--quiet"]).current_dir(&place.top);
    let run = Run::of(&mut cargo);
    assert_eq!((run.code, run.out.as_str()), (0, "7"), "{}", run.err);
}
