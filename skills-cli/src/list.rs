//! `skills list`: the skills of a directory, as a table or as JSON.

use std::process::ExitCode;

use clap::Args;
use skills_core::catalog::Skill;
use skills_core::print::visible;

use crate::source::Source;
use crate::{record, terminal};

/// The arguments of `skills list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also list gated skills and those tagged `internal`
    #[arg(long)]
    all: bool,
}

impl List {
    /// Lists the skills.
    ///
    /// # Errors
    /// None: a directory that cannot be read is told and ends with exit code 1.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let loaded = self.source.load();
        if Source::is_unreadable(&loaded) {
            return Ok(ExitCode::FAILURE);
        }
        let skills: Vec<&Skill> =
            loaded.catalog.skills().iter().filter(|skill| self.all || is_listed(skill)).collect();
        Ok(terminal::data(&if self.json { self.as_json(&skills) } else { table(&skills) }))
    }

    fn as_json(&self, skills: &[&Skill]) -> String {
        if skills.is_empty() {
            return "[]\n".to_owned();
        }
        let path = |skill: &Skill| self.source.skill_dir(&skill.dir).to_string_lossy().into_owned();
        let records: Vec<String> = skills.iter().map(|skill| record::json(skill, &path(skill))).collect();
        format!("[\n{}\n]\n", records.join(",\n"))
    }
}

/// Tells whether a skill is listed: no capability is refused (this command grants none), and it is not internal.
fn is_listed(skill: &Skill) -> bool {
    !skill.is_gated() && !skill.tags.iter().any(|tag| tag == "internal")
}

fn table(skills: &[&Skill]) -> String {
    let width = |text: fn(&Skill) -> &str| {
        skills.iter().map(|skill| visible(text(skill)).chars().count()).max().unwrap_or(0)
    };
    let (names, versions) = (width(|skill| &skill.name), width(|skill| &skill.version));
    let mut out = String::new();
    for skill in skills {
        let description = skill.description.split_whitespace().collect::<Vec<_>>().join(" ");
        // A skill on disk must not reach the terminal with control characters (SPEC 2.11).
        out.push_str(&format!(
            "{:names$}  {:versions$}  tier {}  {}\n",
            visible(&skill.name),
            visible(&skill.version),
            skill.tier,
            visible(&description)
        ));
    }
    out
}
