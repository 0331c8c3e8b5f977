//! `skills migrate`: converts skills of older forms to the current form.

mod apply;
mod draft;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueHint};
use skills_install::{Migration, migrate_flat_skills};

use super::source::expect_there;
use draft::{KEPT, MigrationDraft};
use skills_commands::arguments::expand_path;
use skills_commands::failure::{self, Ended};
use skills_commands::output::OutputArgs;
use skills_commands::steps::{FileStep, FileSteps};
use skills_commands::terminal;

#[derive(Debug, Args)]
pub(crate) struct Migrate {
    /// The directory of a skill to turn into a typed function with a skill.json and a prompt.md (repeatable)
    #[arg(value_name = "DIR", required_unless_present = "named", value_hint = ValueHint::DirPath)]
    skills: Vec<PathBuf>,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true)]
    named: Vec<PathBuf>,
    /// The category of the functions [default: the category in each SKILL.md, otherwise `general`]
    #[arg(long, value_name = "CATEGORY", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    category: Option<String>,
    /// Move every skill `DIR/foo.md` to `DIR/foo/SKILL.md` instead; DIR is a directory named `skills` or contains one
    #[arg(long, conflicts_with = "category")]
    flat: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Migrate {
    /// Migrates the skills and prints a line for each file.
    pub(crate) fn run(mut self) -> Ended {
        self.skills.append(&mut self.named);
        self.skills.iter().try_for_each(|dir| expect_there(dir))?;
        let mut steps = FileSteps::new(&self.output);
        let code = match self.flat {
            false => self.functions(&mut steps),
            true => {
                let codes: Vec<ExitCode> = self.skills.iter().map(|dir| move_flat(dir, &mut steps)).collect();
                codes.into_iter().fold(ExitCode::SUCCESS, failure::first)
            }
        };
        Ok(failure::first(code, steps.end(true)))
    }

    /// Checks all skills, and migrates them if none is refused.
    fn functions(&self, steps: &mut FileSteps) -> ExitCode {
        let mut seen = BTreeSet::new();
        let once = self.skills.iter().filter(|path| {
            let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            seen.insert(real)
        });
        let mut drafts = Vec::new();
        let mut refused = 0;
        for path in once {
            match MigrationDraft::new(path, self.category.as_deref()) {
                Ok(draft) => drafts.push(draft),
                Err(reason) => {
                    terminal::error(format_args!("{}: {reason}", path.display()));
                    refused += 1;
                }
            }
        }
        if refused > 0 {
            let all = refused + drafts.len();
            terminal::error(format_args!("nothing was migrated: {refused} of {all} skills are refused"));
            return ExitCode::FAILURE;
        }
        let applied = apply::apply(&drafts);
        for draft in drafts.iter().take(applied.done) {
            if !draft.left_behind.is_empty() {
                let keys = draft.left_behind.join(", ");
                terminal::note(format_args!("{}: only in {KEPT} from now on: {keys}", draft.label));
            }
        }
        let done = drafts.iter().take(applied.done);
        let shown = done.map(|draft| steps.add(draft.label.as_ref(), &draft.steps(), ""));
        let written = shown.fold(ExitCode::SUCCESS, failure::first);
        applied.failure.map_or(written, failure::error)
    }
}

/// Moves the files and prints a line for each.
fn move_flat(dir: &Path, all: &mut FileSteps) -> ExitCode {
    match migrate_flat_skills(&directory_with_skills(&expand_path(dir))) {
        Ok(migration) => all.add(dir, &steps_of(&migration), "there are no flat files"),
        Err(error) => failure::installation(&error),
    }
}

/// Returns the directory that contains `skills`.
fn directory_with_skills(dir: &Path) -> PathBuf {
    let path = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    match path.parent() {
        Some(above) if path.ends_with("skills") => above.to_owned(),
        _ => path,
    }
}

fn steps_of(migration: &Migration) -> Vec<FileStep> {
    let moved = migration.moved.iter().map(|name| {
        let (from, to) = (format!("{name}.md"), format!("{name}/SKILL.md"));
        FileStep::new("move", from.as_str()).moved_to(to.as_str()).shown(format!("move    {from} to {to}"))
    });
    let kept = migration.skipped.iter().map(|(name, why)| {
        let step = FileStep::new("keep", format!("{name}.md")).because(why.to_string());
        step.shown(format!("keep    {name}.md ({why})"))
    });
    moved.chain(kept).collect()
}
