//! `skills outdated`: lists locked skills whose sources have changed.

use std::collections::BTreeMap;

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::output::Output;
use skills_sources::{Offer, Source, SourceError, update};

use super::output;
use super::{announce, cached, failed, newest_revision, offer, project};

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
        announce(state.lock.skills().map(|locked| &locked.source));
        for locked in state.lock.skills() {
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
        Ok(output::problems(&lines, &self.output))
    }
}
