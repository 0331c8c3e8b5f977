//! `skills migrate`: skills of older forms become directories (SPEC 9.3).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use skills_core::read::expand_home;
use skills_runtime::install::{Migration, migrate_flat_skills};

use crate::{failure, terminal};

/// The arguments of `skills migrate`.
#[derive(Debug, Args)]
pub(crate) struct Migrate {
    /// Turn every `DIR/foo.md` that is a skill into `DIR/foo/SKILL.md`; DIR is named `skills`, or `skills` lies in it
    #[arg(long, value_name = "DIR")]
    flat: PathBuf,
}

impl Migrate {
    /// Moves the files and prints a line for each.
    ///
    /// # Errors
    /// None: what the system refuses is told and ends with exit code 1.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let dir = expand_home(&self.flat, std::env::home_dir().as_deref());
        Ok(match migrate_flat_skills(&target(&dir)) {
            Ok(migration) => {
                if migration == Migration::default() {
                    terminal::problem("there are no flat files");
                }
                terminal::data(&lines(&migration))
            }
            Err(error) => failure::installation(&error),
        })
    }
}

/// Returns the directory that `skills` lies in.
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
