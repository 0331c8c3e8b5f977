//! `skills check` and `skills explain`: formats, levels, exit codes, and roots of every kind.
#![cfg(unix)] // a name that is not UTF-8 is

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use crate::command::{Place, Run};

const GOOD: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";
const MISMATCH: &str = "---\nname: other\ndescription: Reads PDF files.\n---\n# PDF\n";
const FAULTY: &str = "---\nname: pdf\ndescription: Use: this\n---\n# PDF\n";

fn place() -> Place {
    Place::new(&[("good/pdf/SKILL.md", GOOD), ("warn/pdf/SKILL.md", MISMATCH), ("bad/pdf/SKILL.md", FAULTY)])
}

// SPEC 11.1: exit 0 when clean or with warnings only, 1 with errors, 2 for wrong usage; data and problems are separate
#[test]
fn exit_codes() {
    let place = place();
    for (arguments, code) in [
        (&["check", "good"][..], 0),
        (&["check", "warn"], 0),
        (&["check", "good", "bad"], 2),
        (&["check", "bad"], 1),
        (&["check", "missing"], 2),
        (&["check", "good/pdf/SKILL.md"], 1),
        (&["check", "."], 1),
        (&["check"], 1),
        (&[], 2),
        (&["check", "good", "--format", "xml"], 2),
        (&["chekc", "good"], 2),
        (&["explain", "yaml-tab"], 0),
        (&["explain", "skills::yaml_tab"], 0),
        (&["explain", "no-such-rule"], 2),
        (&["--help"], 0),
        (&["check", "--help"], 0),
        (&["--version"], 0),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {run:?}");
        let is_reported = code != 2 || arguments.contains(&"missing");
        assert_eq!(!run.out.is_empty(), is_reported, "{arguments:?}: {run:?}");
    }
    let run = place.run(&["check", "good"]);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("1 skill, no problems\n", ""));
    assert!(place.run(&["--help"]).out.contains("Examples:"));
}

// SPEC 1.2: invalid roots of a bundle
#[test]
fn roots_are_checked_as_in_a_bundle() {
    let place = Place::new(&[("skill/pdf/SKILL.md", GOOD), ("empty/x.md", ""), ("file", "x")]);
    let run = place.run(&["check", "skills"]);
    assert_eq!(run.code, 2, "SPEC 11.25");
    assert!(run.out.starts_with("error[skills::root-missing]") && run.out.contains("`skill`"), "{}", run.out);
    assert!(place.run(&["check", "empty"]).out.starts_with("error[skills::root-empty]"));
    let run = place.run(&["check", "file"]);
    assert!(run.out.starts_with("error[skills::root-unreadable]: read skills dir file: "), "{}", run.out);
}

// SPEC 2.11: allow, warn, deny; SPEC 2.6: deny-able
#[test]
fn levels_are_set_by_rule() {
    let place = place();
    for name in ["name-mismatch", "name_mismatch", "skills::name-mismatch"] {
        let denied = place.run(&["check", "warn", "--deny", name]);
        assert!(denied.code == 1 && denied.out.starts_with("error[skills::name-mismatch]"), "{denied:?}");
        let allowed = place.run(&["check", "warn", "--allow", name]);
        assert_eq!((allowed.code, allowed.out.as_str()), (0, "1 skill, no problems\n"));
    }
    let both = place.run(&["check", "warn", "--deny", "name-mismatch", "--allow", "name-mismatch"]);
    assert_eq!(both.code, 1, "the strictest wins");
    for (option, rule, text) in [
        ("--deny", "name-mismach", "error: unknown rule `name-mismach`; did you mean `name-mismatch`?\n"),
        ("--allow", "zzzzzzzzzzzz", "error: unknown rule `zzzzzzzzzzzz`\n"),
        ("--allow", "yaml-tab", "error: `yaml-tab` is an error, not a lint: it cannot be set to `allow`\n"),
        ("--warn", "yaml-tab", "error: `yaml-tab` is an error, not a lint: it cannot be set to `warning`\n"),
    ] {
        let run = place.run(&["check", "good", option, rule]);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (2, "", text));
    }
}

// SPEC 2.6: by the standard alone, some warnings are errors
#[test]
fn the_standard_is_stricter_and_smaller() {
    let place = place();
    place.write("ours/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\nexec: gone\ntimeout: soon\n---\n");
    place.write("ours/pdf/skill.json", "{ no JSON");
    assert_eq!(place.run(&["check", "warn", "--standard"]).code, 1);
    let run = place.run(&["check", "ours", "--standard"]);
    assert_eq!((run.code, run.out.matches("error[").count()), (1, 2), "{}", run.out);
    assert_eq!(run.out.matches("error[skills::key-unknown]").count(), 2, "{}", run.out);
}

