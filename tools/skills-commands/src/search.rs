//! `search`: prints the skills that match a sentence, best match first.

use std::process::ExitCode;

use clap::Args;
use skills_registry::{Hit, ranked};
use skills_text::{push_quoted, visible};

use crate::list::is_listed;
use crate::skill_source::SkillSource;
use crate::terminal;

#[derive(Debug, Args)]
pub struct Search {
    /// The words to search for
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// The maximum number of skills to print
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Print a JSON array of objects with `name` and `score`
    #[arg(long)]
    json: bool,
}

impl Search {
    /// Prints the best matches among the trusted skills that `list` shows. Untrusted skills are left out
    /// because models read the result.
    pub fn run(&self, skill_source: &dyn SkillSource) -> ExitCode {
        let items = skill_source.offered().into_iter().filter(is_listed);
        let skills = items.map(|item| item.skill);
        let mut hits = ranked(skills, &self.query.join(" "));
        hits.truncate(self.limit);
        if self.json {
            return terminal::json(&json(&hits));
        }
        if hits.is_empty() {
            terminal::line("note: no skill matches these words");
        }
        terminal::text(&table(&hits))
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

fn table(hits: &[Hit<'_>]) -> String {
    let width = hits.iter().map(|hit| visible(hit.skill.name()).chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for hit in hits {
        let description = hit.skill.description().split_whitespace().collect::<Vec<_>>().join(" ");
        let name = visible(hit.skill.name());
        out.push_str(&format!("{:>6.2}  {name:width$}  {}\n", rounded(hit), visible(&description)));
    }
    out
}
