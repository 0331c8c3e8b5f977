//! `skills install`: a directory of skills is written where an agent reads them, and kept up to date there (SPEC 9).

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use skills_runtime::install::{self, InstallOptions};

use crate::source::Source;
use crate::target::Target;
use crate::{bundle, failure, terminal};

/// The arguments of `skills install`.
#[derive(Debug, Args)]
pub(crate) struct Install {
    /// Only these skills; a named one comes back although it was deleted at the target
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    origin: Origin,
    #[command(flatten)]
    target: Target,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Replace files that were edited at the target, and keep each as `.bak`
    #[arg(long)]
    force: bool,
    /// Bring back skills and files that were deleted at the target
    #[arg(long)]
    restore: bool,
    /// Take over skills that are there already, byte for byte
    #[arg(long)]
    adopt: bool,
}

/// The skills to install.
#[derive(Debug, Args)]
pub(crate) struct Origin {
    /// The directory of skills to install
    #[arg(long, value_name = "SRC")]
    dir: PathBuf,
    /// The name that the lock file at the target knows the skills of SRC by [default: the last two parts of its path]
    #[arg(long = "as", value_name = "BUNDLE")]
    known_as: Option<String>,
}

impl Origin {
    /// Returns the directory to read.
    pub(crate) fn source(&self) -> Source {
        Source::from(self.dir.clone())
    }

    /// Returns the options that ask for skills of the directory.
    pub(crate) fn options(&self, names: &[String]) -> InstallOptions {
        let name = self.known_as.clone().unwrap_or_else(|| bundle::name(&self.source().path()));
        InstallOptions::new(name).names(names)
    }
}

impl Install {
    /// Installs the skills and prints a line for each file that was written or kept.
    ///
    /// # Errors
    /// There is no home directory to install into.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let target = self.target.path()?;
        let Some(registry) = bundle::registry(&self.origin.source()) else {
            terminal::problem("error: nothing was installed: a directory with errors is not");
            return Ok(ExitCode::FAILURE);
        };
        let options = self.origin.options(&self.names);
        let options = options.force(self.force).restore(self.restore).adopt(self.adopt);
        let done = if self.dry_run {
            install::plan(&registry, &target, &options).map(|plan| plan.to_string())
        } else {
            install::install(&registry, &target, &options).map(|report| report.to_string())
        };
        Ok(show(done, "everything is up to date"))
    }
}

/// Prints the steps of a plan or a report, or says that there are none.
pub(crate) fn show(steps: Result<String, install::InstallError>, none: &str) -> ExitCode {
    match steps {
        Ok(steps) => {
            if steps.is_empty() {
                terminal::problem(none);
            }
            terminal::data(&steps)
        }
        Err(error) => failure::installation(&error),
    }
}
