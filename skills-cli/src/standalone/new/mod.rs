//! `skills new`: a name becomes a directory with a skill that passes `check` (SPEC 11.1).

mod function;
mod pipeline;
mod place;
mod program;
mod template;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_core::load;
use skills_core::options::Options;
use skills_core::read::{ReadOptions, expand_home};

use super::memory::judge_texts;
use super::source::tell;
use crate::{failure, terminal};
use program::Language;
use template::Template;

/// The arguments of `skills new`.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// The name: lower-case letters, digits, `-` and `_`
    #[arg(value_name = "NAME")]
    name: String,
    /// What kind of skill
    #[arg(long, value_enum, default_value_t = Kind::Prose)]
    mode: Kind,
    /// Give it a program in this language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    exec: Option<Language>,
    /// The directory of skills, made when it is not there
    #[arg(long, value_name = "DIR", default_value = "skills")]
    dir: PathBuf,
    /// What it does and when to use it [default: a sentence that asks for one]
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

impl New {
    /// Writes the skill and prints a line for each file.
    ///
    /// # Errors
    /// The arguments do not go together.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        self.judge_name()?;
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
        let is_twin = |name: &str| name.replace('-', "_") == self.name.replace('-', "_");
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

    fn judge_name(&self) -> Result<(), String> {
        let name = &self.name;
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        if name.len() > 64 || !name.split(['-', '_']).all(is_part) {
            return Err(format!(
                "`{name}` is no name: it has at most 64 lower-case letters and digits, with single `-` or `_` between them"
            ));
        }
        if self.mode != Kind::Prose && !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Err(format!("`{name}` is no name of a function: it begins with a letter"));
        }
        Ok(())
    }
}
