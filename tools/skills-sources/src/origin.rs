//! Finds the lock entries of skills on disk, for lists of skills.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{LOCK_FILE, Lock, Locked, Project};

/// Returns the entries of those directories of skills that came from other projects. The lock file is the nearest one,
/// up to the root of the repository; a damaged one has no entries.
pub fn origins(directories: impl IntoIterator<Item = PathBuf>) -> BTreeMap<PathBuf, Locked> {
    let mut projects: BTreeMap<PathBuf, Option<PathBuf>> = BTreeMap::new();
    let mut locks: BTreeMap<PathBuf, BTreeMap<String, Locked>> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for directory in directories {
        let Ok(real) = directory.canonicalize() else { continue };
        let Some(folder) = real.parent() else { continue };
        let project = projects.entry(folder.to_owned()).or_insert_with(|| nearest(folder));
        let Some(project) = project else { continue };
        let lock = locks.entry(project.clone()).or_insert_with(|| entries(project));
        let below =
            real.strip_prefix(&*project).ok().and_then(Path::to_str).map(|path| path.replace('\\', "/"));
        if let Some(locked) = below.and_then(|below| lock.get(&below)) {
            found.insert(directory, locked.clone());
        }
    }
    found
}

fn nearest(folder: &Path) -> Option<PathBuf> {
    for above in folder.ancestors() {
        if above.join(LOCK_FILE).is_file() {
            return Some(above.to_owned());
        }
        if above.join(".git").exists() {
            break;
        }
    }
    None
}

/// Returns the entries of a lock file by their directories.
fn entries(project: &Path) -> BTreeMap<String, Locked> {
    let lock: Lock = Project::open(project).and_then(|project| project.lock()).unwrap_or_default();
    lock.skills().map(|locked| (locked.directory.clone(), locked.clone())).collect()
}
