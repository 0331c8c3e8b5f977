//! The grammar of the command line, held over all definitions of clap: a word has one meaning, and commands of one kind
//! take the same arguments.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Arg, ArgAction, Command};

/// The commands about a collection of skills, which take directories by position.
const COLLECTION: [&str; 15] = [
    "check",
    "eval",
    "expand",
    "graph",
    "list",
    "mcp",
    "migrate",
    "prompt",
    "serve",
    "sign",
    "tools",
    "trust",
    "verify",
    "weigh",
    "engine worker",
];

/// The commands about named skills, which take directories by `--dir`.
const NAMED: [&str; 8] = ["call", "exec", "install", "new", "search", "show", "status", "uninstall"];

/// The commands without `--format`, and why.
const WITHOUT_FORMAT: &[(&str, &str)] = &[
    ("call", "prints the output of the function, which is JSON"),
    ("completions", "prints a script"),
    ("exec", "prints the outcome of a run, which is JSON"),
    ("expand", "prints Rust code"),
    ("init", "asks a person, and prints a diff"),
    ("lsp", "speaks the Language Server Protocol"),
    ("manual", "prints nothing"),
    ("mcp", "serves until it is ended"),
    ("prompt", "prints the text that a model sees, in the form that `--style` names"),
    ("engine runs", "prints the output of the engine's program"),
    ("schema", "prints a JSON Schema"),
    ("serve", "serves until it is ended"),
    ("tools", "has the formats of providers, which are all JSON"),
    ("engine worker", "serves until it is ended"),
];

/// The options that several commands have: the placeholder of their value, if they have one, and words that their help has
/// everywhere.
const MEANINGS: &[(&str, &str, &str)] = &[
    ("admin", "ADDRESS", "Restate admin"),
    ("agent", "AGENT", "agent that reads|this agent"),
    ("all", "", "Also "),
    ("as", "BUNDLE", "name of the bundle"),
    ("base-url", "URL", "address of a server"),
    ("bind", "ADDRESS", "at"),
    ("budget", "TOKENS", "in tokens"),
    ("category", "CATEGORY", "category"),
    ("check", "", "nothing"),
    ("ci", "", "For CI:"),
    ("claude", "", "Claude"),
    ("commands", "FILE", "in this JSON file"),
    ("description", "TEXT", "does and when|of the plugin"),
    ("dir", "DIR", "directory"),
    ("dry-run", "", "without"),
    ("env", "NAME", "environment"),
    ("force", "", "edited"),
    ("host", "", "function of the host program"),
    ("format", "FORMAT", "format|API"),
    ("input", "JSON", "input"),
    ("json", "", "`--format json`"),
    ("lenient", "", "without a description"),
    ("limit", "N", "maximum number of skills to print"),
    ("mode", "MODE", "mode|kind"),
    ("model", "MODEL", "language model"),
    ("on-demand", "", "Show the model only"),
    ("otlp", "URL", "traces"),
    ("pin", "NAME", "Always show this skill"),
    ("require-signature", "PUBLIC.pem", "signed|signature"),
    ("resource-limit", "NAME=VALUE", "Limit each process"),
    ("restate", "ADDRESS", "Restate ingress"),
    ("sandbox", "WHEN", "confine|Confine"),
    ("scope", "SCOPE", "project"),
    ("search", "WORDS", "words"),
    ("skill", "NAME", "only this skill"),
    ("tag", "TAG", "tag"),
    ("temporal", "ADDRESS", "Temporal"),
    ("timeout", "DUR", "time limit"),
    ("to", "TARGET", "directory"),
    ("token-env", "VAR", "token in this environment variable"),
    ("yes", "", "without asking"),
    ("workspace", "DIR", "working directory of programs"),
];

/// The options that several commands have with another placeholder or none, and why.
const OTHERWISE: &[(&str, &str)] = &[
    ("against", "`eval` compares reports, and `plugin check` plugins"),
    ("key", "a private key signs, and a public key verifies"),
    ("to", "`manual` and `add` write into a directory that they do not own"),
    ("mode", "`new` has its own kinds"),
];

/// Returns each command with its path, such as `plugin check`, without those that only group others.
pub(crate) fn all() -> Vec<(String, Command)> {
    fn walk(path: &str, command: &Command, found: &mut Vec<(String, Command)>) {
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            let path = format!("{path} {}", below.get_name()).trim().to_owned();
            if below.has_subcommands() {
                walk(&path, below, found);
            } else {
                found.push((path, below.clone()));
            }
        }
    }
    let mut found = Vec::new();
    walk("", &skills_cli::command(), &mut found);
    assert!(found.len() > 30, "{}", found.len());
    found
}

/// Returns the arguments that the help shows.
pub(crate) fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| !argument.is_hide_set())
}

fn placeholder(argument: &Arg) -> String {
    let is_flag = matches!(argument.get_action(), ArgAction::SetTrue | ArgAction::Count);
    let names = argument.get_value_names().filter(|_| !is_flag).unwrap_or_default();
    names.iter().map(ToString::to_string).collect()
}

