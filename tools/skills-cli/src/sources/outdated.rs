//! `skills outdated`: lists locked skills whose sources have changed.

use std::collections::BTreeMap;

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::output::Output;
use skills_sources::{Offer, Source, SourceError, current, update};

use super::output;
use super::{failed, offer, project};

#[derive(Debug, Args)]
pub(crate) struct Outdated {
    #[command(flatten)]
    output: Output,
}

impl Outdated {
    /// Asks each source for its newest revision, and prints a line for each skill that is locked at another
    /// revision.
    pub(crate) fn run(&self) -> Ended {
        let project = project()?;
        let state = project.state(None).map_err(failed)?;
        let mut newest: BTreeMap<&Source, Option<String>> = BTreeMap::new();
        let mut offers: BTreeMap<&Source, Offer> = BTreeMap::new();
        let mut lines = Vec::new();
        for locked in state.lock.skills() {
            let (name, source) = (&locked.name, &locked.source);
            if let Source::Directory(_) = source {
                if !offers.contains_key(source) {
                    offers.insert(source, offer(source, &project, None).map_err(failed)?);
                }
                match offers.get(source).map(|offer| update(locked, offer, &state)) {
                    None | Some(Ok(None)) => {}
                    // The source may have changed even if the local copy was edited.
                    Some(Ok(Some(_)) | Err(SourceError::Conflict(_))) => {
                        lines.push(format!("{name}: {source} has changed"));
                    }
                    Some(Err(error)) => return Err(failed(error)),
                }
                continue;
            }
            if !newest.contains_key(source) {
                newest.insert(source, current(source, &project).map_err(failed)?);
            }
            let now = newest.get(source).cloned().flatten();
            if let (Some(before), Some(now)) =
                (&locked.revision, now.filter(|now| Some(now) != locked.revision.as_ref()))
            {
                lines.push(format!("{name}: {source} {before} -> {now}"));
            }
        }
        Ok(output::problems(&lines, &self.output))
    }
}
