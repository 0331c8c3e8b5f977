//! `graph`: draws the skills, or the steps of one skill.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_call::Runner;
use skills_graph::Graph as Picture;
use skills_schema::json::make::{array, boolean, number, object, string};

use crate::bundle::Bundle;
use crate::failure::{self, Ended};
use crate::output::{Format, OutputArgs, versioned};
use crate::terminal;

#[derive(Debug, Args)]
pub struct Graph {
    /// Draw only this skill: the steps of its pipeline, or what it calls [default: all skills that can be called]
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    #[command(flatten)]
    output: OutputArgs<Form>,
    /// Also draw the skills that are only read
    #[arg(long)]
    all: bool,
}

/// The languages in which graphs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A Mermaid flow chart, which Markdown viewers render
    Mermaid,
    /// The DOT language of Graphviz
    Dot,
    /// An SVG picture
    Svg,
    /// The boxes and arrows as JSON
    Json,
}

impl Format for Form {
    const DEFAULT: &str = "mermaid";
    const JSON: Self = Self::Json;
}

impl Graph {
    /// Prints the graph of a program's skills.
    pub(crate) fn run_in(&self, bundle: &Bundle<'_>) -> Ended {
        Ok(self.run(&bundle.own_runner()?))
    }

    /// Prints the graph.
    pub fn run(&self, runner: &Runner) -> ExitCode {
        if self.all && self.skill.is_some() {
            return terminal::usage("`--all` draws all skills: leave out `--skill`");
        }
        let layers = runner.skills();
        let graph = match &self.skill {
            Some(name) => Picture::of_skill(layers, name),
            None => Ok(Picture::of_skills(layers, self.all)),
        };
        if let Ok(graph) = &graph
            && graph.nodes.is_empty()
            && self.skill.is_none()
        {
            let read = if self.all { 0 } else { layers.len() };
            terminal::note(match read {
                0 => "there are no skills, so the graph is empty".to_owned(),
                _ => "no skill can be called, so the graph is empty; `--all` also draws skills that are only read"
                    .to_owned(),
            });
        }
        match graph {
            Ok(graph) => match self.output.format() {
                Form::Mermaid => terminal::text(&graph.mermaid()),
                Form::Dot => terminal::text(&graph.dot()),
                Form::Svg => terminal::text(&graph.svg()),
                Form::Json => terminal::json(&as_json(&graph)),
            },
            Err(missing) => failure::not_found(&missing),
        }
    }
}

fn as_json(graph: &Picture) -> String {
    let nodes = graph.nodes.iter().map(|node| {
        let lines = node.lines.iter().map(|line| string(line.as_str()));
        object([
            ("id", string(node.id.as_str())),
            ("title", string(node.title.as_str())),
            ("kind", string(node.kind.as_str())),
            ("lines", array(lines)),
        ])
    });
    let edges = graph.edges.iter().map(|edge| {
        object([("from", number(edge.from)), ("to", number(edge.to)), ("certain", boolean(edge.certain))])
    });
    versioned([("title", string(graph.title.as_str())), ("nodes", array(nodes)), ("edges", array(edges))])
}
