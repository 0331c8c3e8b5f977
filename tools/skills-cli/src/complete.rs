//! Completions of shells. The script that `skills completions` prints passes the words of the line to this program, which
//! answers with the words that fit. So they are those of the installed version, and include the names of skills.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use skills_commands::arguments::expand_path;
use skills_load::{Layers, LayersBuilder};

use super::source::of_defaults;

/// The variable with which a script says that it asks for completions. Its value is the shell.
const VARIABLE: &str = "SKILLS_COMPLETE";

/// The commands whose NAME is not that of a skill that is here: it is new, or it is on a server or in another project.
const OF_OTHERS: [&str; 3] = ["add", "new", "trust"];

/// Writes the script for a shell.
///
/// # Errors
/// The shell is not known.
pub(crate) fn write_script(shell: Shell, script: &mut dyn Write) -> std::io::Result<()> {
    let shells = Shells::builtins();
    let completer = shells.completer(&shell.to_string()).ok_or(std::io::ErrorKind::Unsupported)?;
    completer.write_registration(VARIABLE, "skills", "skills", "skills", script)?;
    if shell == Shell::Zsh {
        // zsh runs a file of `fpath` as the function itself, when it is needed for the first time.
        script.write_all(b"[[ $funcstack[1] = _skills ]] && _clap_dynamic_completer_skills \"$@\"\n")?;
    }
    Ok(())
}

/// Answers a script that asks for completions. Returns `None` if the program was not called by one.
pub(crate) fn answer() -> Option<ExitCode> {
    let here = env::current_dir().ok();
    let asked = CompleteEnv::with_factory(|| with_names(crate::command()))
        .var(VARIABLE)
        .completer("skills")
        .try_complete(env::args_os(), here.as_deref());
    match asked {
        Ok(is_answered) => is_answered.then_some(ExitCode::SUCCESS),
        // The shell would print a message into the line that is being typed.
        Err(_) => Some(ExitCode::FAILURE),
    }
}

/// Adds the names of skills to the arguments of a command that take them, and to those of its subcommands.
fn with_names(command: Command) -> Command {
    let command = match OF_OTHERS.contains(&command.get_name()) {
        true => command,
        false => command.mut_args(|argument| match takes_skill(&argument) {
            true => argument.add(ArgValueCandidates::new(skills)),
            false => argument,
        }),
    };
    command.mut_subcommands(with_names)
}

fn takes_skill(argument: &Arg) -> bool {
    let is_name = argument.get_value_names().is_some_and(|names| names == ["NAME"]);
    is_name && matches!(argument.get_long(), None | Some("skill" | "pin"))
}

/// Returns the skills of the directories that the line names, or of the default ones, also those that are not trusted.
fn skills() -> Vec<CompletionCandidate> {
    // The words of the line follow `--`.
    let words = env::args_os().skip_while(|word| word != "--").skip(1);
    let matches = crate::command().ignore_errors(true).try_get_matches_from(words);
    let directories = matches.map(|matches| directories(&matches)).unwrap_or_default();
    let builder = LayersBuilder::new();
    let builder = match directories.is_empty() {
        true => of_defaults(builder),
        false => builder.directories(&directories),
    };
    let layers = builder.load().unwrap_or_else(|unreadable| unreadable.into_layers()).for_display();
    names(&layers)
}

/// Returns the existing directories that the arguments name, in the command or below it.
fn directories(matches: &ArgMatches) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut matches = Some(matches);
    while let Some(at) = matches {
        for id in ["dir", "named", "places"] {
            let given = at.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten();
            found.extend(given.map(|dir| expand_path(dir)).filter(|dir| dir.is_dir()));
        }
        matches = at.subcommand().map(|(_, below)| below);
    }
    found
}

/// Returns the names with their descriptions. A shell puts them into the line as they are, so a name with characters that
/// mean something to it is left out.
fn names(layers: &Layers) -> Vec<CompletionCandidate> {
    let skills = layers.all().map(|found| found.skill);
    let safe = skills.filter(|skill| is_plain(skill.name()));
    let candidates = safe.map(|skill| {
        let line = skill.description().lines().next().unwrap_or_default();
        CompletionCandidate::new(skill.name()).help(Some(skills_text::visible(line).into()))
    });
    candidates.collect()
}

fn is_plain(name: &str) -> bool {
    !name.starts_with('-')
        && name.chars().all(|each| each.is_alphanumeric() || matches!(each, '-' | '_' | '.'))
}
