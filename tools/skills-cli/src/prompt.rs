//! `prompt`: prints the catalog of skills for a model.

use std::process::ExitCode;

use clap::Args;
#[cfg(feature = "call")]
use skills_call::{Loader, Runner};
use skills_registry::{self as registry, Style};

use crate::choice::{Row, one_of};
#[cfg(feature = "call")]
use crate::on_demand::OnDemand;
use crate::skill_source::SkillSource;
use crate::terminal;

#[derive(Debug, Args)]
pub(crate) struct Prompt {
    /// Which of the three forms
    #[arg(long, value_name = "STYLE", default_value = "skills", value_parser = one_of(STYLES))]
    style: Style,
    /// How many tokens the catalog may take [default: what the program was built with, else 8000]
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
    #[cfg(feature = "call")]
    #[command(flatten)]
    on_demand: OnDemand,
    /// Also list the skills that this message is likely to need
    #[cfg(feature = "call")]
    #[arg(long, value_name = "MESSAGE", requires = "on_demand", help_heading = "Skills on demand")]
    r#for: Option<String>,
}

/// The output styles of the catalog.
const STYLES: [Row<Style>; 3] = [
    ("skills", "An introduction and indented XML", Style::Skills),
    ("agent-skills", "XML as the open Agent Skills standard has it", Style::AgentSkills),
    ("omega", "A list with what is installed", Style::Omega),
];

impl Prompt {
    /// Returns `true` if the prompt is made by a runner for a model that searches for skills on demand.
    #[cfg(feature = "call")]
    pub(crate) fn is_on_demand(&self) -> bool {
        self.on_demand.is_wanted()
    }

    /// Prints the prompt for a model that searches for skills on demand, followed by one line break.
    #[cfg(feature = "call")]
    pub(crate) fn run_by(&self, runner: Runner) -> ExitCode {
        let loader = if self.style == Style::AgentSkills { Loader::None } else { Loader::Skill };
        let runner = self.on_demand.give(runner.loader(loader), self.budget);
        terminal::exact(&format!("{}\n", runner.prompt_for(self.r#for.as_deref().unwrap_or_default())))
    }

    /// Prints the catalog, followed by one line break.
    pub(crate) fn run(&self, skill_source: &SkillSource<'_>) -> ExitCode {
        let prompt = registry::Prompt::new(self.style);
        let prompt = self.budget.into_iter().fold(prompt, registry::Prompt::budget);
        terminal::exact(&format!("{}\n", skill_source.prompt(prompt)))
    }
}
