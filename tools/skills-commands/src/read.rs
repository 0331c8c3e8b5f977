//! Prints the skills of a program as texts for a model: the catalog, one skill, or a file of a skill.

use std::borrow::Cow;
use std::process::ExitCode;

use clap::{Args, Command};
use skills_registry::catalog::{one_line, render_list, shorten};
use skills_registry::{Resource, Skill};
use skills_text::{nearest, plain_braces};

use crate::bundle::Bundle;
use crate::embedded::command_before;
use crate::failure::CommandError;
use crate::{failure, terminal};

/// The skill to print, by position.
#[derive(Debug, Args)]
pub(crate) struct Read {
    /// The skill to print, and one of its files; without a name, the list of all skills
    #[arg(value_names = ["NAME", "FILE"], num_args = 0..=2)]
    words: Vec<String>,
}

/// The option `--skill` of a program, for programs that have no subcommand for their skills.
///
/// `mytool --skill` prints the list of skills for a model, `mytool --skill NAME` the text of one skill, and
/// `mytool --skill NAME FILE` one of its files. Subcommands of the program must be optional beside it.
///
/// ```
/// use clap::Parser;
/// # use skills_registry::{Registry, Tables};
///
/// #[derive(Parser)]
/// struct Arguments {
///     #[command(flatten)]
///     skill: skills_commands::SkillFlag,
/// }
///
/// # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
/// let arguments = Arguments::parse_from(["mytool", "--skill"]);
/// let code = arguments.skill.run(&skills_commands::Bundle::new("mytool", &SKILLS));
/// assert_eq!(code, Some(std::process::ExitCode::SUCCESS)); // `None` without the option
/// ```
#[derive(Debug, Args)]
pub struct SkillFlag {
    /// Print the skills of this program for an agent, the text of one skill, or one of its files
    #[arg(long, value_names = ["NAME", "FILE"], num_args = 0..=2)]
    skill: Option<Vec<String>>,
}

impl SkillFlag {
    /// Prints what the option asks for. Returns `None` if it is not given.
    pub fn run(&self, bundle: &Bundle<'_>) -> Option<ExitCode> {
        self.skill.as_ref().map(|words| print(words, bundle))
    }
}

/// Adds a line to the help of a program that leads agents to its skills: "Agents: run `mytool skill` first".
///
/// `words` is the rest of the command: the name of the subcommand, or `--skill`.
///
/// ```
/// let command = clap::Command::new("mytool").subcommand(clap::Command::new("skill"));
/// let help = skills_commands::for_agents(command, "skill").render_help().to_string();
/// assert!(help.ends_with("Agents: run `mytool skill` first\n"));
/// ```
///
/// # Panics
/// In debug builds, if the program has no such subcommand or option.
#[must_use]
pub fn for_agents(command: Command, words: &str) -> Command {
    let first = words.split(' ').next().unwrap_or(words);
    debug_assert!(
        match first.strip_prefix("--") {
            Some(option) => command.get_arguments().any(|arg| arg.get_long() == Some(option)),
            None => command.find_subcommand(first).is_some(),
        },
        "the program has no `{first}`"
    );
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let line = format!("Agents: run `{name} {words}` first");
    let short = command.get_after_help().map_or_else(|| line.clone(), |help| format!("{help}\n\n{line}"));
    let long = command.get_after_long_help().map(|help| format!("{help}\n\n{line}"));
    let command = command.after_help(short);
    match long {
        Some(long) => command.after_long_help(long),
        None => command,
    }
}

impl Read {
    pub(crate) fn run(&self, bundle: &Bundle<'_>) -> ExitCode {
        print(&self.words, bundle)
    }
}

fn print(words: &[String], bundle: &Bundle<'_>) -> ExitCode {
    let [name, rest @ ..] = words else { return show(&catalog(bundle)) };
    let skill = match find(name, bundle) {
        Ok(skill) => skill,
        Err(code) => return code,
    };
    let Some(path) = rest.first() else { return show(&text(skill, name, bundle)) };
    match find_file(skill, path) {
        Ok(file) => print_file(skill, file),
        Err(code) => code,
    }
}

/// Prints a text: raw in a pipe, and without control characters on a terminal.
fn show(text: &str) -> ExitCode {
    if terminal::columns().is_some() { terminal::text(text) } else { terminal::exact(text) }
}

/// Returns the list of skills, with the commands that print them.
fn catalog(bundle: &Bundle<'_>) -> String {
    let command = bundle.registry.stub().map_or_else(called, str::to_owned);
    let head = format!(
        "These are the skills of {}. Before you do what one of them describes, run `{command} NAME` and follow the text \
         that it prints. If the text names a file, `{command} NAME FILE` prints it, or for a script the path of the \
         script.\n\n",
        bundle.name
    );
    let skills: Vec<_> = bundle.layers.iter().filter(|skill| skill.is_offered()).collect();
    let names: Vec<&str> = skills.iter().map(|skill| skill.name()).collect();
    render_list(
        &head,
        "",
        &names,
        &|out: &mut String, at: usize, longest: usize| {
            let skill = skills[at];
            out.push_str(&format!("- {}: {}\n", skill.name(), one_line(&shorten(&skill.offer(), longest))));
        },
        bundle.registry.catalog_budget(),
    )
}

