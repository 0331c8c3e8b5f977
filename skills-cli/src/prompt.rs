//! `skills prompt`: the catalog that a model is shown.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_core::catalog::Skill;
use skills_registry::catalog::{self, BUDGET, Entry, render};
use skills_registry::is_on_path;

use crate::source::Source;
use crate::terminal;

/// The arguments of `skills prompt`.
#[derive(Debug, Args)]
pub(crate) struct Prompt {
    #[command(flatten)]
    source: Source,
    /// Which of the three forms
    #[arg(long, value_enum, default_value_t = Style::Skills)]
    style: Style,
    /// How many tokens the catalog may take
    #[arg(long, value_name = "TOKENS", default_value_t = BUDGET)]
    budget: usize,
}

/// The forms of the catalog (SPEC 8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Style {
    /// An introduction and indented XML
    Skills,
    /// XML as the open Agent Skills standard has it
    AgentSkills,
    /// A list with what is installed
    Omega,
}

impl Prompt {
    /// Prints the catalog, with one line break behind it.
    ///
    /// # Errors
    /// None: a directory that cannot be read is told and ends with exit code 1.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let loaded = self.source.load();
        if Source::is_unreadable(&loaded) {
            return Ok(ExitCode::FAILURE);
        }
        let offered: Vec<&Skill> =
            loaded.catalog.skills().iter().filter(|skill| skill.is_offered() && !skill.is_gated()).collect();
        let locations: Vec<String> = offered.iter().map(|skill| self.location(skill)).collect();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let entries: Vec<Entry> = offered
            .iter()
            .zip(&locations)
            .map(|(skill, location)| Entry {
                name: &skill.name,
                description: &skill.description,
                location,
                installed: skill.requires.iter().all(|program| is_on_path(program, &path)),
            })
            .collect();
        let text = render(&entries, self.style.into(), self.budget);
        Ok(terminal::data(&format!("{text}\n")))
    }

    fn location(&self, skill: &Skill) -> String {
        self.source.skill_dir(&skill.dir).join("SKILL.md").to_string_lossy().into_owned()
    }
}

impl From<Style> for catalog::Style {
    fn from(style: Style) -> Self {
        match style {
            Style::Skills => Self::Skills,
            Style::AgentSkills => Self::AgentSkills,
            Style::Omega => Self::Omega,
        }
    }
}
