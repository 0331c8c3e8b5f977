//! `skills weigh`: what skills cost a model in tokens, counted and estimated (SPEC 16.17).

mod count;
mod scale;
mod spread;
mod table;

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_runtime::call::Runner;

use crate::filter::Wanted;
use crate::terminal;
use scale::Scale;

/// The arguments of `weigh`.
#[derive(Debug, Args)]
pub(crate) struct Weigh {
    /// Print JSON, with every text
    #[arg(long)]
    json: bool,
    /// What comes first
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Sort::Total)]
    sort: Sort,
    /// Print the heaviest skills only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    wanted: Wanted,
}

/// What skills are sorted by: the most tokens first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Entry, body and files together
    Total,
    /// What every conversation begins with
    Entry,
    /// What is loaded
    Body,
    /// What can be read besides
    Files,
    /// The definition as a tool, in the interface where it is largest
    Tool,
    /// The name
    Name,
}

impl Weigh {
    /// Weighs the skills and prints what came of it.
    pub(crate) fn run(&self, runner: &Runner) -> ExitCode {
        let filter = self.wanted.filter();
        let library = runner.skills();
        let skills = library.skills().into_iter().filter(|skill| filter.matches(*skill)).collect();
        let mut scale = Scale::weigh(library, skills);
        let most = |weight: usize| std::cmp::Reverse(weight);
        // They come by name, which decides between those that weigh the same.
        match self.sort {
            Sort::Total => scale.skills.sort_by_key(|skill| most(skill.total().tokens)),
            Sort::Entry => scale.skills.sort_by_key(|skill| most(skill.entry.tokens)),
            Sort::Body => scale.skills.sort_by_key(|skill| most(skill.body.tokens)),
            Sort::Files => scale.skills.sort_by_key(|skill| most(skill.files_total().tokens)),
            Sort::Tool => scale.skills.sort_by_key(|skill| most(skill.largest_tool().tokens)),
            Sort::Name => {}
        }
        let shown = self.limit.unwrap_or(usize::MAX);
        if self.json {
            terminal::json(&format!("{:#}\n", table::json(&scale, shown)))
        } else {
            terminal::text(&table::text(&scale, shown))
        }
    }
}
