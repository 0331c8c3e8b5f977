//! Arguments become the filter of the registry: `list` and `tools` take them (SPEC 11.1).

use clap::{Args, ValueEnum};
use skills_registry::{Filter, Mode};

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
    #[arg(long, value_enum, value_name = "MODE")]
    mode: Vec<Way>,
    /// Only skills in whose name, description or tags each of these words occurs
    #[arg(long, value_name = "WORDS")]
    search: Vec<String>,
}

/// How a skill with a `skill.json` runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Way {
    /// By a function of the host, or by its `exec`
    Code,
    /// By a language model
    Llm,
    /// By its pipeline
    Composite,
}

impl Wanted {
    /// Returns the filter.
    pub(crate) fn filter(&self) -> Filter {
        Filter {
            tags: self.tag.clone(),
            categories: self.category.clone(),
            modes: self.mode.iter().copied().map(Mode::from).collect(),
            words: self.search.clone(),
        }
    }
}

impl From<Way> for Mode {
    fn from(way: Way) -> Self {
        match way {
            Way::Code => Self::Code,
            Way::Llm => Self::Llm,
            Way::Composite => Self::Composite,
        }
    }
}
