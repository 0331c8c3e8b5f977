//! The arguments of `list` and `tools` that filter the registry.

use clap::Args;
use skills_registry::{Filter, Mode};

use crate::choice::{Row, one_of};

/// Which skills are wanted.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct Wanted {
    /// Only skills with this tag (repeatable: with all of them)
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only skills of this category (repeatable: of one of them)
    #[arg(long, value_name = "CATEGORY")]
    category: Vec<String>,
    /// Only skills that run this way (repeatable: in one of these)
    #[arg(long, value_name = "MODE", value_parser = one_of(MODES))]
    mode: Vec<Mode>,
    /// Only skills in whose name, description or tags each of these words occurs
    #[arg(long, value_name = "WORDS")]
    search: Vec<String>,
}

/// The modes in which a skill with a `skill.json` can run.
const MODES: [Row<Mode>; 3] = [
    ("code", "By a function of the host, or by its `exec`", Mode::Code),
    ("llm", "By a language model", Mode::Llm),
    ("composite", "By its pipeline", Mode::Composite),
];

impl Wanted {
    /// Returns the filter.
    pub(crate) fn filter(&self) -> Filter {
        Filter {
            tags: self.tag.clone(),
            categories: self.category.clone(),
            modes: self.mode.clone(),
            words: self.search.clone(),
        }
    }
}