// SPEC 3.3, 11.1: one JSON object per line, with the keys in their order
#[test]
fn json_lines() {
    let run = place().run(&["check", "bad", "--format", "json"]);
    let expected = "{\"path\":\"pdf/SKILL.md\",\"line\":3,\"column\":17,\"end_line\":3,\"end_column\":18,\"code\":\
                    \"yaml-unquoted-colon\",\"level\":\"error\",\"title\":\"mapping values are not allowed here\",\
                    \"label\":\"a plain value cannot contain `: `\",\"help\":\"quote it: description: \\\"Use: \
                    this\\\"\",\"skill\":\"pdf\",\"related\":[],\"fix\":{\"applicability\":\"safe\",\
                    \"edits\":[{\"path\":\"pdf/SKILL.md\",\"line\":3,\"column\":14,\"end_line\":3,\
                    \"end_column\":23,\"text\":\"\\\"Use: this\\\"\"}]}}\n{\"format_version\":1,\"checked\":1,\"passed_over\":[]}\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (1, expected, ""));
    let run = place().run(&["check", "good", "--format", "json"]);
    let none = "{\"format_version\":1,\"checked\":1,\"passed_over\":[]}\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, none, ""));
}

// SPEC 11.1
#[test]
fn github_and_sarif() {
    let run = place().run(&["check", "bad", "--format", "github"]);
    assert!(run.out.starts_with("::error file=bad/pdf/SKILL.md,line=3,"), "{}", run.out);
    assert_eq!((run.code, run.out.lines().count()), (1, 2));
    for (dir, code, results) in [("bad", 1, 1), ("good", 0, 0)] {
        let run = place().run(&["check", dir, "--format", "sarif"]);
        assert_eq!((run.code, run.out.matches("\"ruleIndex\"").count()), (code, results), "{}", run.out);
        assert!(run.out.contains("\"version\":\"2.1.0\"") && run.err.is_empty());
    }
}

// SPEC 12.1, 12.2: a reader that closes the pipe is not an error, a full disk is one
#[test]
fn standard_output_that_ends_early() {
    let place = place();
    for arguments in [&["explain", "yaml-tab"][..], &["check", "bad"], &["list", "good"]] {
        let mut child = place
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            matches!(output.status.code(), Some(0 | 1)) && !error.contains("panicked"),
            "{arguments:?}: {error}"
        );
    }
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let output = place.command(&["list", "good"]).stdout(full).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output cannot be written"));
    }
}

// SPEC 12.2: colours are used only on a terminal
#[test]
fn no_colours_in_a_pipe() {
    let place = place();
    let plain = place.run(&["check", "bad"]).out;
    assert!(!plain.contains('\u{1b}'));
    let run = Run::of(place.command(&["check", "bad"]).env("NO_COLOR", "1"));
    assert_eq!(run.out, plain);
}

// SPEC 12.1: a root whose name is not UTF-8 is read
#[test]
fn a_root_that_is_not_utf8() {
    let place = Place::new(&[]);
    let name = OsStr::from_bytes(b"caf\xe9");
    place.write(std::path::Path::new(name).join("pdf/SKILL.md"), GOOD);
    let run = |arguments: [&str; 2]| {
        let [command, option] = arguments.map(OsString::from);
        place.command(&[command, name.to_owned(), option]).output().expect("it runs")
    };
    let list = run(["list", "--json"]);
    assert!(list.status.success() && String::from_utf8_lossy(&list.stdout).contains("\"name\": \"pdf\""));
    assert!(String::from_utf8_lossy(&list.stderr).contains("the path is not UTF-8"));
    assert!(run(["check", "--standard"]).status.success());
}

