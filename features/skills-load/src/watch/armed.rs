//! Watches the root directories, and renews the watches when a root disappears and reappears.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use notify::{Event, EventHandler, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};

/// The active watches.
pub(super) struct Armed {
    watcher: RecommendedWatcher,
    roots: Vec<PathBuf>,
    /// The paths of the roots and of links to them. Links in their parent directories are resolved, as in the
    /// paths of events.
    places: Vec<PathBuf>,
    /// Every watched path, and whether it is watched recursively.
    watched: BTreeMap<PathBuf, bool>,
}

/// The meaning of an event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touch {
    /// Something below a root may have changed.
    pub(super) relevant: bool,
    /// A root itself appeared, disappeared or was replaced.
    pub(super) rearm: bool,
}

impl Armed {
    /// Watches roots, and the parent directory of each, so that a new root is noticed.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn new(roots: Vec<PathBuf>, handler: impl EventHandler) -> notify::Result<Self> {
        let watcher = recommended_watcher(handler)?;
        let mut armed = Self { watcher, roots, places: Vec::new(), watched: BTreeMap::new() };
        armed.renew(true)?;
        Ok(armed)
    }

    /// Watches the directories that currently exist. Set `anew` if a root was replaced, since the system
    /// still watches the old one.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn renew(&mut self, anew: bool) -> notify::Result<()> {
        self.places = self.roots.iter().flat_map(|root| [real(root), place(root)]).flatten().collect();
        let wanted = wanted(&self.roots);
        if !anew && wanted == self.watched {
            return Ok(());
        }
        for path in std::mem::take(&mut self.watched).keys() {
            // Removing the watch of a deleted path may fail.
            self.watcher.unwatch(path).ok();
        }
        for (path, below) in wanted {
            let mode = if below { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(&path, mode) {
                Ok(()) => self.watched.insert(path, below),
                // The path was deleted after it was found. Its parent is watched.
                Err(_) if !path.exists() => continue,
                Err(error) => return Err(error),
            };
        }
        Ok(())
    }

    /// Returns the meaning of an event.
    pub(super) fn classify(&self, event: &Event) -> Touch {
        if event.kind.is_access() {
            return Touch::default();
        }
        if event.need_rescan() || event.paths.is_empty() {
            return Touch { relevant: true, rearm: true };
        }
        let mut touch = Touch::default();
        for (path, place) in
            event.paths.iter().flat_map(|path| self.places.iter().map(move |place| (path, place)))
        {
            touch.rearm |= place.starts_with(path);
            touch.relevant |= path.starts_with(place) || place.starts_with(path);
        }
        touch
    }
}

/// Returns the real path of each existing root, watched recursively, and the nearest existing directory above
/// each root, watched alone.
fn wanted(roots: &[PathBuf]) -> BTreeMap<PathBuf, bool> {
    let mut wanted: BTreeMap<PathBuf, bool> = roots
        .iter()
        .filter_map(|root| real(root))
        .filter(|root| root.is_dir())
        .map(|root| (root, true))
        .collect();
    let trees: Vec<PathBuf> = wanted.keys().cloned().collect();
    for root in roots {
        let Some(above) = root.ancestors().skip(1).find_map(real) else { continue };
        if !trees.iter().any(|tree| above.starts_with(tree)) {
            wanted.insert(above, false);
        }
    }
    wanted
}

/// Returns a path with all links resolved.
fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Returns a path with all links resolved except the last component, as far as it exists.
fn place(root: &Path) -> Option<PathBuf> {
    let (above, real) = root.ancestors().skip(1).find_map(|above| Some((above, real(above)?)))?;
    Some(real.join(root.strip_prefix(above).ok()?))
}
