//! `skills uninstall`: what `skills install` wrote goes again, and nothing else (SPEC 9.1).

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use skills_runtime::install::{self, InstallOptions};

use crate::bundle;
use crate::install::show;
use crate::source::Source;
use crate::target::Target;

/// The arguments of `skills uninstall`.
#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    /// Only these skills
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The directory that the skills were installed from; it need not exist any more
    #[arg(long, value_name = "SRC", required_unless_present = "known_as")]
    dir: Option<PathBuf>,
    /// The name that the lock file at the target knows the skills by [default: the last two parts of SRC]
    #[arg(long = "as", value_name = "BUNDLE")]
    known_as: Option<String>,
    #[command(flatten)]
    target: Target,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Rename files that were edited at the target to `.bak`, too
    #[arg(long)]
    force: bool,
}

impl Uninstall {
    /// Removes the skills and prints a line for each file that was removed or kept.
    ///
    /// # Errors
    /// There is no home directory to look into.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let target = self.target.path()?;
        let from = self.dir.map(|dir| bundle::name(&Source::from(dir).path()));
        let bundle = self.known_as.or(from).ok_or("no skills are given: name them by `--dir` or `--as`")?;
        let options = InstallOptions::new(bundle.as_str()).names(&self.names).force(self.force);
        let done = if self.dry_run {
            install::plan_removal(&target, &options).map(|plan| plan.to_string())
        } else {
            install::uninstall(&target, &options).map(|report| report.to_string())
        };
        Ok(show(done, &format!("no skill of `{bundle}` is installed here")))
    }
}
