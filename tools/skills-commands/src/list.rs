//! `list`: prints skills as a table or as JSON.

use std::process::ExitCode;

use clap::Args;
use skills_registry::Skill;
use skills_runtime::listing::{Listed, listing};
use skills_text::visible;

use crate::arguments::FilterArgs;
use crate::client::Client;
use crate::output::OutputArgs;
use crate::terminal::table::{Align, Table, cell, marked};
use crate::terminal::{self, Ink, Tone};

#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    output: OutputArgs,
    /// Also list skills that lack a required capability, that another skill of the same name hides, or that are tagged
    /// `internal`
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    wanted: FilterArgs,
}

impl List {
    /// Lists the skills.
    pub fn run(&self, client: &Client<'_>) -> ExitCode {
        let filter = self.wanted.filter();
        let mut items: Vec<Listed<'_>> =
            client.layers.all().map(|found| client.list_skill(found, None)).collect();
        if self.all {
            for pair in client.layers.shadowed() {
                items.push(client.list_skill(pair.lost, Some(pair.won.skill.base().to_owned())));
            }
            // The sort is stable, so a hidden skill follows the skill that hides it.
            items.sort_by(|a, b| a.skill.name().cmp(b.skill.name()));
        }
        items.retain(|item| filter.matches(item.skill));
        if !self.all {
            let (listed, others): (Vec<_>, Vec<_>) =
                items.into_iter().partition(|item| is_listed(item.skill, item.is_gated));
            print_left_out(&others);
            items = listed;
        }
        if self.output.is_json() {
            return terminal::json(&format!("{}\n", listing(items)));
        }
        terminal::exact(&table(&items).text(terminal::columns(), Ink::of_output()))
    }
}

/// Prints which skills the list leaves out, and why.
fn print_left_out(others: &[Listed<'_>]) {
    let reasons = [("they require a refused capability", true), ("they are internal", false)];
    for (reason, gated) in reasons {
        let names: Vec<String> = others
            .iter()
            .filter(|item| item.is_gated == gated)
            .map(|item| format!("`{}`", visible(item.skill.name())))
            .collect();
        if !names.is_empty() {
            let names = names.join(", ");
            terminal::note(format_args!("not listed, because {reason}: {names}; `--all` lists all skills"));
        }
    }
}

/// Returns `true` if a skill is listed without `--all`: no capability of it is refused, and it is not
/// internal.
pub fn is_listed(skill: Skill<'_>, is_gated: bool) -> bool {
    !is_gated && !skill.is_internal()
}

/// Returns a table with a row for each skill.
fn table(items: &[Listed<'_>]) -> Table {
    let mut table = Table::new(&[Align::Left]);
    for item in items {
        let skill = item.skill;
        let mut marks = String::new();
        if item.is_gated {
            marks.push_str("[gated] ");
        }
        if item.is_untrusted {
            marks.push_str("[untrusted] ");
        }
        if let Some(winner) = &item.shadowed_by {
            marks.push_str(&format!("[hidden by {winner}] "));
        }
        if let Some(source) = skill.source() {
            marks.push_str(&format!("[from {}] ", source.name));
        }
        let missing = item.missing_requires.join(", ");
        if !missing.is_empty() {
            marks.push_str(&format!("[needs {missing}] "));
        }
        let description = skill.description().split_whitespace().collect::<Vec<_>>().join(" ");
        table.row([
            cell(Tone::Name, skill.name()),
            cell(Tone::Faint, skill.version()),
            cell(Tone::Faint, skill.kind()),
            marked(Tone::Warning, &marks, &description),
        ]);
    }
    table
}
