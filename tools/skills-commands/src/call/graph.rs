//! `graph`: draws the skills, or the steps of one skill.

use std::process::ExitCode;

use clap::Args;
use skills_call::Runner;
use skills_graph::Graph as Picture;

use crate::bundle::Bundle;
use crate::choice::{Row, one_of};
use crate::failure::{self, Ended};
use crate::terminal;

#[derive(Debug, Args)]
pub struct Graph {
    /// The skill to draw, or a directory of skills, as `list` takes it [default: all skills that can be called]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "mermaid", value_parser = one_of(FORMATS))]
    format: Draw,
    /// Also draw the skills that are only read
    #[arg(long)]
    all: bool,
}

/// The languages in which graphs are written.
const FORMATS: [Row<Draw>; 3] = [
    ("mermaid", "A Mermaid flow chart, which Markdown viewers render", Picture::mermaid),
    ("dot", "The DOT language of Graphviz", Picture::dot),
    ("svg", "An SVG picture", Picture::svg),
];

type Draw = fn(&Picture) -> String;

impl Graph {
    /// Takes the argument away if it is a directory: a path, or, without `--dir`, the name of one.
    pub fn take_directory(&mut self, is_elsewhere: bool) -> Option<std::path::PathBuf> {
        let is_path = |name: &str| name.contains(['/', '\\']) || !is_elsewhere;
        let is_directory = |name: &String| is_path(name) && crate::home::path(name.as_ref()).is_dir();
        self.name.take_if(|name| is_directory(name)).map(Into::into)
    }

    /// Prints the graph of a program's skills.
    pub(crate) fn run_in(&self, bundle: &Bundle<'_>) -> Ended {
        Ok(self.run(&bundle.own_runner()?))
    }

    /// Prints the graph.
    pub fn run(&self, runner: &Runner) -> ExitCode {
        if self.all && self.name.is_some() {
            return terminal::usage("`--all` draws all skills: leave out the name of the skill");
        }
        let library = runner.skills();
        let graph = match &self.name {
            Some(name) => Picture::of_skill(library, name),
            None => Ok(Picture::of_skills(library, self.all)),
        };
        match graph {
            Ok(graph) => terminal::text(&(self.format)(&graph)),
            Err(missing) => failure::not_found(&missing),
        }
    }
}
