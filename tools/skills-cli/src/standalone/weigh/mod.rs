//! `skills weigh`: prints how many tokens skills cost a model, counted and estimated.

mod count;
mod scale;
mod spread;
mod table;

use std::cmp::Reverse;
use std::process::ExitCode;

use clap::Args;
use skills_call::Library;
use skills_load::Layers;

use crate::choice::{Row, one_of};
use crate::filter::Wanted;
use crate::terminal;
use scale::{Scale, SkillWeight};

#[derive(Debug, Args)]
pub(crate) struct Weigh {
    /// Print JSON, with every text
    #[arg(long)]
    json: bool,
    /// What comes first
    #[arg(long, value_name = "WHAT", default_value = "total", value_parser = one_of(SORTS))]
    sort: Tokens,
    /// Print the heaviest skills only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    wanted: Wanted,
}

/// The sort orders, most tokens first. Skills with the same weight stay sorted by name.
const SORTS: [Row<Tokens>; 6] = [
    ("total", "Entry, body and files together", |skill| skill.total().tokens),
    ("entry", "What every conversation begins with", |skill| skill.entry.tokens),
    ("body", "What is loaded", |skill| skill.body.tokens),
    ("files", "What can be read besides", |skill| skill.files_total().tokens),
    ("tool", "The definition as a tool, in the interface where it is largest", |skill| {
        skill.largest_tool().tokens
    }),
    ("name", "The name", |_| 0),
];

type Tokens = fn(&SkillWeight) -> usize;

impl Weigh {
    /// Weighs the skills and prints the result.
    pub(crate) fn run(&self, layers: &Layers) -> ExitCode {
        let filter = self.wanted.filter();
        let skills = Library::skills(layers).into_iter().filter(|skill| filter.matches(*skill)).collect();
        let mut scale = Scale::weigh(layers, skills);
        scale.skills.sort_by_key(|skill| Reverse((self.sort)(skill)));
        let shown = self.limit.unwrap_or(usize::MAX);
        if self.json {
            terminal::json(&format!("{:#}\n", table::json(&scale, shown)))
        } else {
            terminal::text(&table::text(&scale, shown))
        }
    }
}
