//! Tests the output on a terminal with a pseudo-terminal of `script`: colours, widths, and lines that change.
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use crate::command::Place;

const FUNCTION: &str = r#"{"name": "one", "description": "One.", "category": "c", "mode": "code",
    "input": {"type": "object", "properties": {"n": {"type": "integer"}}}, "output": {"type": "object"}}"#;

const PIPELINE: &str = r#"{"name": "each", "description": "Each.", "category": "c", "mode": "composite",
    "calls": ["one"], "output": {"type": "object"},
    "input": {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer"}}}, "required": ["l"]},
    "pipeline": [{"step": "many", "skill": "one", "foreach": "{{ input.l }}", "input": {"n": "{{ item }}"}},
        {"step": "last", "skill": "one", "depends": ["many"], "input": {}}]}"#;

fn place() -> Place {
    Place::new(&[
        ("bad/a/SKILL.md", "---\nname: a\ndescription: Use when: reviewing\n---\nA.\n"),
        ("s/one/skill.json", FUNCTION),
        ("s/one/SKILL.md", "---\nexec: run\n---\n"),
        ("s/one/bin/run", "#!/bin/sh\ncat\n"),
        ("s/each/skill.json", PIPELINE),
    ])
}

/// Sets the variables that colours depend on, and no others of them.
fn with<'c>(command: &'c mut Command, variables: &[(&str, &str)]) -> &'c mut Command {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").envs(variables.iter().copied())
}

/// Runs the command on a terminal and returns all that it wrote there.
fn on_terminal(place: &Place, arguments: &str, variables: &[(&str, &str)]) -> String {
    test_bed::need("script");
    let line = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_skills"));
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(&place.top).stdin(Stdio::null());
    String::from_utf8(with(&mut command, variables).output().unwrap().stdout).unwrap()
}

/// The last line of `check bad`, the same on a terminal and in a pipe.
const SUMMARY: &str = "\nFound 1 problem in 1 of 1 skill ([*] 1 fixable with --fix)\n";

