//! `list`: skills as a table or as JSON.

use std::process::ExitCode;

use clap::Args;
use skills_registry::{Skill, visible};
use skills_runtime::listing::listing;

use crate::filter::Wanted;
use crate::shelf::{Shelf, ShelfItem};
use crate::terminal;

/// The arguments of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also list skills that are gated, hidden by others of their name, or tagged `internal`
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    wanted: Wanted,
}

impl List {
    /// Lists the skills.
    pub(crate) fn run(&self, shelf: &Shelf<'_>) -> ExitCode {
        let filter = self.wanted.filter();
        let mut items = shelf.all();
        if self.all {
            items.extend(shelf.shadowed());
            // Stable: those that are hidden stand behind the one that hides them.
            items.sort_by(|a, b| a.skill.name().cmp(b.skill.name()));
        }
        items.retain(|item| (self.all || is_listed(item)) && filter.matches(item.skill));
        if self.json {
            return terminal::json(&format!("{}\n", listing(items.iter().map(|item| shelf.listed(item)))));
        }
        terminal::text(&table(&items))
    }
}

/// Tells whether a skill is listed without `--all`: no capability is refused, and it is not internal.
pub(crate) fn is_listed(item: &ShelfItem<'_>) -> bool {
    !item.gated && !item.skill.is_internal()
}

fn table(items: &[ShelfItem<'_>]) -> String {
    let width = |text: fn(Skill<'_>) -> &str| {
        items.iter().map(|item| visible(text(item.skill)).chars().count()).max().unwrap_or(0)
    };
    let (names, versions) = (width(|skill| skill.name()), width(|skill| skill.version()));
    let mut out = String::new();
    for item in items {
        let skill = item.skill;
        let gated = if item.gated { "[gated] " } else { "" };
        let untrusted = if item.is_untrusted { "[untrusted] " } else { "" };
        let hidden = item.shadowed_by.as_ref().map(|winner| format!("[hidden by {}] ", visible(winner)));
        let description = skill.description().split_whitespace().collect::<Vec<_>>().join(" ");
        // A skill on disk must not reach the terminal with control characters (SPEC 2.11).
        out.push_str(&format!(
            "{:names$}  {:versions$}  tier {}  {gated}{untrusted}{}{}\n",
            visible(skill.name()),
            visible(skill.version()),
            skill.tier(),
            hidden.unwrap_or_default(),
            visible(&description)
        ));
    }
    out
}
