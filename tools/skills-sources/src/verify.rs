//! Compares the tree, the lock file and the sources, without the network.

use std::collections::BTreeMap;

use crate::{Locked, Project, ProjectState, Source, SourceError, Tree, installed};

/// Returns a line for each difference. A commit of a repository cannot change, so repositories are not checked. A
/// package is compared by its installed version, and a directory by its files. Sources that are not on this machine
/// are not checked.
///
/// # Errors
/// Returns an error if the lock file is damaged.
pub fn verify(project: &Project) -> Result<Vec<String>, SourceError> {
    let mut lines = Vec::new();
    if project.is_interrupted() {
        lines.push("a change was interrupted: `skills sync` completes it".to_owned());
    }
    let ProjectState { lock, tree } = project.state(None)?;
    let mut sources: BTreeMap<&Source, SourceFacts> = BTreeMap::new();
    for locked in lock.skills() {
        match tree.get(&locked.directory) {
            None => lines.push(format!("{} is missing: `skills sync` restores it", locked.directory)),
            Some(found) if *found == locked.files => {}
            Some(found) => {
                let changes = locked.files.compare(found);
                let directory = &locked.directory;
                lines.extend(changes.0.to_string().lines().map(|line| format!("{directory}: {line}")));
            }
        }
        let known =
            sources.entry(&locked.source).or_insert_with(|| SourceFacts::read(project, &locked.source));
        lines.extend(known.disagreement(locked).map(|reason| format!("`{}`: {reason}", locked.name)));
    }
    Ok(lines)
}

/// The facts that are known about a source without the network. Each source is read once for all of its
/// skills.
enum SourceFacts {
    /// There is nothing to compare: the source cannot differ, or is not on this machine.
    Nothing,
    /// The versions of a package that are installed.
    Versions(Vec<String>),
    /// The skills of a directory.
    Skills(Tree),
}

impl SourceFacts {
    fn read(project: &Project, source: &Source) -> Self {
        match source {
            Source::Git { .. } => Self::Nothing,
            Source::Package { kind, name, .. } => Self::Versions(installed::versions(project, *kind, name)),
            Source::Directory(path) => match project.path().join(path) {
                path if path.is_dir() => Self::Skills(Tree::of_source(&path)),
                _ => Self::Nothing,
            },
        }
    }

    /// Returns how the source differs from the lock file.
    fn disagreement(&self, locked: &Locked) -> Option<String> {
        let (source, name) = (&locked.source, &locked.name);
        match self {
            Self::Nothing => None,
            Self::Versions(versions) => {
                let revision = locked.revision.as_ref()?;
                (!versions.is_empty() && !versions.contains(revision)).then(|| {
                    format!("{source} is {} now, not {revision}: `skills update {name}`", versions.join(", "))
                })
            }
            Self::Skills(tree) => (tree.get(&locked.path) != Some(&locked.files))
                .then(|| format!("{source} has changed: `skills update {name}`")),
        }
    }
}