// SPEC 1.9, 11.8: every format ends with the number of checked and passed-over skills
#[test]
fn every_format_counts() {
    let place = Place::new(&[
        ("r/.claude/skills/pdf/SKILL.md", GOOD),
        ("r/skills/pdf/SKILL.md", GOOD),
        ("r/node_modules/x/SKILL.md", GOOD),
        ("r/b/skill.md", GOOD),
    ]);
    let last = |run: &Run| run.out.lines().last().unwrap_or_default().to_owned();
    let text = last(&place.run(&["check", "r"]));
    assert!(
        text.starts_with(
            "Found 1 problem, outside of the 2 skills (1 fixable with --fix --unsafe-fixes); 2 passed over: "
        ),
        "{text}"
    );
    assert!(text.contains("1 below node_modules (node_modules/x/SKILL.md)"), "{text}");
    assert!(
        text.contains("1 not named `SKILL.md` (b/skill.md)") && text.contains("skills check DIR"),
        "{text}"
    );
    let github = last(&place.run(&["check", "r", "--format", "github"]));
    assert_eq!(github.split_once("; "), Some(("2 checked", text.split_once("; ").unwrap().1)));
    let json = last(&place.run(&["check", "r", "--format", "json"]));
    assert_eq!(
        json,
        "{\"format_version\":1,\"checked\":2,\"passed_over\":[{\"path\":\"node_modules/x/SKILL.md\",\"reason\":\"below node_modules\"},\
         {\"path\":\"b/skill.md\",\"reason\":\"not named `SKILL.md`\"}]}"
    );
    let sarif: serde_json::Value =
        serde_json::from_str(&place.run(&["check", "r", "--format", "sarif"]).out).unwrap();
    assert_eq!(sarif["runs"][0]["properties"]["checked"], 2);
    assert_eq!(sarif["runs"][0]["properties"]["passedOver"][1]["path"], "b/skill.md");
}

// SPEC 1.10, 11.8
#[test]
fn limits_and_scope_are_flags() {
    let place =
        Place::new(&[("r/x/a/SKILL.md", GOOD), ("r/y/pdf/SKILL.md", &GOOD.replace("Reads", "Writes"))]);
    assert_eq!(place.run(&["check", "r", "--allow", "name-mismatch"]).code, 0);
    let run = place.run(&["check", "r", "--bundle"]);
    assert!(run.code == 1 && run.out.contains("name-twice"), "{}", run.out);
    assert_eq!(place.run(&["check", "r", "--bundle", "--allow", "name-twice"]).code, 0);
    assert!(place.run(&["check", "r", "--cap", "50"]).out.contains("warning[skills::bundle-too-large]"));
    assert!(place.run(&["check", "r", "--cap", "skill=50"]).out.contains("skill-too-large"));
    // Sizes are written as those of `--limit` (SPEC 13.11).
    for size in ["1GiB", "1T", "500 MiB", "4096k"] {
        let run = place.run(&["check", "r", "--cap", size]);
        assert!(run.code != 2 && !run.out.contains("too-large"), "{size}: {run:?}");
    }
    assert!(place.run(&["check", "r", "--budget", "1"]).out.contains("catalog-budget"));
    for wrong in ["x=5", "5 parsecs", "0", "99999999999GiB"] {
        assert_eq!(place.run(&["check", "r", "--cap", wrong]).code, 2, "{wrong}");
    }
}

// SPEC 2.16: the results for each skill, in a table
#[test]
fn the_standard_gives_a_table_of_verdicts() {
    let place =
        Place::new(&[("r/pdf/SKILL.md", GOOD), ("r/csv/SKILL.md", MISMATCH), ("r/f/skill.json", "{}")]);
    let run = place.run(&["check", "r", "--standard"]);
    assert!(
        run.out.contains("\ncsv  1 error\npdf  ok\nFound 1 problem in 1 of 2 skills; 1 passed over: "),
        "{}",
        run.out
    );
    assert_eq!(run.code, 1);
}

