//! The arguments of `list` and `tools` that filter the registry.

use clap::Args;
use skills_registry::{Filter, Mode};

use crate::choice::{Row, one_of};

/// The filters.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
pub struct Wanted {
    /// Only skills with this tag (repeatable: a skill must have all of them)
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only skills in this category (repeatable: in any of them)
    #[arg(long, value_name = "CATEGORY")]
    category: Vec<String>,
    /// Only skills with this mode (repeatable: with any of them)
    #[arg(long, value_name = "MODE", value_parser = one_of(MODES))]
    mode: Vec<Mode>,
    /// Only skills that have all of these words in their name, description or tags
    #[arg(long, value_name = "WORDS")]
    search: Vec<String>,
}

/// The modes in which a skill with a `skill.json` can run.
const MODES: [Row<Mode>; 4] = [
    ("code", "Run by a function of the host, or by the program of the skill", Mode::Code),
    ("llm", "Run by a language model", Mode::Llm),
    ("composite", "Run by a pipeline of other skills", Mode::Composite),
    ("mcp", "Run by a tool of an MCP server", Mode::Mcp),
];

impl Wanted {
    /// Returns the filter.
    pub fn filter(&self) -> Filter {
        Filter {
            tags: self.tag.clone(),
            categories: self.category.clone(),
            modes: self.mode.clone(),
            words: self.search.clone(),
        }
    }
}
