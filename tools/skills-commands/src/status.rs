//! `status`: prints the state of installed skills.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use skills_install::{FileStatus, InstallOptions, SkillStatus, State};
use skills_registry::{NotFound, Registry};
use skills_schema::json::Node;
use skills_schema::json::make::{array, object, string};
use skills_text::visible;

use crate::failure::Ended;
use crate::output::{OutputArgs, text_or_null, versioned};
use crate::target::TargetArgs;
use crate::terminal::table::{Align, Table, cell};
use crate::terminal::{Ink, Tone};
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Status {
    /// Show only these skills [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    pub target: TargetArgs,
    /// For CI: fail unless every skill is installed and unchanged
    #[arg(long)]
    ci: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Status {
    /// Prints a line for each skill, and below it a line for each file that differs from the bundle.
    pub fn run(&self, registry: &Registry, options: InstallOptions) -> Ended {
        let options = self.target.confined(options.of_program(registry))?;
        let mut targets = Vec::new();
        let code = self.target.each(|target| self.show(target, registry, &options, &mut targets))?;
        if self.output.is_json() {
            terminal::json(&versioned([("targets", array(targets))]));
        }
        Ok(code)
    }

    fn show(
        &self,
        target: &Path,
        registry: &Registry,
        options: &InstallOptions,
        targets: &mut Vec<Node>,
    ) -> ExitCode {
        // Do not select the skills by name here: selecting a skill by name also restores it if it was
        // deleted, which would change the status.
        let mut skills = match skills_install::status(registry, target, options) {
            Ok(skills) => skills,
            Err(error) => return failure::installation(&error),
        };
        // A function has two names. Each of them selects it.
        let mut chosen = BTreeSet::new();
        for name in &self.names {
            let standard = registry.get(name).map(|found| found.standard_name());
            let named =
                skills.iter().find(|skill| skill.name == *name || standard.as_deref() == Some(&*skill.name));
            let Some(skill) = named else {
                let names = skills.iter().map(|skill| skill.name.as_str());
                return failure::not_found(&NotFound::new(name, names));
            };
            chosen.insert(skill.name.clone());
        }
        skills.retain(|skill| self.names.is_empty() || chosen.contains(&skill.name));
        let written = if self.output.is_json() {
            targets.push(node(target, &skills));
            ExitCode::SUCCESS
        } else {
            terminal::exact(&table(&skills))
        };
        if self.ci && skills.iter().any(|skill| skill.state != State::Current) {
            return failure::error("the installed skills differ from the skills and the lock file");
        }
        written
    }
}

/// Describes the skills at one target as JSON.
fn node(target: &Path, skills: &[SkillStatus]) -> Node {
    let skills = skills.iter().map(|skill| {
        let files = skill.files.iter().map(|file| {
            let reason = file.reason.as_ref().map(ToString::to_string);
            object([
                ("path", string(file.path.as_str())),
                ("state", string(file.state.to_string())),
                ("reason", text_or_null(reason.as_deref())),
            ])
        });
        object([
            ("name", string(skill.name.as_str())),
            ("state", string(skill.state.to_string())),
            ("bundle", text_or_null(skill.owner.as_deref())),
            ("installed", text_or_null(skill.installed.as_deref())),
            ("stub", text_or_null(skill.stub.as_deref())),
            ("files", array(files)),
        ])
    });
    object([("path", string(target.to_string_lossy())), ("skills", array(skills))])
}

fn table(skills: &[SkillStatus]) -> String {
    let mut table = Table::new(&[Align::Left]);
    let mut below = Vec::new();
    for skill in skills {
        let mut label = match (&skill.owner, &skill.installed, &skill.stub) {
            (Some(owner), Some(version), None) => format!("{version}, installed by {owner}"),
            (Some(owner), Some(version), Some(command)) => {
                let by = format!("{owner} {version}");
                format!("stub for `{command}`, installed by {}", by.trim_end())
            }
            _ => String::new(),
        };
        if skill.state == State::Modified && skill.has_changed {
            label.push_str("; the skill has changed since, and `install --force` replaces the edited files");
        }
        let is_missing = skill.state == State::Missing;
        if let Some(reason) = skill.files.first().and_then(|file| file.reason.as_ref()).filter(|_| is_missing)
        {
            label.push_str(&format!(" ({reason})"));
        }
        let tone = if skill.state == State::Current { Tone::Good } else { Tone::Warning };
        table.row([
            cell(tone, format!("{:8}", skill.state)),
            cell(Tone::Name, &skill.name),
            cell(Tone::Plain, label),
        ]);
        // Every file of a missing skill has the same status, so one line is enough.
        let files = skill.files.iter().filter(|file| file.state != State::Current && !is_missing);
        below.push(files.map(file_line).collect::<String>());
    }
    let rows = table.text(None, Ink::of_output());
    rows.lines().zip(below).map(|(row, files)| format!("{row}\n{files}")).collect()
}

fn file_line(file: &FileStatus) -> String {
    let reason = file.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let line = visible(&format!("{}{reason}", file.path));
    format!("  {}  {line}\n", Ink::of_output().paint(Tone::Warning, &format!("{:8}", file.state)))
}
