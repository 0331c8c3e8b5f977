//! `skills check --commands`, `skills commands`, and the commands in our own documents.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::path::{Path, PathBuf};

use skills_usage::{CommandTree, check};

use crate::command::{Place, Run};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns the Markdown files below a directory, without those of other people and of builds.
fn documents(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir()
            && !name.starts_with('.')
            && !matches!(name.as_str(), "target" | "node_modules" | "tests")
        {
            documents(&path, found);
        } else if path.is_file() && name.ends_with(".md") {
            found.push(path);
        }
    }
}

// SPEC 23.8: README, docs, the book and the skills name only commands and flags that exist
#[test]
fn our_documents_fit_the_command() {
    let skills = CommandTree::from(&skills_cli::command());
    let mut files = Vec::new();
    documents(Path::new(ROOT), &mut files);
    files.sort();
    let (mut wrong, mut count) = (String::new(), 0);
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        count += text.matches("skills check").count();
        for found in check(&text, std::slice::from_ref(&skills)) {
            let line = text[..found.at.start].matches('\n').count() + 1;
            let path = file.strip_prefix(ROOT).unwrap().display();
            wrong += &format!("{path}:{line}: {}: {}\n", found.rule().code, found.title());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 30, "only {count} lines with `skills check` were looked at");
}

const ACME: &str = r#"{
  "name": "acme",
  "commands": [
    { "name": "list", "flags": [{ "names": ["--format"], "old": ["--fmt", "--kind-of-text"], "takes": "one" }] }
  ]
}"#;
const SKILL: &str = "---\nname: acme\ndescription: Lists things.\n---\n\n```sh\nacme list --kind-of-text json\nacme list --fromat json\n```\n";

fn place() -> Place {
    Place::new(&[("acme.json", ACME), ("skills/acme/SKILL.md", SKILL)])
}

