//! Walks through a directory by descriptors, so that a directory that is exchanged meanwhile cannot lead
//! elsewhere.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use skills_files::{Dir, Kind, Root};

use super::copy::{Copied, CopyTo};
use super::{Gathered, MAX_DEPTH, Unfit, UnfitReason};

/// Reads the directory that the caller names, and copies the wanted files. Links on the way to the directory
/// are followed.
pub(super) fn read(root: &Path, found: &mut Gathered<'_>, to: Option<&CopyTo<'_>>) -> Result<(), Unfit> {
    let root = Root::open(root).map_err(|error| unreadable("", error))?;
    let open = |to| Ok(Copied { to, root: root.path(), directory: Dir::open(to.path)? });
    let copy = to.map(open).transpose().map_err(|error| uncopied("", error))?;
    Walk { root: &root, found }.directory(root.dir(), "", 0, copy.as_ref())
}

struct Walk<'a, 'r> {
    root: &'a Root,
    found: &'a mut Gathered<'r>,
}

impl Walk<'_, '_> {
    fn directory(
        &mut self,
        directory: &Dir,
        above: &str,
        depth: usize,
        copy: Option<&Copied<'_>>,
    ) -> Result<(), Unfit> {
        if depth > MAX_DEPTH {
            return Err(Unfit { path: above.to_owned(), reason: UnfitReason::TooDeep });
        }
        for name in directory.names().map_err(|error| unreadable(above, error))? {
            let path = self.found.path(above, name.to_str().ok_or(name.as_encoded_bytes()))?;
            if !self.found.is_ignored(&path) {
                let copy = copy.filter(|copy| (copy.to.wanted)(&path));
                self.entry(directory, &name, (above, &path), depth, copy)?;
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        directory: &Dir,
        name: &OsStr,
        (above, path): (&str, &str),
        depth: usize,
        copy: Option<&Copied<'_>>,
    ) -> Result<(), Unfit> {
        let uncopied = |error| uncopied(path, error);
        let fault = |error| unreadable(path, error);
        let special = || Unfit { path: path.to_owned(), reason: UnfitReason::Special };
        let gone = || fault(io::ErrorKind::NotFound.into());
        let metadata = directory.metadata(name).map_err(fault)?.ok_or_else(gone)?;
        match metadata.kind {
            Kind::Directory => {
                let inner = directory.open_dir(name).map_err(fault)?;
                let copy = copy.map(|copy| copy.directory(name)).transpose().map_err(uncopied)?;
                self.directory(&inner, path, depth + 1, copy.as_ref())
            }
            Kind::Link => {
                let target = directory.read_link(name).map_err(fault)?;
                copy.map(|copy| copy.link(name, above, &target)).transpose().map_err(uncopied)?;
                self.found.link(self.root, path, &target)
            }
            Kind::File => {
                let file = directory.open_file(name).map_err(|error| match error.kind() {
                    io::ErrorKind::InvalidInput => special(),
                    _ => fault(error),
                })?;
                let size = file.metadata().map_err(fault)?.len();
                self.found.room(path, size)?;
                let executable = metadata.is_executable.unwrap_or_default();
                let copy = copy.map(|copy| copy.file(name, executable)).transpose().map_err(uncopied)?;
                self.found.add(path, file, copy)
            }
            Kind::Other => Err(special()),
        }
    }
}

fn unreadable(path: &str, error: io::Error) -> Unfit {
    Unfit { path: path.to_owned(), reason: UnfitReason::Unreadable(error) }
}

fn uncopied(path: &str, error: io::Error) -> Unfit {
    Unfit { path: path.to_owned(), reason: UnfitReason::Uncopied(error) }
}
