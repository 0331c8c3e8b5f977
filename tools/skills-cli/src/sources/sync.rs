//! `skills sync`: restores the files that `skills.lock` describes, or checks that they are unchanged.

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::output::OutputArgs;
use skills_sources::{Change, Locked, Offer, Project, ProjectState, Source, restore, verify};

use super::output;
use super::{Proposal, announce, dependencies, failed, offer, project, project_to_change};

#[derive(Debug, Args)]
pub(crate) struct Sync {
    /// Only check, without the network: exit with 1 if the skills, skills.lock and the sources disagree
    #[arg(long)]
    locked: bool,
    /// Also add and update the skills of crates, npm packages and Python packages that the project depends on
    #[arg(long, conflicts_with = "locked")]
    dependencies: bool,
    /// Add and update the skills of dependencies without asking
    #[arg(short, long, requires = "dependencies")]
    yes: bool,
    /// Show what would change without writing anything
    #[arg(long, conflicts_with = "locked")]
    dry_run: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Sync {
    /// Restores missing files at the locked revisions, or checks.
    pub(crate) fn run(&self) -> Ended {
        if self.locked {
            let problems = verify(&project()?).map_err(failed)?;
            return Ok(output::problems(&problems, &self.output));
        }
        let project = project_to_change(self.dry_run)?;
        let state = project.state(None).map_err(failed)?;
        let (mut change, mut offers) = restored(&project, &state, self.dependencies)?;
        if self.dependencies {
            let found = dependencies::changes(&project, &state, self.yes || self.dry_run)?;
            change.steps.extend(found.0.steps);
            change.left_out.extend(found.0.left_out);
            offers.extend(found.1);
        }
        let (output, dry_run) = (&self.output, self.dry_run);
        // This does not ask: the user agreed to these files when they were locked.
        let yes = self.yes || !self.dependencies;
        Proposal { project: &project, change: &change, offers: &offers, output, yes, dry_run }.run()
    }
}

/// Plans to restore all skills that differ from the lock file. Fetches each revision of a source once. `others`
/// leaves out the skills of packages, which are updated instead.
fn restored(
    project: &Project,
    state: &ProjectState,
    others: bool,
) -> Result<(Change, Vec<Offer>), std::process::ExitCode> {
    let mut change = Change::default();
    let mut offers: Vec<Offer> = Vec::new();
    let missing = state.lock.skills().filter(|locked| {
        state.tree.get(&locked.directory) != Some(&locked.files)
            && !(others && matches!(locked.source, Source::Package { .. }))
    });
    let missing: Vec<&Locked> = missing.collect();
    announce(missing.iter().map(|locked| &locked.source));
    for locked in missing {
        let fetched = offers
            .iter()
            .position(|offer| offer.source == locked.source && offer.revision == locked.revision);
        let at = match fetched {
            Some(at) => at,
            None => {
                offers.push(offer(&locked.source, project, locked.revision.as_deref()).map_err(failed)?);
                offers.len() - 1
            }
        };
        if let Some(offer) = offers.get(at) {
            change.steps.push(restore(locked, offer, state).map_err(failed)?);
        }
    }
    Ok((change, offers))
}