/// Returns the command line of this process, which prints the list of skills.
fn called() -> String {
    let words = std::env::args().skip(1);
    std::iter::once(crate::embedded::program_name()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Returns the text of a skill for a model, which named it by `word`. A function without a text is called.
fn text<'s>(skill: Skill<'s>, word: &str, bundle: &Bundle<'_>) -> Cow<'s, str> {
    if skill.has_document() {
        return skill.shown_body();
    }
    if let Some(prompt) = skill.prompt() {
        return plain_braces(prompt);
    }
    let mut text = format!("{}\n", skill.description());
    let is_callable = cfg!(feature = "call") && bundle.runner.is_some();
    if let Some(schema) = skill.input_schema().filter(|_| is_callable)
        && let Some(command) = command_before(word)
    {
        text.push_str(&format!(
            "\nRun `{command} call {} --input JSON`, which prints the output. The input fits this JSON Schema:\n\n\
             ```json\n{schema}\n```\n",
            skill.name()
        ));
    }
    Cow::Owned(text)
}

/// Finds a skill by its name, by the name that it has in agents' directories, or by the beginning of its name.
fn find<'b>(name: &str, bundle: &'b Bundle<'_>) -> Result<Skill<'b>, ExitCode> {
    let missing = match bundle.layers.find(name) {
        Ok(skill) => return Ok(skill),
        Err(missing) => missing,
    };
    let offered: Vec<Skill<'_>> = bundle.layers.iter().collect();
    if let Some(skill) = offered.iter().find(|skill| skill.standard_name() == name) {
        return Ok(*skill);
    }
    let begins: Vec<_> = offered.iter().filter(|skill| skill.name().starts_with(name)).collect();
    match begins.as_slice() {
        [only] => return Ok(**only),
        [] => {}
        several => {
            let names: Vec<_> = several.iter().map(|skill| format!("`{}`", skill.name())).collect();
            return Err(failure::error(format!("several skills begin with `{name}`: {}", names.join(", "))));
        }
    }
    // The word may also be a misspelled command.
    let is_skill = nearest(name, offered.iter().map(|skill| skill.name())).is_some();
    if let Some(command) = nearest(name, skills_install::COMMANDS).filter(|_| !is_skill) {
        return Err(terminal::usage(format!(
            "there is no skill and no command `{name}`; a similar command is `{command}`"
        )));
    }
    Err(failure::not_found(&missing))
}

/// Finds a file by its path, or by the end of its path.
fn find_file<'s>(skill: Skill<'s>, path: &str) -> Result<Resource<'s>, ExitCode> {
    let path = path.strip_prefix("./").unwrap_or(path);
    if let Some(file) = skill.file(path) {
        return Ok(file);
    }
    let ending = format!("/{path}");
    let ends: Vec<_> = skill.resources().filter(|file| file.path().ends_with(&ending)).collect();
    if let [only] = ends.as_slice() {
        return Ok(*only);
    }
    let paths: Vec<&str> = skill.resources().map(Resource::path).collect();
    let help = match nearest(path, paths.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if paths.is_empty() => "it has no other files".to_owned(),
        None => format!("its files are `{}`", paths.join("`, `")),
    };
    Err(failure::error(format!("the skill `{}` has no file `{path}`; {help}", skill.name())))
}

/// Prints the text of a file. Of a script, or a file that is not text, prints the path at which it was unpacked.
fn print_file(skill: Skill<'_>, file: Resource<'_>) -> ExitCode {
    let is_script = file.is_executable() || file.path().starts_with("scripts/");
    match file.text().filter(|_| !is_script) {
        Some(text) => show(text),
        None => match unpack(skill) {
            Ok(directory) => show(&format!("{}\n", directory.join(file.path()).display())),
            Err(why) => failure::error(why),
        },
    }
}

/// Unpacks the files of a skill into the cache of the user.
#[cfg(unix)]
fn unpack(skill: Skill<'_>) -> Result<std::path::PathBuf, CommandError> {
    let files: Vec<_> = skill.files().map(skills_exec::cache::File::from).collect();
    let cache = skills_exec::RunOptions::of_process().cache;
    let unpacked = cache.unpack(&files).map_err(CommandError::new)?;
    // A temporary directory ends with this process.
    match unpacked.why_temporary() {
        Some(why) => Err(format!("the files of `{}` cannot be unpacked: {why}", skill.name()).into()),
        None => Ok(unpacked.path().to_owned()),
    }
}

#[cfg(not(unix))]
fn unpack(skill: Skill<'_>) -> Result<std::path::PathBuf, CommandError> {
    let name = skill.name();
    Err(format!("the files of `{name}` cannot be unpacked on this system; install the skill as a copy")
        .into())
}
