//! The reference of the book: pages that are generated from the tables of the program, and tables that must name
//! everything that the program has. `BLESS=1` renews the generated pages.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;
use skills_core::level::Level;

use crate::command::Place;

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn read(path: &str) -> String {
    fs::read_to_string(format!("{TOP}/{path}")).unwrap()
}

/// Compares a generated page with the book.
pub(crate) fn same(page: &str, text: &str) {
    let path = format!("{TOP}/docs/book/text/reference/{page}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{page}: BLESS=1 renews it");
}

/// Returns the names of the commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let list = help.split("\nOptions:\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    let names = names.map(|line| line.split(' ').next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

/// Returns the names and the help of every command and its subcommands.
pub(crate) fn every_help(place: &Place) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut rest: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(words) = rest.pop() {
        let run = place.run(&[&words[..], &["--help".to_owned()]].concat());
        assert_eq!(run.code, 0, "{words:?}: {}", run.err);
        let mut names = commands(&run.out);
        if words.is_empty() {
            let all = skills_cli::command();
            let hidden = all.get_subcommands().map(|below| below.get_name().to_owned());
            let hidden: Vec<String> = hidden.filter(|name| name != "help" && !names.contains(name)).collect();
            names.extend(hidden);
        }
        rest.extend(names.into_iter().rev().map(|name| [&words[..], &[name]].concat()));
        let help: String = run.out.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        found.push((words, help));
    }
    found.remove(0); // the help of the program itself
    found
}

/// Describes the grammar, and lists each command with its arguments and options in a table.
fn overview(command: &clap::Command) -> String {
    let mut out = "A command about a collection of skills takes directories by position, and a command about one skill\n\
                   takes its name by position and directories by `--dir`. `--dir DIR` also names a directory that a command \
                   takes by position. A command that prints a result takes \
                   `--format`, with `--json` as the short form of `--format json`. An option has one meaning in all \
                   commands, except `--against`, `--key`, `--mode` and `--to`. `tools` has no `--json`: its `--format` names the \
                   API of a model. Every command also takes `--color`, `--quiet`, `--verbose` and `--help`.\n\n\
                   | Command | By position | Options |\n|---|---|---|\n"
        .to_owned();
    rows(command, "", &mut out);
    out + "\n"
}

fn rows(command: &clap::Command, path: &str, out: &mut String) {
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let path = format!("{path} {}", below.get_name());
        if below.has_subcommands() {
            rows(below, &path, out);
            continue;
        }
        let shown = below.get_arguments().filter(|argument| !argument.is_hide_set());
        let (positions, options): (Vec<_>, Vec<_>) = shown.partition(|argument| argument.is_positional());
        let names = positions.iter().flat_map(|position| position.get_value_names().unwrap_or_default());
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let mut options: Vec<String> =
            options.iter().filter_map(|option| Some(format!("`--{}`", option.get_long()?))).collect();
        options.sort();
        writeln!(out, "| `{}` | {} | {} |", path.trim(), names.join(" "), options.join(", ")).unwrap();
    }
}

// SPEC 18.9: the reference has every command with its options
#[test]
fn commands_are_listed() {
    let all = every_help(&Place::new(&[]));
    assert!(all.len() > 28, "{} commands", all.len());
    let mut page = "# Commands\n\nThis page is generated from `skills COMMAND --help`.\n\n".to_owned();
    page.push_str(&overview(&skills_cli::command()));
    for (words, help) in all {
        let level = if words.len() > 1 { "###" } else { "##" };
        writeln!(page, "{level} skills {}\n\n```text\n{}\n```\n", words.join(" "), help.trim_end()).unwrap();
    }
    same("commands.md", &format!("{}\n", page.trim_end()));
}

/// Returns text for a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Describes the type of a property in a few words.
fn kind(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    }
    match (schema["type"].as_str(), schema["$ref"].as_str()) {
        (Some("array"), _) => match schema["items"]["type"].as_str() {
            Some(item) => format!("array of {item}s"),
            None => "array".to_owned(),
        },
        (Some(name), _) => name.to_owned(),
        (None, Some(reference)) => match reference.rsplit('/').next().unwrap() {
            "schema" => "JSON Schema".to_owned(),
            "paths" => "array of strings".to_owned(),
            "count" => "integer".to_owned(),
            other => other.to_owned(),
        },
        (None, None) => "see the text".to_owned(),
    }
}

