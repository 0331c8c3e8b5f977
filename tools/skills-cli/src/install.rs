//! `install`: writes skills to the directory from which an agent reads them, and keeps them up to date there.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use skills_install::InstallOptions;
use skills_registry::Registry;

use crate::failure::Ended;
use crate::target::Target;
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub(crate) struct Install {
    /// Only these skills; a named one comes back although it was deleted at the target
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Write nothing, and fail unless everything is there as the skills say: for CI
    #[arg(long, conflicts_with_all = ["dry_run", "force", "restore", "adopt"])]
    frozen: bool,
    /// Replace files that were edited at the target, and keep each as `.bak`
    #[arg(long)]
    force: bool,
    /// Bring back skills and files that were deleted at the target
    #[arg(long)]
    restore: bool,
    /// Take over skills that are there already, byte for byte
    #[arg(long)]
    adopt: bool,
    /// Install nothing unless this public key has signed each of the skills, by its skill.oms.sig
    #[cfg(feature = "sign")]
    #[arg(long, value_name = "PUBLIC.pem", value_parser = crate::key::public)]
    require_signature: Option<skills_sign::PublicKey>,
}

impl Install {
    /// Installs the skills of a bundle and prints a line for each file that was written or kept.
    pub(crate) fn run(&self, registry: &Registry, bundle: &str) -> Ended {
        let options = InstallOptions::new(bundle).names(&self.names);
        let options = options.force(self.force).restore(self.restore).adopt(self.adopt);
        #[cfg(feature = "sign")]
        let options = self.require_signature.iter().cloned().fold(options, InstallOptions::require_signature);
        let options = self.target.confined(options)?;
        self.target.each(|target| {
            if self.frozen {
                return frozen(registry, target, &options);
            }
            let done = if self.dry_run {
                let place = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
                terminal::line(&format!("in {}:", place.join("skills").display()));
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
fn frozen(registry: &Registry, target: &Path, options: &InstallOptions) -> ExitCode {
    // A skill that the user deleted also counts as missing.
    let options = options.clone().restore(true);
    match skills_install::plan(registry, target, &options).map(|plan| plan.to_string()) {
        Ok(steps) if steps.is_empty() => ExitCode::SUCCESS,
        Ok(steps) => {
            terminal::text(&steps);
            failure::error("what is installed is not what the skills say; install without `--frozen`")
        }
        Err(error) => failure::installation(&error),
    }
}

/// Prints the steps of a plan or a report, or a line that says that there are no steps.
pub(crate) fn show(steps: Result<String, skills_install::InstallError>, none: &str) -> ExitCode {
    match steps {
        Ok(steps) => {
            if steps.is_empty() {
                terminal::problem(none);
            }
            terminal::text(&steps)
        }
        Err(error) => failure::installation(&error),
    }
}
