//! `skills new`: a name becomes a directory with a skill that passes `check` (SPEC 11.1).

mod asking;
mod function;
mod pipeline;
mod place;
mod program;
mod template;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_core::load;
use skills_core::name::{Spelling, fault};
use skills_core::options::Options;
use skills_core::read::{ReadOptions, expand_home};

use skills_registry::twin;

use super::memory::{Text, judge_texts};
use super::source::tell;
use crate::{failure, terminal};
use program::Language;
use template::Template;

/// The arguments of `skills new`.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// The name: lower-case letters, digits, `-` and `_` [asked on a terminal]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// What kind of skill [default: prose; asked on a terminal]
    #[arg(long, value_enum)]
    mode: Option<Kind>,
    /// Give it a program in this language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    exec: Option<Language>,
    /// The directory of skills, made when it is not there
    #[arg(long, value_name = "DIR", default_value = "skills")]
    dir: PathBuf,
    /// What it does and when to use it [default: a sentence that asks for one; asked on a terminal]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,
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

/// The name of the skill that `init` begins with.
pub(super) const FIRST: &str = "commit-messages";

/// The files of the skill that `init` begins with.
pub(super) fn first() -> Vec<Text> {
    let description = "How commit messages are written here. Use when committing.";
    Template { name: FIRST, description, language: None }.files(Kind::Prose, None)
}

/// What is to be written, once all is said.
struct Wanted {
    name: String,
    mode: Kind,
    exec: Option<Language>,
    dir: PathBuf,
    description: Option<String>,
}

impl New {
    /// Writes the skill and prints a line for each file.
    ///
    /// # Errors
    /// The arguments do not go together.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        self.complete()?.write()
    }

    /// Asks for what was not said, where there is somebody to ask.
    fn complete(self) -> Result<Wanted, String> {
        let asks = asking::is_possible();
        let name = match self.name {
            Some(name) => name,
            None if asks => asking::ask("Name, as csv-profile", None, |name| {
                judge_name(name, Kind::Prose).map(|()| name.to_owned())
            })?,
            None => return Err("the name is missing: skills new NAME".into()),
        };
        let mode = match self.mode {
            Some(mode) => mode,
            None if asks && self.exec.is_none() => {
                asking::ask("Kind: prose, code, llm or composite", Some("prose"), |kind| {
                    Kind::from_str(kind, true).map_err(|_| format!("`{kind}` is none of them"))
                })?
            }
            None => Kind::Prose,
        };
        let description = match self.description {
            None if asks => {
                let said =
                    asking::ask("What it does, and when to use it", Some(""), |text| Ok(text.to_owned()))?;
                (!said.is_empty()).then_some(said)
            }
            said => said,
        };
        Ok(Wanted { name, mode, exec: self.exec, dir: self.dir, description })
    }
}

impl Wanted {
    fn write(self) -> Result<ExitCode, String> {
        judge_name(&self.name, self.mode)?;
        if self.mode == Kind::Llm && self.exec.is_some() {
            return Err(
                "a model runs a skill of the mode llm: leave `--exec` out, or take `--mode code`".into()
            );
        }
        let described = self.description.clone();
        let template = Template {
            name: &self.name,
            description: &described.unwrap_or_else(|| {
                format!("Say here what {} does, and when to use it.", self.name.replace(['-', '_'], " "))
            }),
            language: self.exec,
        };
        let root = expand_home(&self.dir, std::env::home_dir().as_deref());
        let label = self.dir.join(&self.name).to_string_lossy().into_owned();
        // The pipeline is none of the user's words, and calls skills that are not looked at here.
        let loaded = judge_texts(&label, &self.name, &template.files(self.mode, None));
        if !loaded.report.diagnostics.is_empty() {
            tell(&loaded.report, loaded.catalog.sources());
            return Ok(failure::told("error: nothing was written: the skill would not be free of problems"));
        }
        let read = ReadOptions { contents: false, ..ReadOptions::default() };
        let options = Options { read, ..Options::default() };
        let others = load(&root, &self.dir.to_string_lossy(), &options);
        let is_twin = |name: &str| twin(name) == twin(&self.name);
        for skill in others.catalog.skills() {
            if skill.dir.is_empty() {
                let dir = self.dir.display();
                return Ok(failure::told(&format!("error: {dir} is a skill itself, and none can lie in it")));
            }
            if is_twin(&skill.name) {
                let there = self.dir.join(&skill.dir);
                return Ok(failure::told(&format!("error: {} is called that already", there.display())));
            }
        }
        let callee = (self.mode == Kind::Composite && self.exec.is_none())
            .then(|| pipeline::callee(others.catalog.skills()))
            .flatten();
        let files = template.files(self.mode, callee.as_ref());
        if let Err(error) = place::write(&root, &self.name, &files) {
            return Ok(failure::told(&format!("error: {error}")));
        }
        if self.mode == Kind::Composite && self.exec.is_none() && callee.is_none() {
            let dir = self.dir.display();
            terminal::line(&format!(
                "note: there is no function in {dir} to call, so it has no pipeline, and the host runs it"
            ));
        }
        let lines = files.iter().map(|file| format!("write   {label}/{}\n", file.path));
        Ok(terminal::text(&lines.collect::<String>()))
    }
}

fn judge_name(name: &str, mode: Kind) -> Result<(), String> {
    let says = |fault: String, spelling: Spelling| Err(format!("{fault}: a name is {}", spelling.form()));
    if let Some(fault) = fault(name, Spelling::Skill) {
        return says(fault, Spelling::Skill);
    }
    // The function is called as its directory is, with `_` for `-`.
    match fault(&name.replace('-', "_"), Spelling::Function).filter(|_| mode != Kind::Prose) {
        Some(fault) => says(fault, Spelling::Function),
        None => Ok(()),
    }
}