/// Adds a table of the properties of a schema.
fn keys(page: &mut String, schema: &Value) -> usize {
    page.push_str("| Key | Type | Required | Default | Meaning |\n|---|---|---|---|---|\n");
    let required: Vec<&str> = schema["required"]
        .as_array()
        .map_or_else(Vec::new, |all| all.iter().filter_map(Value::as_str).collect());
    let properties = schema["properties"].as_object().unwrap();
    for (key, property) in properties {
        let needed = if required.contains(&key.as_str()) { "yes" } else { "" };
        let default = property.get("default").map_or_else(String::new, |value| format!("`{value}`"));
        let meaning = property["description"].as_str().unwrap();
        writeln!(page, "| `{key}` | {} | {needed} | {default} | {} |", cell(&kind(property)), cell(meaning))
            .unwrap();
    }
    page.push('\n');
    properties.len()
}

// SPEC 18.9: the reference has every key of `skill.json` and of the frontmatter
#[test]
fn keys_are_listed() {
    let schema: Value = serde_json::from_str(&Place::new(&[]).run(&["schema"]).out).unwrap();
    let mut page =
        "# skill.json\n\nThis page is generated from the schema that `skills schema` prints. An unknown key \
                    is an error.\n\n"
            .to_owned();
    let mut count = keys(&mut page, &schema);
    page.push_str("## A step of `pipeline`\n\n");
    count += keys(&mut page, &schema["definitions"]["step"]);
    page.push_str("## `permissions`\n\n");
    count += keys(&mut page, &schema["properties"]["permissions"]);
    assert!(count > 28, "{count} keys");
    same("manifest.md", &format!("{}\n", page.trim_end()));

    let mut page =
        "# Keys of the frontmatter\n\nThis page is generated from the table of known keys. `-` and `_` are \
                    the same in a key. An unknown key is a warning, and stays readable.\n\n\
                    | Key | Open standard | Meaning |\n|---|---|---|\n"
            .to_owned();
    for known in skills_core::known::KEYS {
        let standard = if known.standard { "yes" } else { "" };
        writeln!(page, "| `{}` | {standard} | {} |", known.key, cell(known.meaning)).unwrap();
    }
    same("frontmatter.md", &page);
}

// SPEC 18.9: the reference has every rule; the build of the book adds a page for each
#[test]
fn rules_are_listed() {
    let mut page = "# Rules\n\nThis page is generated from the rule table. The level is that of a bundle. A rule with a `*` is a \
                    lint, whose level you can set. `skills explain NAME` prints the explanation of a rule with a bad and a \
                    good example.\n"
        .to_owned();
    for (about, group) in skills_core::rule::groups() {
        write!(page, "\n## {about}\n\n| Rule | Level | Meaning |\n|---|---|---|\n").unwrap();
        for rule in group {
            let level = if rule.bundle == Level::Allow { "-" } else { rule.bundle.as_str() };
            let star = if rule.lint { "\\*" } else { "" };
            let first = cell(skills_core::rule::text(rule).first_sentence());
            writeln!(page, "| `{}` | {level}{star} | {first} |", rule.code).unwrap();
        }
    }
    same("rules.md", &page);
}

/// Returns the features of a manifest, each with the comment above it and the features that it turns on.
fn features(manifest: &str) -> Vec<(String, String, String)> {
    let (_, section) = manifest.split_once("\n[features]\n").unwrap();
    let (section, _) = section.split_once("\n[").unwrap();
    let (mut found, mut comment, mut is_new) = (Vec::new(), String::new(), true);
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        if let Some(text) = line.strip_prefix("# ") {
            comment = if is_new { text.to_owned() } else { format!("{comment} {text}") };
            is_new = false;
        } else if let Some((name, value)) = line.split_once(" = ") {
            let mut value = value.to_owned();
            while !value.contains(']') {
                value.push_str(lines.next().unwrap());
            }
            let own = |part: &&str| !part.contains(['/', ':']);
            let implied: Vec<String> =
                value.split('"').skip(1).step_by(2).filter(own).map(|part| format!("`{part}`")).collect();
            found.push((name.to_owned(), comment.clone(), implied.join(", ")));
            is_new = true; // a comment applies to all features below it
        }
    }
    found
}

