//! `skills weigh`: prints how many tokens skills cost a model, counted and estimated.

mod scale;
mod table;

use std::cmp::Reverse;
use std::process::ExitCode;

use clap::Args;
use skills_load::Layers;
use skills_registry::{Resource, Skill};

use scale::{Scale, SkillWeight};
use skills_commands::arguments::{FilterArgs, Row, one_of};
use skills_commands::output::OutputArgs;
use skills_commands::terminal::{self, Ink};

#[derive(Debug, Args)]
pub(crate) struct Weigh {
    #[command(flatten)]
    output: OutputArgs,
    /// The sort order, largest first
    #[arg(long, value_name = "WHAT", default_value = "total", value_parser = one_of(SORTS))]
    sort: Tokens,
    /// The maximum number of skills to print [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    wanted: FilterArgs,
}

/// The sort orders, most tokens first. Skills with the same weight stay sorted by name.
const SORTS: [Row<Tokens>; 6] = [
    ("total", "The entry, the body and all files", |skill| skill.total().tokens),
    ("entry", "The entry in the catalog, which every conversation starts with", |skill| skill.entry.tokens),
    ("body", "The body, which is loaded when the skill is used", |skill| skill.body.tokens),
    ("files", "The other files, which the model can read", |skill| skill.files_total().tokens),
    ("tool", "The largest of the tool definitions", |skill| skill.largest_tool().tokens),
    ("name", "The name, from A to Z", |_| 0),
];

type Tokens = fn(&SkillWeight) -> usize;

impl Weigh {
    /// Weighs the skills and prints the result.
    pub(crate) fn run(&self, layers: &Layers) -> ExitCode {
        let filter = self.wanted.filter();
        // A skill of a server that is not approved is only listed: its files are not read.
        let skills = layers.iter().filter(|skill| filter.matches(*skill));
        let skills: Vec<Skill<'_>> =
            skills.filter(|skill| !skill.is_remote() || layers.trust(*skill).may_run()).collect();
        // The files of a skill of a server are read now, and may be refused.
        let mut files =
            skills.iter().flat_map(|skill| skill.file("SKILL.md").into_iter().chain(skill.resources()));
        if let Some(reason) = files.find_map(Resource::fault) {
            return self.output.fail(reason);
        }
        let mut scale = Scale::weigh(layers, skills);
        scale.skills.sort_by_key(|skill| Reverse((self.sort)(skill)));
        let shown = self.limit.unwrap_or(usize::MAX);
        if self.output.is_json() {
            terminal::json(&format!("{:#}\n", table::json(&scale, shown)))
        } else if scale.skills.is_empty() {
            // The command has already said that it found no skills, or that they are not trusted.
            terminal::note("there are no skills to weigh");
            ExitCode::SUCCESS
        } else {
            terminal::exact(&table::text(&scale, shown, terminal::columns(), Ink::of_output()))
        }
    }
}
