//! `skills new`: creates a directory with a skill that passes `check`.

pub(crate) mod asking;
mod function;
mod pipeline;
pub(crate) mod place;
mod program;
mod template;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use skills_core::level::Level;
use skills_core::levels::Levels;
use skills_core::load;
use skills_core::name::{Spelling, device, fault};
use skills_core::options::Options;
use skills_core::read::ReadOptions;
use skills_core::rule::fields::DESCRIPTION_PLACEHOLDER;
use skills_registry::{ident_key, standard_name};

use super::memory::{Text, check_texts};
use super::report::print_report;
use program::{LANGUAGES, Language};
use skills_commands::choice::one_of;
use skills_commands::failure::Ended;
use skills_commands::output::Output;
use skills_commands::steps::{Step, Steps};
use skills_commands::{failure, home, terminal};
use template::Template;

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The name: lower-case letters, digits and `-` [default: ask on a terminal]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// The kind of skill [default: ask on a terminal, otherwise prose]
    #[arg(long, value_enum)]
    mode: Option<Kind>,
    /// Add a program in this language
    #[arg(long, value_name = "LANGUAGE", value_parser = one_of(LANGUAGES))]
    exec: Option<Language>,
    /// The directory of skills, which is created if needed
    #[arg(long, value_name = "DIR", default_value = "skills")]
    dir: PathBuf,
    /// What the skill does and when to use it [default: ask on a terminal, otherwise a placeholder]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
    #[command(flatten)]
    output: Output,
}

/// The kinds of skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A SKILL.md that a model reads
    Prose,
    /// A typed function that a program or the host runs
    Code,
    /// A typed function that a language model runs
    Llm,
    /// A typed function of other functions
    Composite,
}

/// The name of the skill that `init` creates.
pub(super) const FIRST: &str = "commit-message";

/// Returns the files of the skill that `init` creates.
pub(super) fn first() -> Vec<Text> {
    let description = "How commit messages are written here. Use when committing.";
    Template { name: FIRST, description, language: None }.files(Kind::Prose, None)
}

impl New {
    /// Writes the skill and prints a line for each file.
    pub(crate) fn run(mut self) -> Ended {
        let (name, mode) = self.complete().map_err(terminal::usage)?;
        check_name(&name, mode).map_err(terminal::usage)?;
        if mode == Kind::Llm && self.exec.is_some() {
            return Err(terminal::usage(
                "a model runs a skill of the mode llm: leave `--exec` out, or take `--mode code`",
            ));
        }
        // Other agents do not accept `_` in the name of a directory or of a SKILL.md.
        let portable = standard_name(&name, true);
        let code = self.write(&portable, mode)?;
        if portable != name {
            match mode {
                Kind::Prose => terminal::note(format_args!(
                    "the skill is called `{portable}`, since other agents accept no `_`"
                )),
                _ => terminal::note(format_args!(
                    "the directory is called `{portable}`, since other agents accept no `_`; the function is `{name}`"
                )),
            }
        }
        Ok(code)
    }

    /// Asks for missing arguments if a person can be asked. Returns the name and the kind.
    fn complete(&mut self) -> Result<(String, Kind), String> {
        let asks = asking::is_possible();
        let name = match self.name.take() {
            Some(name) => name,
            None if asks => asking::ask("Name, such as csv-profile", None, |name| {
                check_name(name, Kind::Prose).map(|()| name.to_owned())
            })?,
            None => return Err("the name is missing: skills new NAME".into()),
        };
        let mode = match self.mode {
            Some(mode) => mode,
            None if asks && self.exec.is_none() => {
                asking::ask("Kind: prose, code, llm or composite", Some("prose"), |kind| {
                    Kind::from_str(kind, true).map_err(|_| format!("`{kind}` is not one of them"))
                })?
            }
            None => Kind::Prose,
        };
        if asks && self.description.is_none() {
            let question = "What it does, and when to use it";
            let answer = asking::ask(question, Some(""), |text| Ok(text.to_owned()))?;
            self.description = Some(answer).filter(|answer| !answer.is_empty());
        }
        Ok((name, mode))
    }

    fn write(&self, name: &str, mode: Kind) -> Ended {
        let asked = || format!("Say here what {} does, and when to use it.", name.replace(['-', '_'], " "));
        let description = self.description.clone().unwrap_or_else(asked);
        let template = Template { name, description: &description, language: self.exec };
        let root = home::path(&self.dir);
        let label = self.dir.join(name).to_string_lossy().into_owned();
        // The author replaces the placeholder, so only later checks report it.
        let mut levels = Levels::default();
        levels.set_default(&DESCRIPTION_PLACEHOLDER, Level::Allow);
        // The pipeline contains no text of the user and calls skills that are not read here, so check the
        // skill without it.
        let loaded = check_texts(&label, name, &template.files(mode, None), levels);
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
        let is_pipeline = mode == Kind::Composite && self.exec.is_none();
        let callee = is_pipeline.then(|| pipeline::callee(others.catalog.skills())).flatten();
        let files = template.files(mode, callee.as_ref());
        place::write(&root, name, &files).map_err(failure::error)?;
        if is_pipeline && callee.is_none() {
            let dir = self.dir.display();
            terminal::note(format_args!(
                "{dir} has no function to call, so the new skill has no pipeline, and the host runs it"
            ));
        }
        let step = |file: &Text| {
            let line = format!("write   {label}/{}", file.path);
            Step::new("write", format!("{name}/{}", file.path)).shown(line)
        };
        let mut steps = Steps::new(&self.output);
        let shown = steps.at(&self.dir, &files.iter().map(step).collect::<Vec<_>>(), "");
        Ok(failure::first(shown, steps.end(true)))
    }
}

fn check_name(name: &str, mode: Kind) -> Result<(), String> {
    let says = |fault: String, spelling: Spelling| Err(format!("{fault}: a name is {}", spelling.form()));
    if let Some(fault) = fault(name, Spelling::Skill) {
        return says(fault, Spelling::Skill);
    }
    if let Some(device) = device(name) {
        return Err(format!(
            "`{name}` is not a valid file name on Windows, where `{device}` is a device: take `{name}-skill`"
        ));
    }
    // The function is named after its directory, with `_` for `-`.
    match fault(&name.replace('-', "_"), Spelling::Function).filter(|_| mode != Kind::Prose) {
        Some(fault) => says(fault, Spelling::Function),
        None => Ok(()),
    }
}
