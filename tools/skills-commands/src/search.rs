//! `search`: prints the skills that match a sentence, best match first.

use std::process::ExitCode;

use clap::Args;
use skills_registry::{Hit, ranked};
use skills_text::push_quoted;

use crate::list::is_listed;
use crate::output::Output;
use crate::skill_source::SkillSource;
use crate::terminal::table::{Align, Table, cell};
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
    output: Output,
}

impl Search {
    /// Prints the best matches among the trusted skills that `list` shows. Untrusted skills are left out
    /// because models read the result.
    pub fn run(&self, skill_source: &dyn SkillSource) -> ExitCode {
        let items = skill_source.offered().into_iter().filter(is_listed);
        let skills = items.map(|item| item.skill);
        let mut hits = ranked(skills, &self.query.join(" "));
        hits.truncate(self.limit);
        if self.output.is_json() {
            return terminal::json(&json(&hits));
        }
        if hits.is_empty() {
            terminal::note("no skill matches these words");
        }
        terminal::exact(&table(&hits).text(terminal::columns(), Ink::of_output()))
    }
}

/// Rounds the score to two decimals, because more digits would suggest a precision that it does not have.
fn rounded(hit: &Hit<'_>) -> f64 {
    (f64::from(hit.score) * 100.0).round() / 100.0
}

fn json(hits: &[Hit<'_>]) -> String {
    let mut out = "[".to_owned();
    for (at, hit) in hits.iter().enumerate() {
        out.push_str(if at == 0 { "\n  {\"name\": " } else { ",\n  {\"name\": " });
        push_quoted(&mut out, hit.skill.name());
        out.push_str(&format!(", \"score\": {}}}", rounded(hit)));
    }
    out.push_str(if hits.is_empty() { "]\n" } else { "\n]\n" });
    out
}

fn table(hits: &[Hit<'_>]) -> Table {
    let mut table = Table::new(&[Align::Right, Align::Left]);
    for hit in hits {
        let description = hit.skill.description().split_whitespace().collect::<Vec<_>>().join(" ");
        table.row([
            cell(Tone::Faint, format!("{:6.2}", rounded(hit))),
            cell(Tone::Name, hit.skill.name()),
            cell(Tone::Plain, description),
        ]);
    }
    table
}