// SPEC 18.9: the reference has every feature of the library and of the command
#[test]
fn features_are_listed() {
    let mut page =
        "# Feature flags\n\nThis page is generated from the manifests. Without a flag, its dependencies are \
                    not built.\n\n"
            .to_owned();
    for (title, manifest, least) in [
        ("The library `skills` (package `skills-bundle`)", "Cargo.toml", 14),
        ("The command (package `cargo-skills`)", "tools/skills-cli/Cargo.toml", 6),
        ("The commands of a program (package `skills-commands`)", "tools/skills-commands/Cargo.toml", 4),
    ] {
        writeln!(page, "## {title}\n\n| Feature | Turns on | Meaning |\n|---|---|---|").unwrap();
        let features = features(&read(manifest));
        assert!(features.len() >= least, "{features:?}");
        for (name, comment, implied) in features {
            let comment =
                if name == "default" { "The features that are on without a choice." } else { &comment };
            assert!(!comment.is_empty(), "{manifest}: {name} has no comment");
            writeln!(page, "| `{name}` | {implied} | {} |", cell(comment)).unwrap();
        }
        page.push('\n');
    }
    same("features.md", &format!("{}\n", page.trim_end()));
}

/// Returns the texts between two marks in a source file.
pub(crate) fn between<'a>(text: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(from).skip(1).map(move |rest| rest.split(to).next().unwrap())
}

/// Checks that a page names each of some words as code.
fn names(page: &str, least: usize, words: impl IntoIterator<Item = String>) {
    let text = read(&format!("docs/book/text/reference/{page}"));
    let mut count = 0;
    for word in words {
        assert!(
            text.contains(&format!("`{word}")) || text.contains(&format!(" {word}`")),
            "{page} lacks `{word}`"
        );
        count += 1;
    }
    assert!(count >= least, "{page}: {count} words");
}

// SPEC 18.9: the reference has every option of the macro and the build script, and every key of `skills.toml`
#[test]
fn options_are_listed() {
    let options = read("core/skills-build/src/options.rs");
    let table = options.split("impl BundleOptions").next().unwrap();
    names("macro.md", 9, between(table, "(\"", "\"").map(str::to_owned));
    let script = read("core/skills-build/src/bundle.rs");
    let methods = between(&script, "pub fn ", "(")
        .filter(|name| !matches!(*name, "bundle" | "new" | "build" | "inspect"));
    names("macro.md", 8, methods.map(str::to_owned));
    names("config.md", 9, skills_core::config::KEYS.map(|(key, _)| key.to_owned()));
}

// SPEC 18.9: the reference has every variable that the program reads
#[test]
fn variables_are_listed() {
    let mut directories: Vec<String> = [
        "core",
        "features",
        "tools/skills-cli/src",
        "tools/skills-sources/src",
        "adapters/http/src",
        "adapters/mcp/src",
        "adapters/genai/src",
    ]
    .map(|directory| format!("{TOP}/{directory}"))
    .to_vec();
    let mut found = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && !matches!(name, "tests" | "target" | "examples") {
                directories.push(path.to_str().unwrap().to_owned());
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = fs::read_to_string(&path).unwrap();
                for read in ["env::var(\"", "env::var_os(\""] {
                    found.extend(between(&text, read, "\"").map(str::to_owned));
                }
            }
        }
    }
    found.retain(|name| !name.starts_with("CARGO_") && name != "BLESS");
    names("environment.md", 8, found);
}

// SPEC 18.9: the reference has every HTTP route, and every event and attribute of a span
#[test]
fn routes_and_events_are_listed() {
    let routes = ["adapters/http/src/api.rs", "adapters/http/src/ui.rs"].map(read).concat();
    names("http.md", 8, between(&routes, ".route(\"", "\"").map(str::to_owned));
    let events = read("features/skills-call/src/event/mod.rs");
    names(
        "events.md",
        5,
        between(&events, "    /// `", "`")
            .filter(|word| !word.contains([':', ' ', '(']))
            .filter(|word| *word == word.to_lowercase())
            .map(str::to_owned),
    );
}
