//! `skills update --check`: lists locked skills whose sources have changed.

use std::collections::BTreeMap;

use skills_commands::failure::Ended;
use skills_commands::output::Output;
use skills_sources::{Offer, Source, SourceError, update};

use super::output::problems;
use super::{announce, cached, failed, newest_revision, offer, project};

/// Asks the source of each named skill for its newest revision, and prints a line for each skill that is locked at another
/// revision.
pub(super) fn check(names: &[String], output: &Output) -> Ended {
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
