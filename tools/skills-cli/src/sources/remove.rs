//! `skills remove`: removes skills that `add` wrote.

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::output::Output;
use skills_sources::remove;

use super::{Proposal, failed, project_to_change};

#[derive(Debug, Args)]
pub(crate) struct Remove {
    /// The skills to remove
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Show what would be removed without removing anything
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    output: Output,
}

impl Remove {
    /// Removes the skills from the tree and the lock file. It does not ask, because `skills add` can restore
    /// them.
    pub(crate) fn run(&self) -> Ended {
        let project = project_to_change(self.dry_run)?;
        let change = remove(&self.names, &project.state(None).map_err(failed)?).map_err(failed)?;
        let (output, dry_run) = (&self.output, self.dry_run);
        Proposal { project: &project, change: &change, offers: &[], output, yes: true, dry_run }.run()
    }
}