fn positional(command: &Command) -> Vec<String> {
    shown(command).filter(|argument| argument.is_positional()).map(placeholder).collect()
}

// SPEC 11.26: a command about a collection takes directories by position, and a command about one skill by `--dir`
#[test]
fn directories_have_one_place() {
    for (path, command) in all() {
        let has_option = shown(&command).any(|argument| argument.get_long() == Some("dir"));
        let has_position = positional(&command).iter().any(|name| name == "DIR");
        let is = |list: &[&str]| list.contains(&path.as_str());
        assert_eq!(
            is(&COLLECTION) || is(&["init", "plugin check", "plugin pack", "package publish"]),
            has_position,
            "{path}"
        );
        assert_eq!(is(&NAMED) || is(&["plugin new"]), has_option, "{path}");
    }
}

// SPEC 11.26: a directory is also named by `--dir`, in every command that takes one by position
#[test]
fn each_directory_has_an_option() {
    let has_option = |command: &Command| command.get_arguments().any(|found| found.get_long() == Some("dir"));
    for (path, command) in all() {
        let has_position = positional(&command).iter().any(|name| name == "DIR");
        assert!(!has_position || has_option(&command), "{path}");
    }
    #[cfg(unix)]
    {
        let place = crate::command::Place::new(&[
            ("s/a/SKILL.md", "---\nname: a\ndescription: Reads a. Use when reading.\n---\nA.\n"),
            ("t/b/SKILL.md", "---\nname: b\ndescription: Reads b. Use when reading.\n---\nB.\n"),
        ]);
        for command in ["list", "check", "expand"] {
            let by_position = place.run(&[command, "s"]);
            assert_eq!(by_position.code, 0, "{by_position:?}");
            assert_eq!(place.run(&[command, "--dir", "s"]), by_position, "{command}");
        }
        assert_eq!(place.run(&["list", "s", "--dir", "t"]), place.run(&["list", "s", "t"]));
        assert_eq!(place.run(&["check", "s", "--dir", "t"]).code, 2, "one directory is checked");
    }
}

// SPEC 11.26: an option name has one meaning in all commands
#[test]
fn an_option_has_one_meaning() {
    let mut uses: BTreeMap<String, BTreeMap<String, BTreeSet<(String, String)>>> = BTreeMap::new();
    for (path, command) in all() {
        for argument in shown(&command) {
            let Some(long) = argument.get_long() else { continue };
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let same = uses.entry(long.to_owned()).or_default();
            same.entry(placeholder(argument)).or_default().insert((path.clone(), help));
        }
    }
    let mut several = BTreeSet::new();
    for (word, by_placeholder) in &uses {
        let places: usize = by_placeholder.values().map(BTreeSet::len).sum();
        let helps: BTreeSet<&String> = by_placeholder.values().flatten().map(|(_, help)| help).collect();
        // One definition that several commands share cannot differ.
        if places < 2 || (helps.len() == 1 && by_placeholder.len() == 1) {
            continue;
        }
        several.insert(word.as_str());
        if OTHERWISE.iter().any(|(other, _)| other == word) {
            continue;
        }
        let known = MEANINGS.iter().find(|(known, ..)| known == word);
        let Some((_, value, has)) = known else {
            panic!("--{word} has no meaning in the table: {by_placeholder:?}")
        };
        for (placeholder, uses) in by_placeholder {
            assert_eq!(placeholder, value, "--{word} of {uses:?}");
            for (path, help) in uses {
                assert!(has.split('|').any(|has| help.contains(has)), "--{word} of {path}: {help}");
            }
        }
    }
    for (word, _) in OTHERWISE {
        assert!(several.contains(word), "--{word} needs no exception");
    }
}

// SPEC 11.26: option names that had two meanings have one command or one definition left
#[test]
fn formerly_ambiguous_options_have_one_meaning() {
    let with = |word: &str| -> Vec<String> {
        let has = |command: &Command| shown(command).any(|argument| argument.get_long() == Some(word));
        all().into_iter().filter(|(_, command)| has(command)).map(|(path, _)| path).collect()
    };
    assert_eq!(with("only"), ["eval"]);
    assert_eq!(with("host"), ["expand", "tools"]);
    assert_eq!(with("key"), ["sign", "verify"]);
    assert_eq!(with("limit"), ["search", "weigh"]);
    assert_eq!(with("ci"), ["check", "install", "package vendor", "status"]);
    assert_eq!(with("bind"), ["engine worker", "mcp", "serve"]);
    assert_eq!(with("budget"), ["check", "prompt"]);
}

// SPEC 11.26: each command that prints a result takes `--format`, with `--json` as its short form
#[test]
fn results_have_a_format() {
    for (path, command) in all() {
        let long = |name: &str| shown(&command).find(|argument| argument.get_long() == Some(name));
        let is_without = WITHOUT_FORMAT.iter().any(|(without, _)| *without == path);
        if path == "tools" {
            assert!(long("format").is_some_and(|format| format.is_required_set()));
            continue;
        }
        let has = (long("format").is_some(), long("json").is_some());
        assert_eq!(has, (!is_without, !is_without), "{path}");
        if let Some(format) = long("format") {
            let values = format.get_possible_values();
            assert!(values.iter().any(|value| value.get_name() == "json"), "{path}");
            assert_eq!(format.get_default_values().len(), 1, "{path}");
        }
    }
}

