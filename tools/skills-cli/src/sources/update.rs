//! `skills update`: updates locked skills to the newest revisions of their sources.

use std::collections::BTreeMap;

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::output::OutputArgs;
use skills_sources::{Change, Offer, Source, SourceError, update};

use super::output::problems;
use super::{Writing, announce, cached, failed, newest_revision, offer, project, project_to_change};

#[derive(Debug, Args)]
pub(crate) struct Update {
    /// The skills to update [default: all skills of skills.lock]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// List the skills whose sources have changed, change nothing, and exit with 1 if there are any
    #[arg(long, conflicts_with_all = ["dry_run", "yes"])]
    check: bool,
    #[command(flatten)]
    writing: Writing,
}

impl Update {
    /// Fetches the sources, shows the difference, and updates the skills if the user agrees.
    pub(crate) fn run(&self) -> Ended {
        if self.check {
            return list_outdated(&self.names, &self.writing.output);
        }
        let project = project_to_change(self.writing.dry_run)?;
        let state = project.state(None).map_err(failed)?;
        let mut offers: BTreeMap<&Source, Offer> = BTreeMap::new();
        let mut change = Change::default();
        let mut newest: BTreeMap<&Source, Option<String>> = BTreeMap::new();
        let selected = state.lock.select(&self.names).map_err(failed)?;
        announce(selected.iter().map(|locked| &locked.source));
        for locked in selected {
            // A repository is fetched only if its commit has changed.
            if let Source::Git { .. } = locked.source {
                let newest =
                    cached(&mut newest, &locked.source, || newest_revision(&locked.source, &project))?;
                if *newest == locked.revision {
                    continue;
                }
            }
            let offer = cached(&mut offers, &locked.source, || offer(&locked.source, &project, None))?;
            change.steps.extend(update(locked, offer, &state).map_err(failed)?);
        }
        let offers: Vec<Offer> = offers.into_values().collect();
        self.writing.propose(&project, &change, &offers)
    }
}

/// Asks the source of each named skill for its newest revision, and prints a line for each skill that is locked at another
/// revision.
fn list_outdated(names: &[String], output: &OutputArgs) -> Ended {
    let project = project()?;
    let state = project.state(None).map_err(failed)?;
    let mut newest: BTreeMap<&Source, Option<String>> = BTreeMap::new();
    let mut offers: BTreeMap<&Source, Offer> = BTreeMap::new();
    let mut lines = Vec::new();
    let chosen = state.lock.select(names).map_err(failed)?;
    announce(chosen.iter().map(|locked| &locked.source));
    for locked in chosen {
        let (name, source) = (&locked.name, &locked.source);
        if let Source::Directory(_) = source {
            let offer = cached(&mut offers, source, || offer(source, &project, None))?;
            match update(locked, offer, &state) {
                Ok(None) => {}
                // The source may have changed even if the local copy was edited.
                Ok(Some(_)) | Err(SourceError::Conflict(_)) => {
                    lines.push(format!("{name}: {source} has changed"));
                }
                Err(error) => return Err(failed(error)),
            }
            continue;
        }
        let now = cached(&mut newest, source, || newest_revision(source, &project))?;
        if let (Some(before), Some(now)) = (&locked.revision, now)
            && before != now
        {
            lines.push(format!("{name}: {source} {before} -> {now}"));
        }
    }
    Ok(problems(&lines, output))
}