// SPEC 11.8: a long report ends with a line for each rule
#[test]
fn a_long_report_is_summarized_by_rule() {
    let texts: Vec<(String, String)> = (0..60)
        .map(|at| {
            (
                format!("r/s{at}/SKILL.md"),
                format!("---\nname: s{at}\ndescription: Does.\nkey{at}: x\n---\nA.\n"),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let run = Place::new(&files).run(&["check", "r"]);
    assert!(run.out.contains("\n    60  key-unknown\n"), "{}", run.out);
    let run = Place::new(&files[..50]).run(&["check", "r"]);
    assert!(!run.out.contains("50  key-unknown"), "{}", run.out);
}

// SPEC 11.36: commands in helps are typed where the command runs
#[test]
fn commands_in_helps_can_be_typed() {
    let place = Place::new(&[
        ("my repo/skills/a/skill.md", GOOD),
        (
            "my repo/skills/exec/SKILL.md",
            "---\nname: exec\ndescription: Runs. Use to run.\nexec: scripts/run.sh\n---\nRun.\n",
        ),
        ("my repo/skills/exec/scripts/run.sh", "echo\n"),
        ("my repo/skills/outer/SKILL.md", &GOOD.replace("pdf", "outer")),
        ("my repo/skills/outer/inner/SKILL.md", &GOOD.replace("pdf", "inner")),
        ("my repo/skills/links/SKILL.md", &GOOD.replace("pdf", "links")),
        ("my repo/skills/links/file.txt", "text\n"),
    ]);
    let skills = place.top.join("my repo/skills");
    fs::hard_link(skills.join("links/file.txt"), place.top.join("other")).unwrap();
    std::os::unix::fs::symlink("nowhere", skills.join("links/broken")).unwrap();
    let git = |arguments: &[&str]| {
        assert!(Command::new("git").args(arguments).current_dir(&place.top).status().unwrap().success());
    };
    git(&["init", "--quiet", "."]);
    git(&["add", "."]);
    let run = place.run(&["check", "my repo/skills", "--bundle"]);
    let commands = run
        .out
        .split('`')
        .filter(|part| ["git mv ", "chmod ", "rm ", "cp "].iter().any(|command| part.starts_with(command)));
    let commands: Vec<&str> = commands.collect();
    let known = |start: &str| commands.iter().any(|command| command.starts_with(start));
    assert!(
        known("git mv") && known("chmod") && known("rm") && known("cp") && commands.len() >= 5,
        "{run:?}"
    );
    for command in &commands {
        let done = Command::new("sh").args(["-c", command]).current_dir(&place.top).output().unwrap();
        assert!(done.status.success(), "{command}: {done:?}");
    }
    let again = place.run(&["check", "my repo/skills", "--bundle"]);
    for rule in ["file-name-case", "exec-not-executable", "skill-nested", "hard-link", "link-broken"] {
        assert!(run.out.contains(rule) && !again.out.contains(rule), "{rule}: {run:?}\n{again:?}");
    }
}

// SPEC 2.7, 5.3: a misspelt key and an unknown filter are one problem each, at their place
#[test]
fn one_mistake_is_one_problem() {
    let function = r#"{"name": "say", "description": "Says. Use to say.", "category": "text", "mode": "llm",
        "input": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        "output": {"type": "string"}}"#;
    let place = Place::new(&[
        ("s/pdf/SKILL.md", &GOOD.replace("description", "descripton")),
        ("t/say/skill.json", function),
        ("t/say/prompt.md", "Say {{ input.text | uper | upcase }}.\n"),
    ]);
    let run = place.run(&["check", "s"]);
    assert!(run.out.starts_with("error[skills::description-missing]: `descripton` is not a key"), "{run:?}");
    assert!(run.out.contains("s/pdf/SKILL.md:3:1") && run.out.contains("Found 1 problem "), "{run:?}");
    let run = place.run(&["check", "t"]);
    assert!(run.out.contains("unknown filter `uper`") && run.out.contains("Found 1 problem "), "{run:?}");
    assert_eq!(place.run(&["check", "s", "--fix", "--unsafe-fixes"]).code, 0);
    // SPEC 11.24: a rule of `skills.toml` that does not exist counts.
    place.write("skills.toml", "[rules]\nno-such-rule = \"deny\"\n");
    let run = place.run(&["check", "s"]);
    assert!(run.code == 1 && run.out.contains("Found 1 problem"), "{run:?}");
}

// SPEC 11.24: one line counts the problems, the skills and the fixable ones
#[test]
fn a_report_ends_with_a_count() {
    let place = Place::new(&[
        ("s/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files. Use for PDF files.\n---\nText\n"),
        ("s/csv/SKILL.md", "---\nname: pdf2\ndescription: Reads: tables.\n---\nText\n"),
    ]);
    let run = place.run(&["check", "s"]);
    assert_eq!(run.code, 1);
    let summary = run.out.lines().last().unwrap_or_default();
    assert!(summary.contains(" in 1 of 2 skills (") && summary.contains(" fixable with --fix"), "{run:?}");
    let found: usize = summary.split(' ').nth(1).unwrap().parse().unwrap();
    let reported = run.out.lines().filter(|line| line.contains("[skills::")).count();
    assert_eq!(found, reported, "{run:?}");
}

// SPEC 1.4, 11.38
#[test]
fn problems_that_repeat_are_printed_once_with_their_number() {
    let long = format!("{GOOD}{}", "line\n".repeat(501));
    let other = long.replace("pdf", "doc").replace("line", "row\nrow");
    let broken = format!("{GOOD}See [a](references/gone.md).\n");
    let deep = format!("r/a/pdf/{0}/{0}/{0}", "d".repeat(90));
    let (first, second) = (format!("{deep}/a.md"), format!("{deep}/b.md"));
    let place = Place::new(&[
        ("r/a/pdf/SKILL.md", broken.as_str()),
        ("r/b/pdf/SKILL.md", broken.as_str()),
        ("r/c/pdf/SKILL.md", long.as_str()),
        ("r/c/doc/SKILL.md", other.as_str()),
        (first.as_str(), "a"),
        (second.as_str(), "b"),
    ]);
    let run = place.run(&["check", "r"]);
    for code in ["broken-link", "long-body", "path-long"] {
        assert_eq!(run.out.matches(&format!("[skills::{code}]")).count(), 1, "{code}: {}", run.out);
        assert_eq!(place.run(&["check", "r", "--all"]).out.matches(&format!("[skills::{code}]")).count(), 2);
        let json = place.run(&["check", "r", "--json"]).out;
        assert_eq!(json.matches(&format!("\"code\":\"{code}\"")).count(), 2, "{json}");
    }
    assert!(run.out.contains("(the first of 2; `--all` shows them)"), "{}", run.out);
    assert!(run.out.contains("Found 6 problems"), "{}", run.out);
    // From three files on, the same name is one problem, however many links a file has.
    let paths = ["a", "b", "c"].map(|name| format!("r/pdf/{name}.md"));
    let texts = ["[a](x.md)\n", "\n[a](x.md) [b](y.md)\n", "[c](z.md)\n"];
    let mut entries = vec![("r/pdf/SKILL.md", GOOD)];
    entries.extend(paths.iter().zip(texts).map(|(path, text)| (path.as_str(), text)));
    let two = Place::new(&entries).run(&["check", "r"]);
    assert_eq!(two.out.matches("[skills::broken-link]").count(), 3, "{}", two.out);
    entries.push(("r/pdf/d.md", "Read [a](x.md)\n"));
    let three = Place::new(&entries);
    let run = three.run(&["check", "r"]);
    assert_eq!(run.out.matches("[skills::broken-link]").count(), 2, "{}", run.out);
    assert!(run.out.contains("(the first of 3; `--all` shows them)"), "{}", run.out);
    assert_eq!(three.run(&["check", "r", "--all"]).out.matches("[skills::broken-link]").count(), 4);
    // The home directory of one person is one problem, whichever files lie in it.
    let texts = ["Read /Users/piet/a\n", "\nRead /Users/piet/b\n", "Read /Users/ingrid/c, /Users/piet/c\n"];
    let mut entries = vec![("r/pdf/SKILL.md", GOOD), ("r/pdf/d.md", "Read /home/piet/d\n")];
    entries.extend(paths.iter().zip(texts).map(|(path, text)| (path.as_str(), text)));
    let run = Place::new(&entries).run(&["check", "r"]);
    assert_eq!(run.out.matches("[skills::home-path]").count(), 2, "{}", run.out);
    // So is the habit of writing names as titles.
    let texts = ["Read PDF", "Write PDF", "Sign PDF", "Print!"]
        .map(|name| GOOD.replace("name: pdf", &format!("name: {name}")));
    let paths = ["r/read-pdf/SKILL.md", "r/write-pdf/SKILL.md", "r/sign-pdf/SKILL.md", "r/print/SKILL.md"];
    let entries: Vec<(&str, &str)> = paths.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let run = Place::new(&entries).run(&["check", "r"]);
    assert_eq!(run.out.matches("[skills::name-invalid]").count(), 2, "{}", run.out);
    // So is a capital in each name.
    let texts = ["Sign", "Find", "Send"].map(|name| GOOD.replace("name: pdf", &format!("name: {name}")));
    let paths = ["r/sign/SKILL.md", "r/find/SKILL.md", "r/send/SKILL.md"];
    let entries: Vec<(&str, &str)> = paths.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let run = Place::new(&entries).run(&["check", "r"]);
    assert_eq!(run.out.matches("[skills::name-invalid]").count(), 1, "{}", run.out);
    let run = place.run(&["check", "r"]);
    assert_eq!((run.code, place.run(&["check", "r", "--allow", "path-long"]).code), (1, 0));
    // The length counts from the skill.
    let above = format!("{0}/{0}/{0}", "u".repeat(90));
    let nested = Place::new(&[(format!("{above}/pdf/SKILL.md").as_str(), GOOD)]);
    assert_eq!(nested.run(&["check", "."]).code, 0);
}
