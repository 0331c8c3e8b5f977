//! `prompt`: prints the catalog of skills for a model.

use std::process::ExitCode;

use clap::Args;
use skills_registry::{self as registry, Style, ToolFormat};
use skills_runtime::layers::Layers;
use skills_runtime::tools::definition_of;

use crate::arguments::{named, one_of};
use crate::call::{PromptOnDemand, Runner};
use crate::client::Client;
use crate::embedded::command_line_before;
use crate::terminal;

#[derive(Debug, Args)]
pub struct Prompt {
    /// The format of the catalog
    #[arg(long, value_name = "STYLE", default_value = "skills", value_parser = one_of(named(STYLES, Style::as_str)))]
    style: Style,
    /// The maximum size of the catalog in tokens [default: the budget that the program was built with, otherwise 8000]
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
    #[command(flatten)]
    on_demand: PromptOnDemand,
}

/// The output styles of the catalog.
const STYLES: [(Style, &str); 3] = [
    (Style::Skills, "An introduction and indented XML"),
    (Style::AgentSkills, "The XML of the open Agent Skills standard"),
    (Style::Omega, "A list of the installed skills"),
];

impl Prompt {
    /// Returns `true` if the prompt is made by a runner for a model that searches for skills on demand.
    pub fn is_on_demand(&self) -> bool {
        self.on_demand.is_wanted()
    }

    /// Prints the prompt for a model that searches for skills on demand.
    pub fn run_by(&self, runner: Runner) -> ExitCode {
        self.on_demand.print(runner, self.style, self.budget)
    }

    /// Prints the catalog.
    pub fn run(&self, layers: &Layers) -> ExitCode {
        let prompt = registry::Prompt::new(self.style);
        let prompt = self.budget.into_iter().fold(prompt, registry::Prompt::budget);
        let code = print(layers.prompt_with(&prompt));
        let client = Client::new(layers);
        let functions = layers.iter().filter(|skill| !skill.has_document());
        let offered =
            functions.filter(|skill| definition_of(&client, *skill, ToolFormat::OpenAi).is_ok()).count();
        if offered > 0 {
            let is_tool = if offered == 1 { "is offered as a tool" } else { "are offered as tools" };
            let offered = terminal::counted(offered, "function");
            let tools = command_line_before("prompt");
            terminal::note(format_args!(
                "{offered} without a SKILL.md {is_tool}, see `{tools} tools --format openai`"
            ));
        }
        code
    }
}

/// Prints a text for a model so that it ends with one line break. An empty text prints nothing.
pub(crate) fn print(mut text: String) -> ExitCode {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    terminal::exact(&text)
}
