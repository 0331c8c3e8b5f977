//! Checks the command that installed stubs name: the command of a program that prints a skill.

use std::fmt;

use skills_text::nearest;

use crate::tree::{CommandTree, ValueCount};

/// The reason why the command of a stub does not print a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StubFault {
    /// The first word of the stub is not a program, but similar to one.
    Program { word: String, near: String },
    /// The command has no such flag.
    Flag { stub: String, command: String, flag: String },
    /// The command has no such subcommand, and a similar one.
    Command { stub: String, command: String, word: String, near: Option<String> },
    /// The command does not take the name of a skill.
    NoName { stub: String },
    /// The command takes an argument, and prints no skill with this name.
    NoSkill { stub: String, other: Option<String> },
}

impl fmt::Display for StubFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program { word, near } => write!(f, "the stub names `{word}`, but the program is `{near}`"),
            Self::Flag { stub, command, flag } => {
                write!(f, "the stub names `{stub}`, but `{command}` has no flag `{flag}`")
            }
            Self::Command { stub, command, word, near } => {
                write!(f, "the stub names `{stub}`, but `{command}` has no command `{word}`")?;
                near.iter().try_for_each(|near| write!(f, "; a similar one is `{near}`"))
            }
            Self::NoName { stub } => {
                write!(f, "the stub names `{stub}`, which does not take the name of a skill")
            }
            Self::NoSkill { stub, other } => {
                write!(f, "the stub names `{stub}`, which does not print a skill for a model")?;
                other.iter().try_for_each(|other| write!(f, "; `{other}` does"))
            }
        }
    }
}

/// Checks that a command line such as `mytool skill` names a command of one of the programs, that the name of a skill may
/// follow it, and that it prints skills: a program adds it with `BundleCommand`, or it says `skill` in its name or its help.
///
/// Returns `Ok(false)` if no program has the first name of the line or a similar one.
///
/// # Errors
/// Returns what is wrong.
pub(crate) fn check(stub: &str, programs: &[CommandTree]) -> Result<bool, StubFault> {
    let words: Vec<&str> = stub.split_whitespace().collect();
    let Some((program, count)) =
        programs.iter().find_map(|program| Some((program, name_length(program, &words)?)))
    else {
        let first = words.first().copied().unwrap_or_default();
        return match nearest(first, programs.iter().map(|program| program.name.as_str())) {
            Some(near) => Err(StubFault::Program { word: first.to_owned(), near: near.to_owned() }),
            None => Ok(false),
        };
    };
    let mut path = vec![program];
    let (mut takes_name, mut is_said) = (false, false);
    for word in words.get(count..).unwrap_or_default() {
        let command = path.last().copied().unwrap_or(program);
        let shown = path.iter().map(|command| command.name.as_str()).collect::<Vec<_>>().join(" ");
        if word.starts_with('-') {
            let globals =
                path.iter().rev().skip(1).flat_map(|command| command.flags.iter().filter(|flag| flag.global));
            let mut flags = command.flags.iter().chain(globals);
            let Some(flag) = flags.find(|flag| flag.names.iter().any(|name| name == word)) else {
                return Err(StubFault::Flag {
                    stub: stub.to_owned(),
                    command: shown,
                    flag: (*word).to_owned(),
                });
            };
            takes_name = !matches!(flag.takes, ValueCount::Nothing | ValueCount::Joined);
            is_said |= [*word, flag.about.as_str()].into_iter().any(says_skill);
            continue;
        }
        let Some(next) = command.command(word) else {
            let near = nearest(word, command.command_names()).map(str::to_owned);
            return Err(StubFault::Command {
                stub: stub.to_owned(),
                command: shown,
                word: (*word).to_owned(),
                near,
            });
        };
        takes_name = false;
        path.push(next);
    }
    let last = path.last().copied().unwrap_or(program);
    // The commands of `BundleCommand` are for people, except the one that has them.
    let above = path.len().saturating_sub(1);
    if let Some(at) = path.iter().take(above).position(|command| command.is_of_skills()) {
        let other =
            path.iter().take(at + 1).map(|command| command.name.as_str()).collect::<Vec<_>>().join(" ");
        return Err(StubFault::NoSkill { stub: stub.to_owned(), other: Some(other) });
    }
    if !takes_name && !last.open && last.arguments.is_empty() {
        return Err(StubFault::NoName { stub: stub.to_owned() });
    }
    let arguments = last.arguments.iter().map(|argument| argument.name.as_str());
    let mut texts = path.iter().skip(1).map(|command| command.name.as_str()).chain(arguments);
    if is_said || last.is_of_skills() || says_skill(&last.about) || texts.any(says_skill) {
        return Ok(true);
    }
    let other = program.commands.iter().find(|command| command.is_of_skills());
    let other = other.map(|command| format!("{} {}", program.name, command.name));
    Err(StubFault::NoSkill { stub: stub.to_owned(), other })
}

fn says_skill(text: &str) -> bool {
    text.to_ascii_lowercase().contains("skill")
}

/// Returns how many words at the start of a line form a name of the program.
fn name_length(program: &CommandTree, words: &[&str]) -> Option<usize> {
    let mut names = std::iter::once(&program.name).chain(&program.aliases);
    names.find_map(|name| {
        let parts: Vec<&str> = name.split(' ').collect();
        words.starts_with(&parts).then_some(parts.len())
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tree::{Argument, CommandTree, Flag, ValueCount};

    // SPEC 9.15
    #[test]
    fn a_stub_names_a_command_that_takes_the_name_of_a_skill() {
        let named = |name: &str| CommandTree { name: name.to_owned(), ..CommandTree::default() };
        let skill = CommandTree { arguments: vec![Argument::default()], ..named("skill") };
        let flag = Flag { names: vec!["--skill".to_owned()], takes: ValueCount::Optional, ..Flag::default() };
        let table = CommandTree { arguments: vec![Argument::default()], ..named("export") };
        let below = ["install", "list", "prompt", "search", "show", "status", "uninstall"]
            .map(|name| CommandTree { arguments: vec![Argument::default()], ..named(name) });
        let bundled =
            CommandTree { arguments: vec![Argument::default()], commands: below.into(), ..named("docs") };
        let commands = vec![skill, named("list"), table, bundled];
        let tree = [CommandTree { commands, flags: vec![flag], ..named("cargo db") }];
        let error = |stub: &str| check(stub, &tree).unwrap_err().to_string();
        assert_eq!(check("cargo db skill", &tree), Ok(true));
        assert_eq!(check("cargo db --skill", &tree), Ok(true));
        assert_eq!(check("cargo db docs", &tree), Ok(true), "it has the commands for skills");
        assert!(
            error("cargo db export").ends_with("does not print a skill for a model; `cargo db docs` does")
        );
        assert!(
            error("cargo db docs show").ends_with("does not print a skill for a model; `cargo db docs` does")
        );
        assert_eq!(check("other skill", &tree), Ok(false), "the commands of `other` are not known");
        assert!(error("cargo db skil").ends_with("has no command `skil`; a similar one is `skill`"));
        assert!(error("cargo db list").ends_with("does not take the name of a skill"));
        assert!(error("cargo db --skills").ends_with("has no flag `--skills`"));
        assert!(error("cargo-db skill").ends_with("but the program is `cargo db`"));
    }
}
