//! The walk over a directory: what is exchanged on the way leads nowhere else.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use skills_files::{Dir, Kind, Root};

use super::{Gathered, MAX_DEPTH, Unfit, UnfitReason};

/// Reads the directory that the caller names; links on the way to it are the caller's.
pub(super) fn read(root: &Path, found: &mut Gathered<'_>) -> Result<(), Unfit> {
    let root = Root::open(root).map_err(|error| unreadable("", error))?;
    Walk { root: &root, found }.directory(root.dir(), "", 0)
}

struct Walk<'a, 'r> {
    root: &'a Root,
    found: &'a mut Gathered<'r>,
}

impl Walk<'_, '_> {
    fn directory(&mut self, directory: &Dir, above: &str, depth: usize) -> Result<(), Unfit> {
        if depth > MAX_DEPTH {
            return Err(Unfit { path: above.to_owned(), reason: UnfitReason::TooDeep });
        }
        for name in directory.names().map_err(|error| unreadable(above, error))? {
            let path = self.found.path(above, name.to_str().ok_or(name.as_encoded_bytes()))?;
            if !self.found.is_ignored(&path) {
                self.entry(directory, &name, &path, depth)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, directory: &Dir, name: &OsStr, path: &str, depth: usize) -> Result<(), Unfit> {
        let fault = |error| unreadable(path, error);
        let special = || Unfit { path: path.to_owned(), reason: UnfitReason::Special };
        let gone = || fault(io::ErrorKind::NotFound.into());
        match directory.metadata(name).map_err(fault)?.ok_or_else(gone)?.kind {
            Kind::Directory => self.directory(&directory.open_dir(name).map_err(fault)?, path, depth + 1),
            Kind::Link => self.found.link(self.root, path, &directory.read_link(name).map_err(fault)?),
            Kind::File => {
                let file = directory.open_file(name).map_err(|error| match error.kind() {
                    io::ErrorKind::InvalidInput => special(),
                    _ => fault(error),
                })?;
                let size = file.metadata().map_err(fault)?.len();
                self.found.room(path, size)?;
                self.found.add(path, file)
            }
            Kind::Other => Err(special()),
        }
    }
}

fn unreadable(path: &str, error: io::Error) -> Unfit {
    Unfit { path: path.to_owned(), reason: UnfitReason::Unreadable(error) }
}
