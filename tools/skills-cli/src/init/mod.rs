//! `skills init`: sets up a directory to bundle skills or to check them.

mod changes;
mod manifest;
mod repository;
mod source;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};

use super::asking::{self, confirm};
use super::new;
use super::trust::record_written;
use changes::SetupChanges;
use manifest::CrateOrigin;
use skills_commands::failure::{CommandError, Ended};
use skills_commands::{failure, terminal};

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The directory of the Cargo package or repository, which is created if needed
    #[arg(value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    dir: PathBuf,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true, conflicts_with = "dir")]
    named: Option<PathBuf>,
    /// Create a Cargo package if there is none
    #[arg(long)]
    cargo: bool,
    /// Get the packages, and the command that a workflow runs, from this git repository
    #[arg(long, value_name = "URL", value_parser = plain)]
    git: Option<String>,
    /// Use this commit, tag or branch of the repository
    #[arg(long, value_name = "REV", requires = "git", value_parser = plain)]
    rev: Option<String>,
    /// Get the packages from this local checkout of the repository
    #[arg(long, value_name = "CHECKOUT", conflicts_with = "git")]
    path: Option<PathBuf>,
    /// Get the packages from crates.io
    #[arg(long, conflicts_with_all = ["git", "path"])]
    registry: bool,
    /// Write without asking
    #[arg(short, long)]
    yes: bool,
    /// Show what would change without writing anything
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
}

impl Init {
    /// Shows every change, and writes the changes if the user agrees.
    pub(crate) fn run(mut self) -> Ended {
        if let Some(dir) = self.named.take() {
            self.dir = dir;
        }
        let (changes, next, creates_skill) = self.changes().map_err(terminal::usage)?;
        for note in changes.notes() {
            terminal::note(format_args!("{note}"));
        }
        if changes.is_empty() {
            terminal::status("nothing to do: everything is already set up");
            return Ok(ExitCode::SUCCESS);
        }
        let shown = terminal::diff(&changes.diff(&self.dir));
        if self.dry_run {
            return Ok(shown);
        }
        confirm(self.yes)?;
        changes.write().map_err(failure::error)?;
        if creates_skill {
            record_written(&self.dir.join("skills").join(new::FIRST));
        }
        terminal::status(&format!("written; next: {next}"));
        Ok(ExitCode::SUCCESS)
    }

    /// Returns `true` if a person can be asked for missing arguments.
    fn may_ask(&self) -> bool {
        !self.yes && !self.dry_run && asking::is_possible()
    }

    /// Returns the changes, the next step for the user, and whether the changes create a first skill.
    fn changes(&self) -> Result<(SetupChanges, &'static str, bool), CommandError> {
        let mut changes = SetupChanges::new(&self.dir)?;
        let is_package = self.cargo || changes.is_there("Cargo.toml");
        let next = match is_package {
            false => "skills check .",
            true if changes.is_there("src/main.rs") => {
                "`print!(\"{}\", SKILLS.prompt());` in `main` shows what a model sees; cargo run"
            }
            true if changes.is_there("src/lib.rs") => "cargo build",
            true => "cargo run",
        };
        let origin = match (&self.git, &self.path) {
            (Some(url), _) => Some(CrateOrigin::of_repository(url, self.rev.clone())?),
            (None, Some(path)) => Some(CrateOrigin::of_checkout(path)?),
            (None, None) if self.registry => Some(CrateOrigin::Registry),
            (None, None) if is_package && self.may_ask() && manifest::needs_origin(&changes)? => {
                let question = "The packages are not published yet. Git URL or path of a checkout";
                Some(asking::ask(question, None, CrateOrigin::of_answer)?)
            }
            (None, None) => None,
        };
        if is_package {
            manifest::change(&mut changes, origin.as_ref())?;
            source::change(&mut changes)?;
        } else {
            repository::change(&mut changes, origin.as_ref())?;
        }
        let first = format!("skills/{}", new::FIRST);
        let holds_skills = changes.holds_skills(is_package);
        // Somebody else may have written what is there, so it is not recorded as a skill of the user.
        let is_taken = changes.is_there(&first);
        if is_taken && !holds_skills {
            changes.add_note(format!("{first} exists already, so no first skill is written"));
        }
        let creates_skill = !is_taken && !holds_skills;
        if creates_skill {
            for file in new::first() {
                changes.create(&format!("{first}/{}", file.path), file.text);
            }
        }
        Ok((changes, next, creates_skill))
    }
}

/// Accepts an address or revision that means the same in a manifest, in YAML and in a shell.
fn plain(text: &str) -> Result<String, String> {
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/@+%=,".contains(c));
    if !is_plain || text.is_empty() || text.starts_with('-') {
        return Err(
            "it may contain letters, digits and `-._~:/@+%=,`, and must not begin with `-`".to_owned()
        );
    }
    Ok(text.to_owned())
}
