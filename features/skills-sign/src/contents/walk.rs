//! Walks through a directory by descriptors, so that a directory that is exchanged meanwhile cannot lead
//! elsewhere.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;

use skills_files::{Dir, FileKind, Root};

use super::copy::{Copied, CopyTo};
use super::{Gathered, Links, MAX_DEPTH, Unfit, UnfitReason};

/// Reads the directory that the caller names, and copies the wanted files. Links on the way to the directory
/// are followed.
pub(super) fn read(root: &Path, found: &mut Gathered<'_>, to: Option<&CopyTo<'_>>) -> Result<(), Unfit> {
    let root = Root::open(root).map_err(|error| unreadable("", error))?;
    let open = |to| Ok(Copied { to, root: root.path(), directory: Dir::open(to.path)? });
    let copy = to.map(open).transpose().map_err(|error| uncopied("", error))?;
    Walk { root: &root, found, device: None }.directory(root.dir(), "", 0, copy.as_ref())
}

struct Walk<'a, 'r> {
    root: &'a Root,
    found: &'a mut Gathered<'r>,
    /// The file system of a directory to which a link led, while its files are read.
    device: Option<u64>,
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
            FileKind::Directory
                if self.device.is_some_and(|own| metadata.id.is_some_and(|(device, _)| device != own)) =>
            {
                Err(Unfit { path: path.to_owned(), reason: UnfitReason::OtherDevice })
            }
            FileKind::Directory => {
                let inner = directory.open_dir(name).map_err(fault)?;
                let copy = copy.map(|copy| copy.directory(name)).transpose().map_err(uncopied)?;
                self.directory(&inner, path, depth + 1, copy.as_ref())
            }
            FileKind::Link => {
                let target = directory.read_link(name).map_err(fault)?;
                copy.map(|copy| copy.link(name, above, &target)).transpose().map_err(uncopied)?;
                self.link(path, &target, depth)
            }
            FileKind::File => {
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
            FileKind::Other => Err(special()),
        }
    }

    /// Adds a link: as a file that holds its target, or as the file that it leads to.
    fn link(&mut self, path: &str, target: &[u8], depth: usize) -> Result<(), Unfit> {
        let fault = |reason| Unfit { path: path.to_owned(), reason };
        match self.found.rules.links {
            Links::Refuse => Err(fault(UnfitReason::Link)),
            Links::Record => self.record(path, &[b"link\0".as_slice(), target].concat(), depth),
            Links::Follow => {
                let file = self.root.open_file(Path::new(path)).map_err(|_| fault(UnfitReason::LinkAway))?;
                self.found.add(path, file, None)
            }
        }
    }

    /// Adds a link as a file with the given text, and the contents of its target if they do not count otherwise.
    fn record(&mut self, path: &str, text: &[u8], depth: usize) -> Result<(), Unfit> {
        // A name that was escaped does not lead to the link.
        if path.contains('\0') {
            return Err(Unfit { path: path.to_owned(), reason: UnfitReason::Name });
        }
        let real = match self.root.path().join(path).canonicalize() {
            Ok(real) if self.found.has_counted(self.root.path(), &real) => {
                return self.found.add(path, text, None);
            }
            Ok(real) => real,
            // Nothing is there. If something is created there, the digest changes.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return self.found.add(path, text, None);
            }
            Err(error) => return Err(unreadable(path, error)),
        };
        let fault = |error| unreadable(path, error);
        // Files of `/proc` and the like may have no end, or block a reader.
        let device = device(&real).map_err(fault)?;
        if device != self::device(self.root.path()).map_err(fault)? {
            return Err(Unfit { path: path.to_owned(), reason: UnfitReason::OtherDevice });
        }
        if real.is_dir() {
            self.found.add(path, text, None)?;
            self.found.followed.push(real.clone());
            let before = self.device.replace(device);
            self.directory(&Dir::open(&real).map_err(fault)?, path, depth + 1, None)?;
            self.device = before;
            return Ok(());
        }
        let (Some(above), Some(name)) = (real.parent(), real.file_name()) else {
            return Err(fault(io::ErrorKind::InvalidInput.into()));
        };
        let file = Dir::open(above).and_then(|above| above.open_file(name));
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => Unfit { path: path.to_owned(), reason: UnfitReason::Special },
            _ => fault(error),
        })?;
        self.found.room(path, file.metadata().map_err(fault)?.len())?;
        self.found.add(path, text.chain([0].as_slice()).chain(file), None)
    }
}

/// Returns the number of the file system that contains a path.
#[cfg(unix)]
fn device(path: &Path) -> io::Result<u64> {
    Ok(std::os::unix::fs::MetadataExt::dev(&path.metadata()?))
}

/// Returns 0 on a system without such numbers.
#[cfg(not(unix))]
fn device(_: &Path) -> io::Result<u64> {
    Ok(0)
}

fn unreadable(path: &str, error: io::Error) -> Unfit {
    Unfit { path: path.to_owned(), reason: UnfitReason::Unreadable(error) }
}

fn uncopied(path: &str, error: io::Error) -> Unfit {
    Unfit { path: path.to_owned(), reason: UnfitReason::Uncopied(error) }
}
