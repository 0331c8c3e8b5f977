//! `call`, `graph` and the runner, without the feature `call`.

use std::convert::Infallible;
use std::process::ExitCode;

use clap::Args;
use skills_exec::RunOptions;
use skills_registry::Style;
use skills_runtime::capabilities::Capabilities;
use skills_runtime::layers::{Found, Layers};

use crate::absent::stand_in;
use crate::exec::{Exec, print_ended};
use crate::failure::Ended;

/// Replaces the runner, which does not exist without the feature.
#[derive(Clone)]
pub struct Runner(Infallible);

impl Runner {
    /// Returns the runner, which has the capabilities.
    pub fn server_access(&self) -> &Self {
        self
    }

    /// Returns the capabilities of the runner.
    pub fn capabilities(&self) -> &dyn Capabilities {
        match self.0 {}
    }
}

stand_in!(Call, "call", "call");
stand_in!(Graph, "graph", "call");

/// Replaces the arguments of `prompt` for skills on demand, which do not exist without the feature.
#[derive(Debug, Args)]
pub struct PromptOnDemand {}

impl PromptOnDemand {
    pub fn is_wanted(&self) -> bool {
        false
    }

    pub fn print(&self, runner: Runner, _: Style, _: Option<usize>) -> ExitCode {
        match runner.0 {}
    }
}

impl Exec {
    pub fn run(&self, runner: Runner, _: bool) -> Ended {
        match runner.0 {}
    }

    /// Runs the program. A signal ends this process, and the keeper of the run then ends the program.
    pub fn run_found(&self, layers: &Layers, found: Found<'_>, input: String, options: &RunOptions) -> Ended {
        let outcome = skills_exec::run_skill(found.skill, input, options);
        Ok(print_ended(&outcome.map_err(|reason| self.refused(&reason))?, layers))
    }
}
