//! Files that replace those on disk: texts of an editor, or files after a fix.

use std::io;
use std::path::{Path, PathBuf};

use skills_text::sort;

use super::inside::RealRoot;
use super::listing::{EntryType, ListedEntry, Listing};

/// Files that are read instead of those on disk, sorted by their real paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay(Vec<(PathBuf, Option<Overlaid>)>);

/// A file that is read instead of one on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlaid {
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Whether its mode has the executable bit.
    pub executable: bool,
}

impl Overlay {
    /// Adds a file that is read instead of the file on disk. The path must be a real path without links.
    pub fn insert(&mut self, path: PathBuf, file: Overlaid) {
        self.set(path, Some(file));
    }

    /// Hides a file on disk.
    pub fn hide(&mut self, path: PathBuf) {
        self.set(path, None);
    }

    fn set(&mut self, path: PathBuf, file: Option<Overlaid>) {
        match self.find(&path) {
            Ok(at) => self.0[at].1 = file,
            Err(at) => self.0.insert(at, (path, file)),
        }
    }

    /// Returns the position of a path, or the position at which to insert it.
    fn find(&self, path: &Path) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.as_path().cmp(path))
    }

    /// Removes the entry of a path, so that the disk is visible again.
    pub fn clear(&mut self, path: &Path) {
        if let Ok(at) = self.find(path) {
            self.0.remove(at);
        }
    }

    /// Returns the entry of a path: `Some(Some(file))`, `Some(None)` for a hidden file, or `None` if the disk
    /// is read.
    pub fn get(&self, path: &Path) -> Option<Option<&Overlaid>> {
        self.find(path).ok().map(|at| self.0[at].1.as_ref())
    }

    /// Returns all paths, sorted, each with its file or `None` if it is hidden.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, Option<&Overlaid>)> {
        self.0.iter().map(|(path, file)| (path.as_path(), file.as_ref()))
    }

    /// Returns `true` if it has no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if it has a file below a directory.
    pub(super) fn is_below(&self, directory: &Path) -> bool {
        self.0.iter().any(|(path, file)| file.is_some() && path.starts_with(directory))
    }

    /// Lists a directory with the overlay applied; `inode` is its number in the listing of its parent.
    pub(super) fn list(&self, root: &RealRoot, directory: &Path, inode: Option<u64>) -> io::Result<Listing> {
        let listed = root.list(directory, inode);
        if self.0.is_empty() {
            return listed;
        }
        let start = self.find(directory).map_or_else(|at| at, |at| at + 1);
        let count = self.0[start..].iter().take_while(|(path, _)| path.starts_with(directory)).count();
        let below = &self.0[start..start + count];
        let mut listing = match listed {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !below.is_empty() => Listing::default(),
            other => other?,
        };
        let mut on_disk = listing.entries.len();
        for (path, file) in below {
            let mut parts = path.strip_prefix(directory).into_iter().flat_map(Path::components);
            let Some(name) = parts.next().and_then(|part| part.as_os_str().to_str()) else { continue };
            let is_file = parts.next().is_none();
            // The overlay is sorted, so a name that was already added is the last one.
            let known = match listing.entries.split_last() {
                Some((last, rest)) if last.name == name => Some(rest.len()),
                _ => listing.entries.iter().take(on_disk).position(|entry| entry.name == name),
            };
            match (file, known) {
                (None, Some(at)) if is_file => {
                    on_disk -= usize::from(at < on_disk);
                    listing.entries.remove(at);
                }
                // An entry that also exists on disk keeps its type, because it may be a link.
                (Some(_), None) => {
                    let kind = if is_file { EntryType::File } else { EntryType::Directory };
                    listing.entries.push(ListedEntry { name: name.to_owned(), kind, inode: None });
                }
                _ => {}
            }
        }
        sort(&mut listing.entries, &|a, b| a.name.cmp(&b.name));
        Ok(listing)
    }
}
