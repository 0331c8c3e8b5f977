//! `graph`: a picture of the skills, or of the steps of one (SPEC 16.4).

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_runtime::call::Runner;

use crate::{failure, terminal};

/// The arguments of `graph`.
#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// The skill to draw [default: all that can be called]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// In which language
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Mermaid)]
    format: Format,
    /// Also draw the skills that are only read
    #[arg(long, conflicts_with = "name")]
    all: bool,
}

/// The languages of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A flow chart that Markdown renders
    Mermaid,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

impl Graph {
    /// Prints the picture.
    pub(crate) fn run(&self, runner: &Runner) -> ExitCode {
        let library = runner.skills();
        let graph = match &self.name {
            Some(name) => skills_runtime::graph::Graph::of_skill(library, name),
            None => Ok(skills_runtime::graph::Graph::of_skills(library, self.all)),
        };
        match graph {
            Ok(graph) => terminal::text(&match self.format {
                Format::Mermaid => graph.mermaid(),
                Format::Dot => graph.dot(),
                Format::Svg => graph.svg(),
            }),
            Err(missing) => failure::not_found(&missing),
        }
    }
}
