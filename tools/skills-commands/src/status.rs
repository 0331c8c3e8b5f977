//! `status`: prints the state of installed skills.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use skills_install::{InstallOptions, SkillStatus, State};
use skills_registry::{NotFound, Registry};

use crate::failure::Ended;
use crate::target::Target;
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Status {
    /// Show only these skills [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    pub target: Target,
    /// Fail unless every skill is installed and unchanged, for CI
    #[arg(long)]
    check: bool,
}

impl Status {
    /// Prints a line for each skill, and below it a line for each file that differs from the bundle.
    pub fn run(&self, registry: &Registry, bundle: &str) -> Ended {
        let options = self.target.confined(InstallOptions::new(bundle))?;
        self.target.each(|target| self.at(target, registry, &options))
    }

    fn at(&self, target: &Path, registry: &Registry, options: &InstallOptions) -> ExitCode {
        // Do not select the skills by name here: selecting a skill by name also restores it if it was
        // deleted, which would change the status.
        let mut skills = match skills_install::status(registry, target, options) {
            Ok(skills) => skills,
            Err(error) => return failure::installation(&error),
        };
        // A function has two names, and either one selects it.
        let is_named = |name: &str, skill: &SkillStatus| {
            skill.name == name
                || registry.get(name).is_some_and(|found| found.standard_name() == skill.name.as_str())
        };
        if let Some(name) = self.names.iter().find(|name| !skills.iter().any(|skill| is_named(name, skill))) {
            let names = skills.iter().map(|skill| skill.name.as_str());
            return failure::not_found(&NotFound::new(name, names));
        }
        skills.retain(|skill| self.names.is_empty() || self.names.iter().any(|name| is_named(name, skill)));
        let written = terminal::text(&table(&skills));
        if self.check && skills.iter().any(|skill| skill.state != State::Current) {
            return failure::error("what is installed is not what the skills and the lock file say");
        }
        written
    }
}

fn table(skills: &[SkillStatus]) -> String {
    let width = skills.iter().map(|skill| skill.name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for skill in skills {
        let mut told = match (&skill.owner, &skill.installed) {
            (Some(owner), Some(version)) => format!("{version} of {owner}"),
            _ => String::new(),
        };
        let is_missing = skill.state == State::Missing;
        if let Some(reason) = skill.files.first().and_then(|file| file.reason.as_ref()).filter(|_| is_missing)
        {
            told.push_str(&format!(" ({reason})"));
        }
        out.push_str(format!("{:8}  {:width$}  {told}", skill.state, skill.name).trim_end());
        out.push('\n');
        if is_missing {
            // Every file of the skill has the same status, so one line is enough.
            continue;
        }
        for file in skill.files.iter().filter(|file| file.state != State::Current) {
            let reason = file.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            out.push_str(&format!("  {:8}  {}{reason}\n", file.state, file.path));
        }
    }
    out
}
