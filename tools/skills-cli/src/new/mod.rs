//! `skills new`: creates a directory with a skill that passes `check`.

mod function;
pub(crate) mod place;
mod program;
mod template;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use skills_core::level::Level;
use skills_core::levels::Levels;
use skills_core::load;
use skills_core::name::{Spelling, device, fault};
use skills_core::options::{Options, TextChecks};
use skills_core::read::ReadOptions;
use skills_core::rule::fields::DESCRIPTION_PLACEHOLDER;
use skills_registry::{ident_key, standard_name};
use skills_usage::{CommandSet, CommandTree};

use super::asking;
use super::report::{NewFile, check_texts, print_report};
use super::trust::record_written;
use skills_commands::arguments::expand_path;
use skills_commands::arguments::one_of;
use skills_commands::failure::{CommandError, Ended};
use skills_commands::output::OutputArgs;
use skills_commands::steps::{FileStep, FileSteps};
use skills_commands::{failure, terminal};
use template::{LANGUAGES, Language, Template};

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The name: lower-case letters, digits and `-` [default: the program of `--commands`, or ask on a terminal]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// The kind of skill [default: text, or function with `--exec` or `--mode`]
    #[arg(long, value_enum)]
    kind: Option<Asked>,
    /// What runs a function [default: code with `--exec`, otherwise llm]
    #[arg(long, value_enum)]
    mode: Option<Runs>,
    /// Write a function with a program in this language
    #[arg(long, value_name = "LANGUAGE", value_parser = one_of(LANGUAGES))]
    exec: Option<Language>,
    /// The directory of skills, which is created if needed
    #[arg(long, value_name = "DIR", default_value = "skills")]
    dir: PathBuf,
    /// What the skill does and when to use it [default: a placeholder]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
    /// Write the first skill of a program, whose commands are in this JSON file, which `skills check --print-commands` prints
    #[arg(long, value_name = "FILE")]
    commands: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

/// The kinds of skills that a user can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Asked {
    /// A SKILL.md that a model reads
    Text,
    /// A typed function
    Function,
    /// A typed function of steps that call other functions
    Pipeline,
}

/// What runs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Runs {
    /// A program of the skill, or the host program
    Code,
    /// A language model
    Llm,
}

/// The kinds of skills that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A `SKILL.md` that a model reads.
    Text,
    /// A function that a program or the host runs.
    Code,
    /// A function that a language model runs.
    Llm,
    /// A function of other functions.
    Pipeline,
}

/// The name of the skill that `init` creates.
pub(super) const FIRST: &str = "commit-message";

/// Returns the files of the skill that `init` creates.
pub(super) fn first() -> Vec<NewFile> {
    let description = "How commit messages are written here. Use when committing.";
    Template { name: FIRST, description, language: None, program: None }.files(Kind::Text, None)
}

impl New {
    /// Writes the skill and prints a line for each file.
    pub(crate) fn run(mut self) -> Ended {
        let programs = CommandSet::read(&self.commands).map_err(terminal::usage)?;
        let program = match self.commands {
            Some(_) => Some(program::choose(&programs, self.name.as_deref()).map_err(terminal::usage)?),
            None => None,
        };
        if let Some(program) = program {
            self.name.get_or_insert_with(|| program::skill_name(program));
        }
        let (name, kind) = self.complete().map_err(terminal::usage)?;
        check_name(&name, kind).map_err(terminal::usage)?;
        // Other agents do not accept `_` in the name of a directory or of a SKILL.md.
        let portable = standard_name(&name, true);
        let code = self.write(&portable, kind, program, &programs)?;
        if kind != Kind::Text && portable == name && name.contains('-') {
            let function = name.replace('-', "_");
            terminal::note(format_args!("the function is called `{function}`, since its name has no `-`"));
        }
        if portable != name {
            match kind {
                Kind::Text => terminal::note(format_args!(
                    "the skill is called `{portable}`, since other agents accept no `_`"
                )),
                _ => terminal::note(format_args!(
                    "the directory is called `{portable}`, since other agents accept no `_`; the function is `{name}`"
                )),
            }
        }
        Ok(code)
    }

    /// Asks for the arguments if there are none and a person can be asked. Returns the name and the kind.
    fn complete(&mut self) -> Result<(String, Kind), CommandError> {
        let is_decided = self.kind.is_some()
            || self.mode.is_some()
            || self.exec.is_some()
            || self.description.is_some()
            || self.commands.is_some()
            || self.output.is_json();
        let asks = !is_decided && asking::is_possible();
        let name = match self.name.take() {
            Some(name) => name,
            None if asks => asking::ask("Name, such as csv-profile", None, |name| {
                check_name(name, Kind::Text).map(|()| name.to_owned())
            })?,
            None => return Err("the name is missing: skills new NAME".into()),
        };
        if asks {
            self.kind = Some(asking::ask("Kind: text, function or pipeline", Some("text"), |kind| {
                Asked::from_str(kind, true).map_err(|_| format!("`{kind}` is not one of them").into())
            })?);
            let question = "What it does, and when to use it";
            let answer = asking::ask(question, Some(""), |text| Ok(text.to_owned()))?;
            self.description = Some(answer).filter(|answer| !answer.is_empty());
        }
        Ok((name, self.chosen()?))
    }

