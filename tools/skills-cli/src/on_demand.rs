//! The arguments of `prompt`, `serve` and `mcp` for skills on demand.

use clap::Args;
use skills_call::{OnDemand as Few, Runner};

use crate::terminal;

/// Which skills a model is shown, when it finds the others.
#[derive(Debug, Args)]
#[command(next_help_heading = "Skills on demand")]
pub(crate) struct OnDemand {
    /// Show a model the pinned skills only; it finds the others by the tool `search_skills`
    #[arg(long)]
    on_demand: bool,
    /// A skill that it is always shown (repeatable)
    #[arg(long, value_name = "NAME", requires = "on_demand")]
    pin: Vec<String>,
}

impl OnDemand {
    /// Returns `true` if the model searches for skills on demand.
    pub(crate) fn is_wanted(&self) -> bool {
        self.on_demand
    }

    /// Sets these options on a runner. Reports a pinned skill that does not exist.
    pub(crate) fn give(&self, runner: Runner, budget: Option<usize>) -> Runner {
        if !self.on_demand {
            return runner;
        }
        for name in self.pin.iter().filter(|name| runner.skills().skill(name).is_none()) {
            terminal::line(&format!("note: --pin: {}", runner.skills().not_found(name)));
        }
        let few = self.pin.iter().fold(Few::default(), Few::pin);
        runner.on_demand(budget.into_iter().fold(few, Few::budget))
    }
}
