//! Reads a directory by paths, on systems without directory descriptors.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::{Gathered, MAX_DEPTH, Unfit, UnfitReason};

/// Reads the directory that the caller names.
pub(super) fn read(root: &Path, found: &mut Gathered<'_>) -> Result<(), Unfit> {
    directory(root, root, "", 0, found)
}

fn directory(
    root: &Path,
    at: &Path,
    above: &str,
    depth: usize,
    found: &mut Gathered<'_>,
) -> Result<(), Unfit> {
    if depth > MAX_DEPTH {
        return Err(Unfit { path: above.to_owned(), reason: UnfitReason::TooDeep });
    }
    for entry in fs::read_dir(at).map_err(|error| unreadable(above, error))? {
        let entry = entry.map_err(|error| unreadable(above, error))?;
        let name = entry.file_name();
        let lossy = name.to_string_lossy();
        let path = found.path(above, name.to_str().ok_or(lossy.as_bytes()))?;
        if found.is_ignored(&path) {
            continue;
        }
        let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
        if kind.is_symlink() {
            let target = fs::read_link(entry.path()).map_err(|error| unreadable(&path, error))?;
            found.link(root, &path, target.to_string_lossy().as_bytes())?;
        } else if kind.is_dir() {
            directory(root, &entry.path(), &path, depth + 1, found)?;
        } else if kind.is_file() {
            let file = File::open(entry.path()).map_err(|error| unreadable(&path, error))?;
            let size = file.metadata().map_err(|error| unreadable(&path, error))?.len();
            found.room(&path, size)?;
            found.add(&path, file)?;
        } else {
            return Err(Unfit { path, reason: UnfitReason::Special });
        }
    }
    Ok(())
}

fn unreadable(path: &str, error: io::Error) -> Unfit {
    Unfit { path: path.to_owned(), reason: UnfitReason::Unreadable(error) }
}