// SPEC 11.26: each help has an example, and fits into 100 columns; the texts below the options fit into 80 columns, and
// their paragraphs break only where the next word has no room
#[test]
fn each_help_has_an_example_and_fits() {
    let mut whole = skills_cli::command();
    whole.build();
    for (path, _) in all() {
        let mut command = &mut whole;
        for name in path.split(' ') {
            command = command.find_subcommand_mut(name).expect("it was found before");
        }
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(after.contains(&format!("\n  skills {path}")), "{path}: {after}");
        let length = |text: &str| text.chars().count();
        let lines: Vec<&str> = after.lines().collect();
        for line in &lines {
            assert!(length(line) <= 80, "{path}: {line}");
        }
        for pair in lines.windows(2) {
            let [line, next] = [pair[0], pair[1].split(' ').next().unwrap_or_default()];
            let is_broken = !next.is_empty() && !line.ends_with(['.', ':']) && !line.starts_with(' ');
            assert!(line.is_empty() || !is_broken || length(line) + 1 + length(next) > 80, "{path}: {line}");
        }
        let help = command.clone().term_width(100).render_long_help().to_string();
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{path}: {line}");
        }
    }
}

// SPEC 11.26: `--quiet` leaves results, warnings and errors
#[cfg(unix)]
#[test]
fn quiet_output_has_no_notes_and_no_summary() {
    let place = crate::command::Place::new(&[(
        "s/a/SKILL.md",
        "---\nname: a\ndescription: A.\ntags: internal\n---\nA.\n",
    )]);
    let loud = place.run(&["check", "s"]);
    let quiet = place.run(&["check", "s", "-q"]);
    assert!(loud.out.ends_with("1 skill, no problems\n"), "{loud:?}");
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (0, loud.out.as_str(), ""));
    let wrong = place.run(&["check", "nowhere", "-q"]);
    assert_eq!(wrong.code, 2);
    assert!(!wrong.out.is_empty() || wrong.err.starts_with("error: "), "{wrong:?}");
}

// SPEC 11.25, 11.26: a directory that does not exist is an error in every command
#[cfg(unix)]
#[test]
fn a_missing_directory_is_wrong_usage() {
    let place = crate::command::Place::new(&[("key.pem", "")]);
    for (path, _) in all() {
        let mut words: Vec<&str> = path.split(' ').collect();
        let is = |list: &[&str]| list.contains(&path.as_str());
        if is(&NAMED) && path != "new" && path != "uninstall" {
            words.extend(["x", "--dir", "missing"]);
        } else if (is(&COLLECTION) && path != "engine worker") || is(&["plugin check", "plugin pack"]) {
            words.push("missing/dir");
        } else {
            continue;
        }
        words.extend(match path.as_str() {
            "tools" => &["--format", "mcp"][..],
            "sign" | "verify" => &["--key", "key.pem"],
            "install" | "status" | "plugin pack" => &["--to", "t"],
            "eval" => &["--replay", "key.pem"],
            _ => &[],
        });
        let run = place.run(&words);
        assert_eq!(run.code, 2, "{words:?}: {run:?}");
        assert!(run.err.contains("error: ") || run.out.starts_with("error["), "{words:?}: {run:?}");
    }
}

// SPEC 11.26: JSON outputs have a version
#[cfg(unix)]
#[test]
fn json_outputs_have_a_version() {
    let function = r#"{"name": "f", "description": "F.", "category": "c", "mode": "llm",
        "input": {"type": "object"}, "output": {"type": "object"}}"#;
    let place =
        crate::command::Place::new(&[("s/f/skill.json", function), ("s/f/prompt.md", "Do."), ("t/x", "")]);
    place.run(&["plugin", "pack", "s", "--to", "p"]);
    for words in [
        &["check", "s"][..],
        &["weigh", "s"],
        &["graph", "s"],
        &["explain"],
        &["explain", "name-mismatch"],
        &["status", "--dir", "s", "--to", "t"],
        &["trust", "--list"],
        &["plugin", "check", "p"],
    ] {
        // The trusted directories of the user are not those of the test.
        let run = |more: &[&str]| {
            let mut command = place.command(&[words, more].concat());
            crate::command::Run::of(command.env("XDG_CONFIG_HOME", &place.top))
        };
        let json = run(&["--json"]);
        assert_eq!(json.code, 0, "{json:?}");
        let last = if words[0] == "check" { json.out.lines().last().unwrap_or_default() } else { &json.out };
        let value: serde_json::Value = serde_json::from_str(last).expect("it prints JSON");
        assert_eq!(value["format_version"], 1, "{words:?}: {}", json.out);
        assert_eq!(run(&["--format", "json"]), json);
    }
}