/// Runs `check bad` without a terminal.
fn piped(place: &Place, variables: &[(&str, &str)]) -> String {
    let output = with(&mut place.command(&["check", "bad"]), variables).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

// SPEC 11.1: a pipe gets no colours; NO_COLOR and CLICOLOR_FORCE are respected
#[test]
fn a_pipe_has_no_colours() {
    let place = place();
    let piped = |variables: &[(&str, &str)]| piped(&place, variables);
    let plain = piped(&[]);
    assert!(
        plain.starts_with("error[skills::yaml-unquoted-colon]: ") && !plain.contains('\u{1b}'),
        "{plain}"
    );
    assert!(
        piped(&[("CLICOLOR_FORCE", "1")])
            .starts_with("\u{1b}[1m\u{1b}[91merror[skills::yaml-unquoted-colon]")
    );
    assert_eq!(piped(&[("CLICOLOR_FORCE", "0")]), plain);
    assert_eq!(piped(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}

// SPEC 11.1: a terminal gets colours; NO_COLOR, CLICOLOR and TERM are respected
#[test]
#[ignore = "needs script"]
fn colours_are_for_terminals() {
    let place = place();
    let plain = piped(&place, &[]);
    let coloured = on_terminal(&place, "check bad", &[]);
    assert!(
        coloured.starts_with("\u{1b}[1m\u{1b}[91merror[skills::yaml-unquoted-colon]\u{1b}[0m"),
        "{coloured:?}"
    );
    for variables in [[("NO_COLOR", "1")], [("CLICOLOR", "0")], [("TERM", "dumb")]] {
        let shown = on_terminal(&place, "check bad", &variables);
        let shown = shown.replace("\r\n", "\n");
        let problems = plain.strip_suffix(SUMMARY).expect("the last line");
        let is_same = shown.starts_with(problems) && shown.ends_with(SUMMARY);
        assert!(is_same && !shown.contains('\u{1b}'), "{variables:?}: {shown:?}");
    }
    let empty = on_terminal(&place, "check bad", &[("NO_COLOR", "")]);
    assert_eq!(empty, coloured, "an empty NO_COLOR is none");
}

/// Replaces numbers before ` s` by `N`, and returns the text without erased lines and erasing codes.
fn kept(shown: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in shown.split("\r\n") {
        let line = line.rsplit("\u{1b}[K").next().unwrap_or(line);
        let mut words: Vec<&str> = line.split(' ').collect();
        if let [.., seconds, "s"] = words.as_mut_slice() {
            seconds.parse::<f64>().expect("seconds");
            *seconds = "N";
        }
        lines.push(words.join(" "));
    }
    lines
}

// SPEC 11.27, 5.7: a running step is one line with its time, and a bar for the items of a list; finished steps
// and a summary stay
#[test]
#[ignore = "needs script"]
fn a_running_step_is_one_line() {
    let place = place();
    let call = r#"call each --dir s --input '{"l": [1, 2]}'"#;
    let shown = on_terminal(&place, call, &[]);
    assert!(!shown.contains("started"), "{shown:?}");
    let seen = ["each/many: 0 s", "\r\u{1b}[Keach/many: [############............] 1/2, 0 s"];
    seen.iter().for_each(|line| assert!(shown.contains(line), "{shown:?}"));
    assert!(shown.contains("] 2/2, 0 s\r\u{1b}[K1/2 each/many: done in "), "{shown:?}");
    assert_eq!(
        kept(&shown),
        ["1/2 each/many: done in N s", "2/2 each/last: done in N s", "each: 2 steps in N s", "{}", ""]
    );
    let dumb = on_terminal(&place, call, &[("TERM", "dumb")]);
    let started = ["each/many: started", "1/2 each/many: done in N s", "each/last: started"];
    assert_eq!(kept(&dumb), [&started[..], &["2/2 each/last: done in N s", "{}", ""]].concat());
    assert_eq!(on_terminal(&place, &format!("{call} -q"), &[]), "{}\r\n");
    let failed = on_terminal(&place, r#"call each --dir s --input '{"l": 1}'"#, &[]);
    assert_eq!(
        failed,
        "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: Skill \"each\" input validation failed\r\n/l: type: expected an array, found 1\r\n"
    );
}

// SPEC 11.27: a terminal shows that a program runs; the program waits until it was shown
#[test]
#[ignore = "needs script"]
fn a_slow_program_is_shown_to_run() {
    let place = place();
    let log = place.path("log");
    let wait = format!("#!/bin/sh\nuntil grep -q 'one: [0-9]* s' '{log}'; do sleep 0.1; done\necho '{{}}'\n");
    place.write("s/one/bin/run", &wait);
    test_bed::need("script");
    let line = format!("'{}' call one --dir s", env!("CARGO_BIN_EXE_skills"));
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-f", "-c", &line, &log]).current_dir(&place.top).stdin(Stdio::null());
    let output = with(&mut command, &[]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(kept(&String::from_utf8(output.stdout).unwrap()), ["{}", ""]);
}

// SPEC 11.27: problems fit the terminal, fixable ones are marked, and the summary at the end explains the mark
#[test]
#[ignore = "needs script"]
fn a_check_fits_the_terminal() {
    let long = format!(
        "---\nname: a\ndescription: {} Use when: reviewing {}\n---\nA.\n",
        "many words ".repeat(9),
        "x ".repeat(90)
    );
    let place = Place::new(&[
        ("bad/a/SKILL.md", long.as_str()),
        ("bad/Other/SKILL.md", "---\nname: other\ndescription: Other. Use when others fail.\n---\nO.\n"),
        ("bad/node_modules/x/SKILL.md", "---\nname: x\n---\n"),
    ]);
    let plain = piped(&place, &[]);
    assert!(plain.lines().any(|line| line.chars().count() > 100) && plain.contains("[*]"), "{plain}");
    let shown = on_terminal(&place, "check bad --color never", &[("COLUMNS", "80")]).replace("\r\n", "\n");
    let wide: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(matches!(wide.as_slice(), [line] if line.starts_with("Found ")), "{wide:#?}\n{shown}");
    assert!(shown.contains("\nerror[skills::yaml-unquoted-colon]: [*] "), "{shown}");
    let marked = shown.matches("]: [*] ").count();
    let found = shown.lines().filter(|line| line.contains("[skills::")).count();
    assert!(marked > 0 && found > marked, "{shown}");
    let says = format!("\nFound {found} problems in 2 of 2 skills ([*] {marked} fixable with --fix");
    assert!(shown.contains(&says), "{shown}");
    assert!(shown.contains("; 1 passed over: 1 below node_modules "), "{shown}");
    let quiet = on_terminal(&place, "check bad -q", &[("COLUMNS", "0")]);
    assert!(quiet.contains("\r\nFound ") && quiet.contains("; 1 passed over: "), "{quiet}");
}

// SPEC 11.15: a line of a list fits the terminal, whose width comes from `COLUMNS` or the terminal; a pipe gets all of it
#[test]
#[ignore = "needs script"]
fn a_list_fits_the_terminal() {
    let text = format!("---\nname: long\ndescription: {}ends.\n---\n", "读写 of tables, ".repeat(20));
    let place = Place::new(&[("s/long/SKILL.md", text.as_str())]);
    let piped = place.run(&["list", "s"]).out;
    assert!(piped.ends_with("ends.\n") && !piped.contains('…'), "{piped}");
    // SPEC 11.27: a table has colours on a terminal, and `--color` has precedence.
    let coloured = on_terminal(&place, "list s", &[("COLUMNS", "30")]);
    assert!(coloured.starts_with("\u{1b}[1mlong\u{1b}[0m  "), "{coloured:?}");
    let shown = on_terminal(&place, "list s --color never", &[("COLUMNS", "30")]);
    assert_eq!(shown, "long  0.1.0  text  读写 of ta…\r\n");
    let own = format!(
        "list s > piped; stty cols 40 rows 20; '{}' list s --color never",
        env!("CARGO_BIN_EXE_skills")
    );
    let shown = on_terminal(&place, &own, &[]);
    assert!(shown.ends_with("long  0.1.0  text  读写 of tables, 读写…\r\n"), "{shown}");
    assert_eq!(std::fs::read_to_string(place.top.join("piped")).unwrap(), piped, "COLUMNS is for terminals");
    let unsaid = on_terminal(&place, "list s --color never", &[("COLUMNS", "0")]);
    assert_eq!(unsaid.replace("\r\n", "\n"), piped, "a terminal that does not say how wide it is");
}

// SPEC 11.27: prose wraps at the ends of words below the mark of its list; code stays as it is, and so does all in a pipe
#[test]
#[ignore = "needs script"]
fn the_body_of_a_skill_fits_the_terminal() {
    let body = "1. Read the notes of the shop.\n\n```sh\necho one two three four five six\n```\n\nAnswer the question in full.\n";
    let text = format!("---\nname: a\ndescription: Answers.\n---\n{body}");
    let place = Place::new(&[("s/a/SKILL.md", text.as_str())]);
    assert!(place.run(&["show", "a", "--dir", "s"]).out.ends_with(body));
    let shown = on_terminal(&place, "show a --dir s", &[("COLUMNS", "20")]).replace("\r\n", "\n");
    let fitted = "1. Read the notes of\n   the shop.\n\n```sh\necho one two three four five six\n```\n\nAnswer the question\nin full.\n";
    assert!(shown.ends_with(fitted), "{shown}");
}
