//! Compares the tree, the lock file and the sources, without the network.

use skills_core::options::Options;

use crate::{Locked, Project, Source, SourceError, State, check, fetch, installed};

/// Returns a line for each disagreement. A repository at a commit cannot change, so it is not asked. A package is compared
/// by its installed version, a directory by its files, and neither if it is not on this machine.
///
/// # Errors
/// Returns an error if the lock file is damaged.
pub fn verify(project: &Project, options: &Options) -> Result<Vec<String>, SourceError> {
    let mut lines = Vec::new();
    if project.is_interrupted() {
        lines.push("a change was interrupted: `skills sync` completes it".to_owned());
    }
    let State { lock, tree } = project.state(None)?;
    for locked in lock.skills() {
        match tree.get(&locked.directory) {
            None => lines.push(format!("{} is missing: `skills sync` restores it", locked.directory)),
            Some(found) => {
                let changes = locked.files.compare(found);
                let directory = &locked.directory;
                lines.extend(changes.0.to_string().lines().map(|line| format!("{directory}: {line}")));
            }
        }
        lines.extend(disagreement(project, locked, options));
    }
    Ok(lines)
}

/// Returns how the source of a skill differs from the lock file.
fn disagreement(project: &Project, locked: &Locked, options: &Options) -> Option<String> {
    let (source, name) = (&locked.source, &locked.name);
    match source {
        Source::Git { .. } => None,
        Source::Package { kind, name: package, .. } => {
            let versions = installed::versions(project, *kind, package);
            let revision = locked.revision.as_ref()?;
            (!versions.is_empty() && !versions.contains(revision)).then(|| {
                format!(
                    "`{name}`: {source} is {} now, not {revision}: `skills update {name}`",
                    versions.join(", ")
                )
            })
        }
        Source::Directory(path) => {
            if !project.path().join(path).is_dir() {
                return None;
            }
            let offer = fetch(source, project, None).and_then(|fetched| check(&fetched, options));
            match offer {
                Err(error) => Some(format!("`{name}`: {error}")),
                Ok(offer) => match offer.valid(name) {
                    None => Some(format!("`{name}`: {source} does not have it without errors")),
                    Some(skill) => {
                        let changes = locked.files.compare(&skill.states());
                        (!changes.is_empty())
                            .then(|| format!("`{name}`: {source} has changed: `skills update {name}`"))
                    }
                },
            }
        }
    }
}
