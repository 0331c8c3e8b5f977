//! `uninstall`: removes the files that `install` wrote, and nothing else.

use clap::Args;
use skills_install::InstallOptions;

use crate::failure::Ended;
use crate::install::show;
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
}

impl Uninstall {
    /// Removes the skills of a bundle and prints a line for each file that was removed or kept.
    pub fn run(&self, bundle: &str) -> Ended {
        let options = InstallOptions::new(bundle).names(&self.names).force(self.force);
        let options = self.target.confined(options)?;
        self.target.each(|target| {
            let done = if self.dry_run {
                skills_install::plan_removal(target, &options).map(|plan| plan.to_string())
            } else {
                skills_install::uninstall(target, &options).map(|report| report.to_string())
            };
            show(done, &format!("no skill of `{bundle}` is installed here"))
        })
    }
}
