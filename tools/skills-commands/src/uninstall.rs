//! `uninstall`: removes the files that `install` wrote, and nothing else.

use clap::Args;
use skills_install::InstallOptions;

use crate::failure::{self, Ended};
use crate::install::{FOLDER, show};
use crate::output::Output;
use crate::steps::{Step, Steps};
use crate::target::Target;

#[derive(Debug, Args)]
pub struct Uninstall {
    /// Remove only these skills [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    target: Target,
    /// Show what would change without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Also move files that were edited at the target, to `.bak`
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
}

impl Uninstall {
    /// Removes the skills of a bundle and prints a line for each file that was removed or kept.
    pub fn run(&self, bundle: &str) -> Ended {
        let options = InstallOptions::new(bundle).names(&self.names).force(self.force);
        let options = self.target.confined(options)?;
        let mut steps = Steps::new(&self.output);
        let code = self.target.each(|target| {
            let done = if self.dry_run {
                skills_install::plan_removal(target, &options)
                    .map(|plan| Step::installed(plan.steps(), FOLDER))
            } else {
                skills_install::uninstall(target, &options)
                    .map(|report| Step::installed(report.steps(), FOLDER))
            };
            show(done, target, &mut steps, &format!("no skill of `{bundle}` is installed here"))
        })?;
        Ok(failure::first(code, steps.end(!self.dry_run)))
    }
}
