//! `skills migrate --flat`: converts a file such as `skills/foo.md` to a directory.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use skills_install::{Migration, migrate_flat_skills};

use skills_commands::steps::{Step, Steps};
use skills_commands::{failure, home};

/// Moves the files and prints a line for each.
pub(super) fn run(dir: &Path, all: &mut Steps) -> ExitCode {
    match migrate_flat_skills(&target(&home::path(dir))) {
        Ok(migration) => all.at(dir, &steps(&migration), "there are no flat files"),
        Err(error) => failure::installation(&error),
    }
}

/// Returns the directory that contains `skills`.
fn target(dir: &Path) -> PathBuf {
    let path = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    match path.parent() {
        Some(above) if path.ends_with("skills") => above.to_owned(),
        _ => path,
    }
}

fn steps(migration: &Migration) -> Vec<Step> {
    let moved = migration.moved.iter().map(|name| {
        let (from, to) = (format!("{name}.md"), format!("{name}/SKILL.md"));
        Step::new("move", from.as_str()).moved_to(to.as_str()).shown(format!("move    {from} to {to}"))
    });
    let kept = migration.skipped.iter().map(|(name, why)| {
        let step = Step::new("keep", format!("{name}.md")).because(why.to_string());
        step.shown(format!("keep    {name}.md ({why})"))
    });
    moved.chain(kept).collect()
}
