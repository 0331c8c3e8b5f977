//! `prompt`: the catalog that a model is shown.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_registry as registry;

use crate::shelf::Shelf;
use crate::terminal;

/// The arguments of `prompt`.
#[derive(Debug, Args)]
pub(crate) struct Prompt {
    /// Which of the three forms
    #[arg(long, value_enum, default_value_t = Style::Skills)]
    style: Style,
    /// How many tokens the catalog may take [default: what the program was built with, else 8000]
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
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
    pub(crate) fn run(&self, shelf: &Shelf<'_>) -> ExitCode {
        let prompt = registry::Prompt::new(self.style.into());
        let prompt = self.budget.into_iter().fold(prompt, registry::Prompt::budget);
        terminal::exact(&format!("{}\n", shelf.prompt(prompt)))
    }
}

impl From<Style> for registry::Style {
    fn from(style: Style) -> Self {
        match style {
            Style::Skills => Self::Skills,
            Style::AgentSkills => Self::AgentSkills,
            Style::Omega => Self::Omega,
        }
    }
}
