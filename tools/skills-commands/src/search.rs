//! `search`: prints the skills that match a sentence, best match first.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Args;
use skills_registry::{Hit, Skill};
use skills_runtime::layers::{Found, Layers};
use skills_text::push_quoted;

use crate::list::is_listed;
use crate::output::OutputArgs;
use crate::terminal::table::{Align, Table, cell, marked};
use crate::terminal::{self, Ink, Tone};

#[derive(Debug, Args)]
pub struct Search {
    /// The words to search for
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// The maximum number of skills to print
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    #[command(flatten)]
    output: OutputArgs,
}

impl Search {
    /// Prints the best matches among the skills that `list` shows.
    pub fn run(&self, layers: &Layers) -> ExitCode {
        let items: Vec<Found<'_>> =
            layers.winners().filter(|found| is_listed(found.skill, found.gated)).collect();
        let untrusted = items.iter().filter(|item| !item.trust.may_run());
        let untrusted: BTreeSet<&str> = untrusted.map(|item| item.skill.name()).collect();
        let skills: Vec<Skill<'_>> = items.iter().map(|item| item.skill).collect();
        let mut hits = layers.rank(&self.query.join(" "), &skills);
        hits.truncate(self.limit);
        if self.output.is_json() {
            return terminal::json(&json(&hits, &untrusted));
        }
        if hits.is_empty() {
            terminal::note("no skill matches these words");
        }
        terminal::exact(&table(&hits, &untrusted).text(terminal::columns(), Ink::of_output()))
    }
}

/// Rounds the score to two decimals, because more digits would suggest a precision that it does not have.
fn rounded(hit: &Hit<'_>) -> f64 {
    (f64::from(hit.score) * 100.0).round() / 100.0
}

fn json(hits: &[Hit<'_>], untrusted: &BTreeSet<&str>) -> String {
    let mut out = "[".to_owned();
    for (at, hit) in hits.iter().enumerate() {
        out.push_str(if at == 0 { "\n  {\"name\": " } else { ",\n  {\"name\": " });
        push_quoted(&mut out, hit.skill.name());
        out.push_str(&format!(", \"score\": {}", rounded(hit)));
        out.push_str(if untrusted.contains(hit.skill.name()) { ", \"trusted\": false}" } else { "}" });
    }
    out.push_str(if hits.is_empty() { "]\n" } else { "\n]\n" });
    out
}

fn table(hits: &[Hit<'_>], untrusted: &BTreeSet<&str>) -> Table {
    let mut table = Table::new(&[Align::Right, Align::Left]);
    for hit in hits {
        let description = hit.skill.description().split_whitespace().collect::<Vec<_>>().join(" ");
        let mark = if untrusted.contains(hit.skill.name()) { "[untrusted] " } else { "" };
        table.row([
            cell(Tone::Faint, format!("{:6.2}", rounded(hit))),
            cell(Tone::Name, hit.skill.name()),
            marked(Tone::Warning, mark, &description),
        ]);
    }
    table
}