// SPEC 23.1, 23.6: a report with place and caret, a fix, a baseline, an exception in the text, and the key of skills.toml
#[test]
fn rules_about_commands_work_like_others() {
    let place = place();
    let run = place.run(&["check", "skills", "--commands", "acme.json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let excerpt = " 8 | acme list --fromat json\n   |           ^^^^^^^^ no such flag\n   = help: change it to `--format`";
    assert!(run.out.contains("SKILL.md:8:11") && run.out.contains(excerpt), "{}", run.out);
    assert!(run.out.contains("warning[skills::command-deprecated]"), "{}", run.out);
    let run = place.run(&["check", "skills", "--commands", "acme.json", "--baseline", "known.txt"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.run(&["check", "skills", "--commands", "acme.json", "--baseline", "known.txt"]).code, 0);
    let run = place.run(&["check", "skills", "--commands", "acme.json", "--fix"]);
    assert_eq!(run.code, 1, "{run:?}");
    let fixed = std::fs::read_to_string(place.path("skills/acme/SKILL.md")).unwrap();
    assert!(
        fixed.contains("acme list --format json\nacme list --fromat"),
        "the old name has one new one: {fixed}"
    );
    let run = place.run(&["check", "skills", "--commands", "acme.json", "--fix", "--unsafe-fixes"]);
    assert_eq!(run.code, 0, "{run:?}");
    let fixed = std::fs::read_to_string(place.path("skills/acme/SKILL.md")).unwrap();
    assert_eq!(fixed.matches("acme list --format json").count(), 2, "{fixed}");

    let place = Place::new(&[
        ("acme.json", ACME),
        ("skills.toml", "commands = [\"acme.json\"]\n"),
        ("skills/acme/SKILL.md", &format!("{SKILL}\n<!-- skills: allow(command-flag) -->\n")),
        ("skills/acme/references/more.md", "Run `acme lst`.\n"),
    ]);
    let run = place.run(&["check", "skills", "--format", "sarif"]);
    assert_eq!(run.code, 1, "{run:?}");
    let codes = ["command-unknown", "command-deprecated", "command-flag"];
    let has = codes.map(|code| run.out.contains(&format!("\"ruleId\":\"{code}\"")));
    assert_eq!(has, [true, true, false], "{}", run.out);
}

// SPEC 23.1
#[test]
fn a_wrong_file_of_commands_ends_the_check() {
    let place = Place::new(&[("acme.json", "{ \"nme\": 1 }"), ("skills/acme/SKILL.md", SKILL)]);
    for file in ["acme.json", "none.json"] {
        let run = place.run(&["check", "skills", "--commands", file]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("cannot read the commands in"), "{}", run.err);
    }
    let files = [("skills.toml", "commands = [\"none.json\"]\n"), ("skills/acme/SKILL.md", SKILL)];
    let run = Place::new(&files).run(&["check", "skills"]);
    assert_eq!(run.code, 1, "{run:?}");
    let text = run.out + &run.err;
    assert!(text.contains("skills.toml:1:13") && text.contains("cannot read the commands in"), "{text}");
}

// SPEC 23.2: only help texts are requested, and the program cannot write
#[cfg(target_os = "linux")]
#[test]
fn commands_are_read_from_help_texts() {
    let program = "#!/bin/sh\necho \"$@\" >> \"$(dirname \"$0\")/calls\"\ncase \"$*\" in\n\
        --help) printf 'Usage: tool [OPTIONS] <COMMAND>\\n\\nCommands:\\n  list  Lists\\n  show  Shows\\n  help  Help\\n\\nOptions:\\n  -v, --verbose  More\\n';;\n\
        'list --help') printf 'Usage: tool list [OPTIONS] <DIR>\\n\\nOptions:\\n      --limit <N>  At most [env: TOOL_LIMIT=]\\n';;\nesac\n";
    let place = Place::new(&[("bin/tool", program)]);
    let run = place.run(&["check", "--print-commands", "bin/tool"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.err.contains("1 of 4 commands may accept more than their help says"),
        "`show` has no help: {run:?}"
    );
    let programs = skills_usage::parse(&run.out).unwrap();
    let list = &programs[0].commands[0];
    assert_eq!((list.name.as_str(), list.flags[0].names[0].as_str()), ("list", "--limit"));
    assert_eq!((list.arguments[0].name.as_str(), list.arguments[0].required), ("DIR", true));
    assert_eq!(programs[0].environment, ["TOOL_LIMIT"], "{programs:?}");
    assert!(!place.top.join("bin/calls").exists(), "the program wrote a file");
    // A program that may not read a part of itself says so.
    place.write("bin/shim", "#!/bin/sh\nexec \"$(dirname \"$0\")/../lib/real\" \"$@\"\n");
    place.write("lib/real", "#!/bin/sh\necho 'Usage: shim'\n");
    let run = place.run(&["check", "--print-commands", "bin/shim"]);
    assert!(run.code == 1 && run.err.contains("lib/real") && run.err.contains("--read PATH"), "{run:?}");
}

// SPEC 23.2: a program of a version manager runs with the toolchain that `PATH` points to
#[cfg(target_os = "linux")]
#[test]
fn a_program_runs_with_the_toolchain_of_path() {
    let help = "printf 'Usage: tool [OPTIONS]\\n\\nOptions:\\n  -v, --verbose  More\\n'\n";
    let real = format!("#!/bin/sh\n{help}");
    // The directories in PATH, the shim, and the file that it starts: below HOME, as each manager places them.
    let pyenv = "#!/bin/sh\nexec \"$HOME/.pyenv/libexec/pyenv\" exec tool \"$@\"\n";
    let asdf = "#!/bin/sh\ncat \"$HOME/.tool-versions\" > /dev/null || exit 3\nexec \"${ASDF_DATA_DIR:-$HOME/.asdf}/installs/tool/1/bin/tool\" \"$@\"\n";
    let by_env = "#!/usr/bin/env -S node\n".to_owned();
    let node = format!("#!/bin/sh\ncat \"$(dirname \"$0\")/../lib/libnode\" || exit 4\n{help}");
    // A manager in one program that looks at the name by which it was called.
    let one = format!(
        "#!/bin/sh\ntest \"$(basename \"$0\")\" = tool || exit 5\ncat \"$HOME/.rustup/settings.toml\" || exit 6\n{help}"
    );
    let place = Place::new(&[
        ("home/.pyenv/shims/tool", pyenv),
        ("home/.pyenv/libexec/pyenv", real.as_str()),
        ("home/.asdf/shims/tool", asdf),
        ("home/.asdf/installs/tool/1/bin/tool", real.as_str()),
        ("home/.tool-versions", "tool 1\n"),
        ("home/.nvm/versions/node/v22/bin/tool", by_env.as_str()),
        ("home/.nvm/versions/node/v22/bin/node", node.as_str()),
        ("home/.nvm/versions/node/v22/lib/libnode", ""),
        ("home/.cargo/bin/rustup", one.as_str()),
        ("home/.rustup/settings.toml", ""),
        ("home/.cargo/credentials.toml", "secret"),
        (
            "home/.local/bin/tool",
            "#!/bin/sh\ncat \"$HOME/.local/share/key\" \"$HOME/.cargo/credentials.toml\" \"$HOME/.ssh/key\"\nexit 7\n",
        ),
        ("home/.local/share/key", "secret"),
        ("home/.ssh/key", "secret"),
        ("home/.cargo/bin/other", "#!/bin/sh\n"),
    ]);
    std::os::unix::fs::symlink("rustup", place.top.join("home/.cargo/bin/tool")).unwrap();
    let run = |directories: &[&str]| {
        let home = place.top.join("home");
        let mut path: Vec<_> = directories.iter().map(|directory| home.join(directory)).collect();
        path.extend(["/usr/bin".into(), "/bin".into()]);
        let mut command = place.command(&["check", "--print-commands", "tool"]);
        for name in
            ["ASDF_DATA_DIR", "CARGO_HOME", "NVM_DIR", "PYENV_ROOT", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"]
        {
            command.env_remove(name);
        }
        command.env("HOME", &home).env("PATH", std::env::join_paths(path).unwrap());
        Run::of(&mut command)
    };
    for directory in [".pyenv/shims", ".asdf/shims", ".nvm/versions/node/v22/bin", ".cargo/bin"] {
        let run = run(&[directory]);
        assert_eq!(run.code, 0, "{directory}: {run:?}");
        assert!(run.out.contains("--verbose"), "{directory}: {run:?}");
    }
    // Keys beside programs are not readable, and the failure is shown as it was.
    let run = run(&[".local/bin", ".cargo/bin"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.err.contains("exit code 7") && run.err.contains("--read PATH"), "{run:?}");
    assert!(run.err.matches("ermission denied").count() == 3 && !run.err.contains("secret"), "{run:?}");
}

// SPEC 23.2
#[cfg(target_os = "linux")]
#[test]
fn help_takes_the_names_of_commands() {
    let program = "#!/bin/sh\nprintf 'Usage: tool [OPTIONS] <COMMAND>\\n\\nCommands:\\n  list  Lists\\n  help  Print this message or the help of the given subcommand(s)\\n\\nOptions:\\n  -v, --verbose  More\\n'\n";
    let skill = "---\nname: tool\ndescription: Uses tool.\n---\nRun `tool help list`, `tool help` or `tool help show`.\n";
    let place = Place::new(&[("bin/tool", program), ("skills/tool/SKILL.md", skill)]);
    let run = place.run(&["check", "--print-commands", "bin/tool"]);
    place.write("tool.json", &run.out);
    let run = place.run(&["check", "skills", "--commands", "tool.json"]);
    assert!(!run.out.contains("tool help"), "{run:?}");
}
