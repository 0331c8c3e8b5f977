//! The completions of shells.

use std::process::Command;

use crate::command::{Place, Run};

const HELLO: &str = "---\nname: hello\ndescription: Says hello. Use when greeting.\n---\nSay hello.\n";
const HELP: &str = "---\nname: help-me\ndescription: Helps. Use when helping.\n---\nHelp.\n";
const SHELL_CODE: &str = "---\nname: $(touch made)\ndescription: Runs. Use when running.\n---\nRun.\n";

/// Returns the words with which the last word of a line can be completed, as the script of bash gets them.
fn complete(place: &Place, words: &[&str]) -> Vec<String> {
    let line = [&["--", "skills"], words].concat();
    let mut command = place.command(&line);
    command.env("SKILLS_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    let run = Run::of(&mut command);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{words:?}");
    run.out.lines().map(str::to_owned).collect()
}

// SPEC 11.23: each shell has a script; completions know the commands, options, rules and agents
#[test]
fn completions_know_commands_rules_and_agents() {
    let place = Place::new(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = place.run(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        assert!(run.out.contains("SKILLS_COMPLETE"), "{shell}: {}", run.out);
    }
    assert_eq!(place.run(&["completions", "cmd"]).code, 2);
    assert_eq!(complete(&place, &["sho"]), ["show"]);
    assert_eq!(complete(&place, &["engine", "wor"]), ["worker"]);
    assert_eq!(complete(&place, &["show", "--requ"]), ["--require-signature"]);
    assert_eq!(complete(&place, &["explain", "name-m"]), ["name-mismatch", "name-missing"]);
    assert_eq!(complete(&place, &["check", "--deny", "name-mism"]), ["name-mismatch"]);
    assert_eq!(complete(&place, &["install", "--agent", "openco"]), ["opencode"]);
}

// SPEC 11.23: completions know the skills of the directories of the line, else of the default ones, also those that are not
// trusted; a name that a shell would run is left out
#[test]
fn completions_know_skills() {
    let place = Place::new(&[
        ("skills/hello/SKILL.md", HELLO),
        ("skills/code/SKILL.md", SHELL_CODE),
        ("other/help-me/SKILL.md", HELP),
    ]);
    for command in ["show", "exec", "call", "install", "status", "uninstall", "update", "remove"] {
        assert_eq!(complete(&place, &[command, "he"]), ["hello"], "{command}");
    }
    assert_eq!(complete(&place, &["prompt", "--on-demand", "--pin", "he"]), ["hello"]);
    assert_eq!(complete(&place, &["eval", "--skill", "he"]), ["hello"]);
    assert_eq!(complete(&place, &["show", "--dir", "other", "he"]), ["help-me"]);
    assert_eq!(complete(&place, &["graph", "other", "skills", "--skill", "he"]), ["hello", "help-me"]);
    assert_eq!(complete(&place, &["trust", "sk"]), ["skills/"]);
    assert!(complete(&place, &["new", "he"]).is_empty());
    let listed = complete(&place, &["show", ""]);
    assert!(listed.iter().any(|word| word == "hello"), "{listed:?}");
    assert!(listed.iter().all(|word| !word.contains('$')), "{listed:?}");
}

// SPEC 11.23: bash completes the name of a skill with the printed script
#[test]
#[ignore = "needs bash"]
fn bash_completes_with_the_script() {
    test_bed::need("bash");
    let place = Place::new(&[("skills/hello/SKILL.md", HELLO)]);
    let mut bash = Command::new("bash");
    place.at_home(&mut bash);
    let script = "source <(skills completions bash) && COMP_WORDS=(skills show he) COMP_CWORD=2 COMP_TYPE=9 && \
                  _clap_complete_skills skills he show && echo \"${COMPREPLY[@]}\"";
    let directory =
        std::path::Path::new(env!("CARGO_BIN_EXE_skills")).parent().expect("a file has a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    bash.args(["-c", script]).env("PATH", format!("{}:{path}", directory.display()));
    let run = Run::of(&mut bash);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "hello\n", ""));
}
