//! `skills check --fix` and `--diff`: fixed problems, remaining problems, and that nothing else changes.
#![cfg(unix)] // the executable bit is

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::command::{Place, Run};

const COLON: &str = "---\nname: pdf\ndescription: Use when: reading. # why\n---\n# PDF\n";

// SPEC 17.1, 17.2: only safe edits by default; remaining problems are reported
#[test]
fn safe_edits_are_made_and_the_others_on_request() {
    let place = Place::new(&[(
        "s/pdf/SKILL.md",
        "---\nname: Pdf\ndescription: Use when: reading. # why\n---\n# PDF\n",
    )]);
    let run = place.run(&["check", "s", "--fix"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.starts_with("error[skills::name-invalid]") && !run.out.contains("colon"), "{}", run.out);
    assert!(run.err.starts_with("fixed 1 problem\n"), "{}", run.err);
    let read = || fs::read_to_string(place.top.join("s/pdf/SKILL.md")).unwrap();
    assert_eq!(read(), "---\nname: Pdf\ndescription: \"Use when: reading.\" # why\n---\n# PDF\n");
    let run = place.run(&["check", "s", "--fix", "--unsafe-fixes"]);
    assert_eq!((run.code, run.out.as_str()), (0, "1 skill, no problems\n"), "{run:?}");
    assert_eq!(read(), "---\nname: pdf\ndescription: \"Use when: reading.\" # why\n---\n# PDF\n");
    assert_eq!(place.run(&["check", "s", "--unsafe-fixes"]).code, 2);
}

// SPEC 17.20, 23.15: generated lines of renamed and removed commands are renewed, and lines of a person stay
#[test]
fn a_block_is_renewed_after_its_commands_changed() {
    let commands = r#"{"name": "acme", "commands": [{"name": "show", "about": "Shows it"}]}"#;
    let text = |lines: &str| {
        let body = format!("Use it.\n\n<!-- commands: acme -->\n{lines}<!-- /commands -->\n");
        format!("---\nname: acme\ndescription: Uses acme. Use for acme.\n---\n{body}")
    };
    let place = Place::new(&[("acme.json", commands), ("s/acme/SKILL.md", "")]);
    let check = ["check", "s", "--commands", "acme.json", "--fix"];
    let old = text(
        "- `acme list`: Lists all items\n  - `--all`: With hidden ones\n  - example: `acme list --all`\n",
    );
    place.write("s/acme/SKILL.md", &old);
    assert_eq!(place.run(&check).code, 0);
    let new = text("- `acme show`: Shows it\n");
    assert_eq!(fs::read_to_string(place.top.join("s/acme/SKILL.md")).unwrap(), new);
    let written = text("- `acme list`: Lists all items\nAsk before you list.\n");
    place.write("s/acme/SKILL.md", &written);
    let run = place.run(&check);
    assert!(run.code == 1 && run.out.contains("command-block"), "{run:?}");
    assert_eq!(fs::read_to_string(place.top.join("s/acme/SKILL.md")).unwrap(), written);
}

// SPEC 17.2: line ends, the byte order mark and the mode of a file stay
#[test]
fn text_around_an_edit_stays() {
    let text = "\u{feff}---\r\ndescription: Use when: reading.\r\n---\r\n# PDF\r\n";
    let place = Place::new(&[("s/pdf/SKILL.md", text)]);
    let path = place.top.join("s/pdf/SKILL.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let run = place.run(&["check", "s", "--fix"]);
    assert_eq!((run.code, run.out.as_str()), (0, "1 skill, no problems\n"), "{run:?}");
    let corrected = "\u{feff}---\r\nname: pdf\r\ndescription: \"Use when: reading.\"\r\n---\r\n# PDF\r\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), corrected);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no file is left over");
}

// SPEC 17.3: a diff writes nothing, exits with 1, and is accepted by `patch` and `git apply`
#[test]
#[ignore = "needs git"]
fn a_diff_is_a_patch() {
    let files = [
        ("s/pdf/SKILL.md", COLON),
        ("s/csv/SKILL.md", "---\nname: csv\ndescription: Reads: tables\nexec: run\n---\n# CSV\nno line feed"),
        ("s/low/skill.md", "---\nname: low\ndescription: Sees.\n---\n# Low\n"),
    ];
    let place = Place::new(&files);
    place.write("s/csv/bin/run", "#!/bin/sh\ncat\n");
    fs::set_permissions(place.top.join("s/csv/bin/run"), fs::Permissions::from_mode(0o644)).unwrap();
    let run = place.run(&["check", "s", "--diff", "--unsafe-fixes"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{run:?}");
    for (path, text) in files {
        assert_eq!(fs::read_to_string(place.top.join(path)).unwrap(), text, "nothing is written");
    }
    for wanted in
        ["new mode 100755", "rename to s/low/SKILL.md", "+description: \"Use when: reading.\" # why"]
    {
        assert!(run.out.contains(wanted), "{wanted}: {}", run.out);
    }
    place.write("fix.diff", &run.out);
    test_bed::need("git");
    let applied = Command::new("git").args(["apply", "fix.diff"]).current_dir(&place.top).output().unwrap();
    assert!(applied.status.success(), "{}", String::from_utf8_lossy(&applied.stderr));
    let run = place.run(&["check", "s"]);
    assert_eq!((run.code, run.out.as_str()), (0, "3 skills, no problems\n"), "{run:?}");
    let run = place.run(&["check", "s", "--diff"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "nothing is left to mend: {run:?}");
}

// SPEC 12.9, 17.3: programs get an odd directory name, line ends and byte order marks unchanged; a terminal does not
#[test]
#[ignore = "needs git and patch"]
fn a_diff_is_exact_for_programs() {
    let odd = "in \t\"s\" \\n\u{e9}\u{202e} ";
    let text = "\u{feff}---\r\nname: crlf\r\ndescription: Use: it\r\n---\r\n# C\r\n";
    let place = Place::new(&[(&format!("{odd}/crlf/SKILL.md"), text)]);
    let run = place.run(&["check", odd, "--diff"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{run:?}");
    place.write("fix.diff", &run.out);
    for (program, arguments) in
        [("git", ["apply", "fix.diff"].as_slice()), ("patch", &["-R", "-p1", "-i", "fix.diff"])]
    {
        test_bed::need(program);
        let output = Command::new(program).args(arguments).current_dir(&place.top).output().unwrap();
        assert!(output.status.success(), "{program}: {output:?}\n{}", run.out);
    }
    let now = fs::read_to_string(place.top.join(odd).join("crlf/SKILL.md")).unwrap();
    assert_eq!(now, text, "patch has undone what git did");
}

// SPEC 17.3: paths are relative to the current directory, for any form of DIR, and `--fix --diff` writes nothing
#[test]
fn a_diff_applies_in_the_current_directory() {
    let text = "\u{feff}---\r\nname: pdf\r\ndescription: Use: it\r\n---\r\n\tA\u{1b}[31m\r\nno line feed";
    let place = Place::new(&[("s/pdf/SKILL.md", text)]);
    let whole = place.top.join("s");
    let relative = place.run(&["check", "s", "--diff"]);
    assert!(
        relative.out.contains("--- a/s/pdf/SKILL.md\n") && relative.out.contains('\u{1b}'),
        "{relative:?}"
    );
    for arguments in [
        &["check", whole.to_str().unwrap(), "--diff"][..],
        &["check", "./s/", "--fix", "--diff"],
        &["check", whole.to_str().unwrap(), "--diff", "--fix"],
    ] {
        let run = place.run(arguments);
        assert_eq!((run.code, &run.out), (1, &relative.out), "{arguments:?}");
    }
    let path = place.top.join("s/pdf/SKILL.md");
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "nothing is written");
    place.write("fix.diff", &relative.out);
    let output = Command::new("git").args(["apply", "fix.diff"]).current_dir(&place.top).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let applied = fs::read(&path).unwrap();
    fs::write(&path, text).unwrap();
    place.run(&["check", "s", "--fix"]);
    assert_eq!(applied, fs::read(&path).unwrap());
}

// SPEC 17.3: the same, by `patch -p1`
#[test]
#[ignore = "needs patch"]
fn patch_accepts_the_diff() {
    let place = Place::new(&[("s/pdf/SKILL.md", COLON)]);
    let diff = place.run(&["check", "s", "--diff"]).out;
    place.write("fix.diff", &diff);
    test_bed::need("patch");
    let patch =
        Command::new("patch").args(["-p1", "-i", "fix.diff"]).current_dir(&place.top).output().unwrap();
    assert!(patch.status.success(), "{patch:?}");
    assert_eq!(place.run(&["check", "s"]).code, 0);
}

// SPEC 17.3: a suggestion replaces all lines that its fix changes, empty ones too
#[test]
fn a_suggestion_covers_empty_lines() {
    let place =
        Place::new(&[("s/late/SKILL.md", "\n\n---\nname: late\ndescription: Begins late.\n---\nText.\n")]);
    let comment = place.run(&["check", "s", "--format", "suggestions"]).out;
    let comment: serde_json::Value = serde_json::from_str(&comment).unwrap();
    assert_eq!((&comment["start_line"], &comment["line"]), (&1.into(), &2.into()), "{comment}");
    assert!(comment["body"].as_str().unwrap().ends_with("```suggestion\n```"), "{comment}");
}

// SPEC 17.2: the remaining problems, as JSON; SPEC 17.3: edits in JSON, SARIF and suggestions
#[test]
fn edits_are_in_every_format() {
    let place = Place::new(&[("s/pdf/SKILL.md", COLON)]);
    let json = place.run(&["check", "s", "--format", "json"]).out;
    assert!(
        json.contains(r#""fix":{"applicability":"safe","edits":[{"path":"pdf/SKILL.md","line":3"#),
        "{json}"
    );
    let sarif = place.run(&["check", "s", "--format", "sarif"]).out;
    let log: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "s/pdf/SKILL.md");
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "\"Use when: reading.\"");
    let comment = place.run(&["check", "s", "--format", "suggestions"]).out;
    let comment: serde_json::Value = serde_json::from_str(&comment).unwrap();
    assert_eq!((&comment["path"], &comment["line"]), (&"s/pdf/SKILL.md".into(), &3.into()));
    let body = comment["body"].as_str().unwrap();
    assert!(body.ends_with("\n```suggestion\ndescription: \"Use when: reading.\" # why\n```"), "{body}");
    let run = place.run(&["check", "s", "--fix", "--format", "json"]);
    assert_eq!(
        (run.code, run.out.as_str(), run.err.as_str()),
        (0, "{\"format_version\":1,\"checked\":1,\"passed_over\":[]}\n", "")
    );
}

// SPEC 12.3, 17.2: the target of a link is fixed in its place, and nothing outside the root
#[test]
fn links_stay_links() {
    let place = Place::new(&[("s/pdf/texts/real.md", COLON), ("outside.md", COLON)]);
    let link = place.top.join("s/pdf/SKILL.md");
    std::os::unix::fs::symlink("texts/real.md", &link).unwrap();
    assert_eq!(place.run(&["check", "s", "--fix"]).code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(place.top.join("s/pdf/texts/real.md")).unwrap().contains('"'));
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("../../outside.md", &link).unwrap();
    place.run(&["check", "s", "--fix", "--unsafe-fixes"]);
    assert_eq!(fs::read_to_string(place.top.join("outside.md")).unwrap(), COLON);
}

// SPEC 17.5: projects are checked and fixed like skills
#[test]
fn projects_are_checked() {
    let place = Place::new(&[("p/trading/ROLE.md", "---\nskill: [csv]\n---\nTrade.\n")]);
    let run = place.run(&["check", "p"]);
    assert!(run.out.starts_with("warning[skills::key-unknown]") && run.code == 0, "{run:?}");
    let run = place.run(&["check", "p", "--fix", "--unsafe-fixes"]);
    assert_eq!(
        (run.code, run.out.as_str(), run.err.as_str()),
        (0, "1 project, no problems\n", "fixed 1 problem\n")
    );
    let text = fs::read_to_string(place.top.join("p/trading/ROLE.md")).unwrap();
    assert_eq!(text, "---\nskills: [csv]\n---\nTrade.\n");
}

// SPEC 17.3: the paths of a directory outside the current one begin at a directory that contains both, which a note names
#[test]
fn a_diff_of_another_directory_says_where_it_applies() {
    let place = Place::new(&[("s/pdf/SKILL.md", COLON), ("here/x", "")]);
    let run = Run::of(place.command(&["check", "../s", "--diff"]).current_dir(place.top.join("here")));
    assert!(run.out.contains("--- a/s/pdf/SKILL.md\n+++ b/s/pdf/SKILL.md\n"), "{run:?}");
    let note = format!("note: the paths are relative to {0}: apply the diff there\n", place.top.display());
    assert_eq!((run.code, run.err), (1, note));
    place.write("fix.diff", &run.out);
    let output = Command::new("git").args(["apply", "fix.diff"]).current_dir(&place.top).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(place.run(&["check", "s"]).code, 0);
    assert!(!place.run(&["check", "s", "--diff"]).err.contains("relative"));
}

// SPEC 17.2: keys that are moved below `metadata` keep their order
#[test]
fn moved_keys_keep_their_order() {
    let text = "---\nname: pdf\ndescription: Reads PDF.\nzeta: 1\nalpha: 2\nmiddle: 3\n---\nRead.\n";
    let place = Place::new(&[("s/pdf/SKILL.md", text)]);
    assert!(place.run(&["check", "s", "--fix", "--unsafe-fixes"]).err.starts_with("fixed 3 problems\n"));
    let fixed = fs::read_to_string(place.top.join("s/pdf/SKILL.md")).unwrap();
    assert!(fixed.contains("\nmetadata:\n  zeta: 1\n  alpha: 2\n  middle: 3\n---\n"), "{fixed}");
}

// SPEC 9.15, 23.15: an old block is one problem, at its first line that differs; a stub is checked with `--commands`, too
#[test]
fn an_old_block_and_a_wrong_stub_are_reported_once() {
    let acme = r#"{"name": "acme", "commands": [{"name": "export", "about": "Writes it", "arguments": [{"name": "TABLE"}]}]}"#;
    let skill = "---\nname: a\ndescription: Exports tables. Use when exporting.\n---\nExport.\n\n<!-- commands: acme -->\n- `acme dump [TABLE]`: Writes it\n<!-- /commands -->\n";
    let place = Place::new(&[
        ("acme.json", acme),
        ("skills.toml", "stub = \"acme export\"\n"),
        ("skills/a/SKILL.md", skill),
    ]);
    let run = place.run(&["check", "skills", "--commands", "acme.json"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("skills/a/SKILL.md:8:1"), "{run:?}");
    assert!(run.out.contains("the generated line is - `acme export [TABLE]`: Writes it"), "{run:?}");
    assert!(!run.out.contains("command-unknown"), "{run:?}");
    assert!(
        run.out.contains("the stub names `acme export`, which does not print a skill for a model"),
        "{run:?}"
    );
}

// SPEC 17.20
#[test]
fn a_fix_changes_no_file_behind_a_link_of_another_name() {
    let text = "---\nname: helper\ndescripton: Helps. Use it for help.\n---\nHelp.\n";
    let place =
        Place::new(&[("s/own/SKILL.md", &text.replace("helper", "own")), ("s/agents/helper.md", text)]);
    fs::create_dir(place.top.join("s/helper")).unwrap();
    std::os::unix::fs::symlink("../agents/helper.md", place.top.join("s/helper/SKILL.md")).unwrap();
    let run = place.run(&["check", "s", "--fix", "--unsafe-fixes"]);
    let read = |path: &str| fs::read_to_string(place.top.join(path)).unwrap();
    assert!(read("s/own/SKILL.md").contains("description:"), "{run:?}");
    assert_eq!(read("s/agents/helper.md"), text);
    assert!(
        run.err.contains("s/helper/SKILL.md") || run.out.contains("helper/SKILL.md"),
        "still reported: {run:?}"
    );
}
