//! Roots become watches of the system, which are renewed when a root goes and comes again; `watch` calls it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use notify::{Event, EventHandler, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher};

/// The watches in force.
pub(super) struct Armed {
    watcher: RecommendedWatcher,
    roots: Vec<PathBuf>,
    /// Where the roots are, and where links to them are, without links above them: as events name them.
    places: Vec<PathBuf>,
    /// Every watched path, and whether what is below it is watched too.
    watched: BTreeMap<PathBuf, bool>,
}

/// What an event means for the skills.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touch {
    /// Something below a root may have changed.
    pub(super) relevant: bool,
    /// A root itself came, went or was exchanged.
    pub(super) rearm: bool,
}

impl Armed {
    /// Watches roots, and for each the directory above it, so that it is seen when it comes again.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn new(roots: Vec<PathBuf>, tell: impl EventHandler) -> notify::Result<Self> {
        let watcher = recommended_watcher(tell)?;
        let mut armed = Self { watcher, roots, places: Vec::new(), watched: BTreeMap::new() };
        armed.renew(true)?;
        Ok(armed)
    }

    /// Watches what there is now; `anew` when a root was exchanged, since the system still watches the old one.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn renew(&mut self, anew: bool) -> notify::Result<()> {
        self.places = self.roots.iter().flat_map(|root| [real(root), place(root)]).flatten().collect();
        let wanted = wanted(&self.roots);
        if !anew && wanted == self.watched {
            return Ok(());
        }
        for path in std::mem::take(&mut self.watched).keys() {
            // A path that is gone is not watched any more.
            self.watcher.unwatch(path).ok();
        }
        for (path, below) in wanted {
            let mode = if below { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(&path, mode) {
                Ok(()) => self.watched.insert(path, below),
                // It went away since it was looked at, and the one above it is watched.
                Err(_) if !path.exists() => continue,
                Err(error) => return Err(error),
            };
        }
        Ok(())
    }

    /// Tells what an event means.
    pub(super) fn judge(&self, event: &Event) -> Touch {
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

/// The real path of each root that exists, with all below it; and the nearest directory above each root, alone.
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

/// Returns a path without links.
fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Returns a path without links but at its end, as far as it exists.
fn place(root: &Path) -> Option<PathBuf> {
    let (above, real) = root.ancestors().skip(1).find_map(|above| Some((above, real(above)?)))?;
    Some(real.join(root.strip_prefix(above).ok()?))
}