    /// Returns the kind that the options select together.
    fn chosen(&self) -> Result<Kind, CommandError> {
        let is_function = self.mode.is_some() || self.exec.is_some();
        let kind = self.kind.unwrap_or(if is_function { Asked::Function } else { Asked::Text });
        if self.commands.is_some() && (is_function || kind != Asked::Text) {
            return Err("`--commands` writes a text: leave out `--kind`, `--mode` and `--exec`".into());
        }
        match (kind, self.mode) {
            (Asked::Text | Asked::Pipeline, _) if is_function => {
                Err("only a function has `--mode` and `--exec`: take `--kind function`, or leave them out"
                    .into())
            }
            (Asked::Text, _) => Ok(Kind::Text),
            (Asked::Pipeline, _) => Ok(Kind::Pipeline),
            (Asked::Function, Some(Runs::Llm)) if self.exec.is_some() => {
                Err("a model runs a function of the mode llm: leave `--exec` out, or take `--mode code`"
                    .into())
            }
            (Asked::Function, None) if self.exec.is_none() => Ok(Kind::Llm),
            (Asked::Function, Some(Runs::Llm)) => Ok(Kind::Llm),
            (Asked::Function, _) => Ok(Kind::Code),
        }
    }

    fn write(&self, name: &str, kind: Kind, program: Option<&CommandTree>, programs: &CommandSet) -> Ended {
        let description = match (&self.description, program) {
            (Some(description), _) => description.clone(),
            (None, Some(program)) => program::describe(program),
            (None, None) => {
                format!("Say here what {} does, and when to use it.", name.replace(['-', '_'], " "))
            }
        };
        let template = Template { name, description: &description, language: self.exec, program };
        let root = expand_path(&self.dir);
        let label = self.dir.join(name).to_string_lossy().into_owned();
        // The author replaces the placeholder, so only later checks report it.
        let mut levels = Levels::default();
        levels.set_default(&DESCRIPTION_PLACEHOLDER, Level::Allow);
        // The pipeline contains no text of the user and calls skills that are not read here, so check the
        // skill without it.
        let options = Options { levels, texts: TextChecks::new(programs.clone()), ..Options::default() };
        let loaded = check_texts(&label, name, &template.files(kind, None), &options);
        if !loaded.report.diagnostics.is_empty() {
            print_report(&loaded.report, loaded.catalog.sources());
            return Err(failure::error("nothing was written: the skill would not be free of problems"));
        }
        let read = ReadOptions { contents: false, ..ReadOptions::default() };
        let options = Options { read, ..Options::default() };
        let others = load(&root, &self.dir.to_string_lossy(), &options);
        for skill in others.catalog.skills() {
            if skill.dir.is_empty() {
                let dir = self.dir.display();
                return Err(failure::error(format!(
                    "{dir} is a skill itself, so it cannot contain another skill"
                )));
            }
            if ident_key(&skill.name) == ident_key(name) {
                let there = self.dir.join(&skill.dir);
                return Err(failure::error(format!("a skill has this name already: {}", there.display())));
            }
        }
        let is_pipeline = kind == Kind::Pipeline;
        let callee = is_pipeline.then(|| function::callee(others.catalog.skills())).flatten();
        let files = template.files(kind, callee.as_ref());
        place::write(&root, name, &files).map_err(failure::error)?;
        record_written(&root.join(name));
        if is_pipeline && callee.is_none() {
            let dir = self.dir.display();
            terminal::note(format_args!(
                "{dir} has no function to call, so the new skill has no pipeline, and the host runs it"
            ));
        }
        let written = files.iter().map(|file| {
            let line = format!("write   {label}/{}", file.path);
            FileStep::new("write", format!("{name}/{}", file.path)).shown(line)
        });
        let mut steps = FileSteps::new(&self.output);
        let shown = steps.add(&self.dir, &written.collect::<Vec<_>>(), "");
        Ok(failure::first(shown, steps.end(true)))
    }
}

fn check_name(name: &str, kind: Kind) -> Result<(), CommandError> {
    check_spelling(name, Spelling::Skill)?;
    if let Some(device) = device(name) {
        return Err(CommandError::from(format!(
            "`{name}` is not a valid file name on Windows, where `{device}` is a device: take `{name}-skill`"
        )));
    }
    if kind == Kind::Text {
        return Ok(());
    }
    // The function is named after its directory, with `_` for `-`.
    check_spelling(&name.replace('-', "_"), Spelling::Function)
}

fn check_spelling(name: &str, spelling: Spelling) -> Result<(), CommandError> {
    match fault(name, spelling) {
        Some(fault) => Err(format!("{fault}: a name is {}", spelling.form()).into()),
        None => Ok(()),
    }
}
