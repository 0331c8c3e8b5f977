//! The arguments of `prompt`, `serve` and `mcp` for skills on demand.

use std::process::ExitCode;

use clap::Args;
use skills_call::{Loader, OnDemand as Few, Runner};
use skills_registry::Style;

use crate::{prompt, terminal};

/// The skills that a model sees without searching.
#[derive(Debug, Args)]
#[command(next_help_heading = "Skills on demand")]
pub struct OnDemand {
    /// Show the model only the pinned skills; it finds others with the tool `search_skills`
    #[arg(long)]
    on_demand: bool,
    /// Always show this skill to the model (repeatable)
    #[arg(long, value_name = "NAME", requires = "on_demand")]
    pin: Vec<String>,
}

impl OnDemand {
    /// Sets these options on a runner. Reports pinned skills that the prompt does not list.
    pub fn apply_to(&self, runner: Runner, budget: Option<usize>) -> Runner {
        if !self.on_demand {
            return runner;
        }
        let few = self.pin.iter().fold(Few::default(), Few::pin);
        let runner = runner.on_demand(budget.into_iter().fold(few, Few::budget));
        for line in runner.server_access().pin_problems() {
            terminal::note(format_args!("--pin: {line}"));
        }
        runner
    }
}

/// The same for `prompt`, which prints the start of a conversation.
#[derive(Debug, Args)]
#[command(next_help_heading = "Skills on demand")]
pub struct PromptOnDemand {
    #[command(flatten)]
    on_demand: OnDemand,
    /// Also list the skills that best match this message
    #[arg(long, value_name = "TEXT", requires = "on_demand", help_heading = "Skills on demand")]
    message: Option<String>,
}

impl PromptOnDemand {
    /// Returns `true` if the model searches for skills on demand.
    pub(crate) fn is_wanted(&self) -> bool {
        self.on_demand.on_demand
    }

    pub(crate) fn print(&self, runner: Runner, style: Style, budget: Option<usize>) -> ExitCode {
        let loader = if style == Style::AgentSkills { Loader::None } else { Loader::Skill };
        let runner = self.on_demand.apply_to(runner.loader(loader), budget);
        prompt::print(runner.prompt_for(self.message.as_deref().unwrap_or_default()))
    }
}
