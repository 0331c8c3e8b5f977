//! `list`: skills as a table or as JSON.

use std::process::ExitCode;

use clap::Args;
use skills_registry::{Skill, visible};

use crate::filter::Wanted;
use crate::json::{array, object};
use crate::shelf::Shelf;
use crate::{record, terminal};

/// The arguments of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also list gated skills and those tagged `internal`
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    wanted: Wanted,
}

impl List {
    /// Lists the skills.
    pub(crate) fn run(&self, shelf: &Shelf<'_>) -> ExitCode {
        let filter = self.wanted.filter();
        let listed = |skill: &Skill<'_>| self.all || is_listed(shelf, *skill);
        let skills: Vec<Skill<'_>> =
            shelf.registry().iter().filter(listed).filter(|skill| filter.matches(*skill)).collect();
        if self.json {
            let records = array(skills.iter().map(|skill| object(record::members(shelf, *skill))));
            return terminal::data(&format!("{}\n", records.indented(0)));
        }
        terminal::data(&table(&skills))
    }
}

/// Tells whether a skill is listed without `--all`: no capability is refused, and it is not internal.
fn is_listed(shelf: &Shelf<'_>, skill: Skill<'_>) -> bool {
    !shelf.is_gated(skill) && !skill.tags().any(|tag| tag == "internal")
}

fn table(skills: &[Skill<'_>]) -> String {
    let width = |text: fn(Skill<'_>) -> &str| {
        skills.iter().map(|skill| visible(text(*skill)).chars().count()).max().unwrap_or(0)
    };
    let (names, versions) = (width(|skill| skill.name()), width(|skill| skill.version()));
    let mut out = String::new();
    for skill in skills {
        let description = skill.description().split_whitespace().collect::<Vec<_>>().join(" ");
        // A skill on disk must not reach the terminal with control characters (SPEC 2.11).
        out.push_str(&format!(
            "{:names$}  {:versions$}  tier {}  {}\n",
            visible(skill.name()),
            visible(skill.version()),
            skill.tier(),
            visible(&description)
        ));
    }
    out
}
