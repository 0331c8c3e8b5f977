//! `skills migrate --flat`: converts a file such as `skills/foo.md` to a directory.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use skills_install::{Migration, migrate_flat_skills};

use skills_commands::{failure, home, terminal};

/// Moves the files and prints a line for each.
pub(super) fn run(dir: &Path) -> ExitCode {
    match migrate_flat_skills(&target(&home::path(dir))) {
        Ok(migration) => {
            if migration == Migration::default() {
                terminal::status("there are no flat files");
            }
            terminal::text(&lines(&migration))
        }
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

fn lines(migration: &Migration) -> String {
    let moved = migration.moved.iter().map(|name| format!("move    {name}.md to {name}/SKILL.md\n"));
    let kept = migration.skipped.iter().map(|(name, why)| format!("keep    {name}.md ({why})\n"));
    moved.chain(kept).collect()
}
