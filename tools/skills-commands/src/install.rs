//! `install`: writes skills to the directory from which an agent reads them, and keeps them up to date there.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use skills_install::{Adopt, InstallOptions};
use skills_registry::Registry;

use crate::failure::Ended;
use crate::target::Target;
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Install {
    /// Install only these skills, even if they were deleted at the target [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    pub target: Target,
    /// Show what would change without changing anything
    #[arg(long)]
    dry_run: bool,
    /// For CI: change nothing, and fail unless everything is up to date
    #[arg(long, alias = "frozen", conflicts_with_all = ["dry_run", "force", "restore", "adopt"])]
    ci: bool,
    /// Replace files that were edited at the target or that something else put there; keep each as `.bak`
    #[arg(long)]
    force: bool,
    /// Restore skills and files that were deleted at the target
    #[arg(long)]
    restore: bool,
    /// Take over identical skills that something else put there
    #[arg(long)]
    adopt: bool,
}

impl Install {
    /// Installs the skills of a bundle and prints a line for each file that was written or kept. The arguments
    /// add to the options.
    pub fn run(&self, registry: &Registry, options: InstallOptions) -> Ended {
        let options = options.names(&self.names);
        let adopt = if self.adopt { Adopt::Same } else { Adopt::Nothing };
        let options = options.force(self.force).restore(self.restore).adopt(adopt);
        let options = self.target.confined(options)?;
        self.target.each(|target| {
            if self.ci {
                return compared(registry, target, &options);
            }
            let done = if self.dry_run {
                let place = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
                terminal::status(&format!("in {}:", place.join("skills").display()));
                skills_install::plan(registry, target, &options).map(|plan| plan.to_string())
            } else {
                skills_install::install(registry, target, &options).map(|report| report.to_string())
            };
            show(done, "everything is up to date")
        })
    }
}

/// Compares the target with the skills and its lock file. Prints the differences and returns an error if
/// there are any.
fn compared(registry: &Registry, target: &Path, options: &InstallOptions) -> ExitCode {
    // A skill that the user deleted also counts as missing.
    let options = options.clone().restore(true);
    match skills_install::plan(registry, target, &options).map(|plan| plan.to_string()) {
        Ok(steps) if steps.is_empty() => ExitCode::SUCCESS,
        Ok(steps) => {
            terminal::text(&steps);
            failure::error("the installed skills are not up to date; run the command without `--ci`")
        }
        Err(error) => failure::installation(&error),
    }
}

/// Prints the steps of a plan or a report, or a line that says that there are no steps.
pub fn show(steps: Result<String, skills_install::InstallError>, none: &str) -> ExitCode {
    match steps {
        Ok(steps) => {
            if steps.is_empty() {
                terminal::status(none);
            }
            terminal::text(&steps)
        }
        Err(error) => failure::installation(&error),
    }
}
