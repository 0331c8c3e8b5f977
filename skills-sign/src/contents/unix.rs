//! Reads a directory by descriptors, so that replacing a path during the walk cannot redirect it.

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{CWD, Dir, FileType, Mode, OFlags, fstat, openat, readlinkat};
use rustix::io::Errno;

use super::{Gathered, MAX_DEPTH, Unfit, UnfitReason};

/// Reads the directory that the caller names. Links in its path are followed.
pub(super) fn read(root: &Path, found: &mut Gathered<'_>) -> Result<(), Unfit> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = openat(CWD, root, flags, Mode::empty()).map_err(|error| unreadable("", error))?;
    Walk { root, found }.directory(&directory, "", 0)
}

struct Walk<'a, 'r> {
    root: &'a Path,
    found: &'a mut Gathered<'r>,
}

impl Walk<'_, '_> {
    fn directory(&mut self, directory: &OwnedFd, above: &str, depth: usize) -> Result<(), Unfit> {
        if depth > MAX_DEPTH {
            return Err(Unfit { path: above.to_owned(), reason: UnfitReason::TooDeep });
        }
        for entry in Dir::read_from(directory).map_err(|error| unreadable(above, error))? {
            let entry = entry.map_err(|error| unreadable(above, error))?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let path = self.found.path(above, std::str::from_utf8(name).map_err(|_| name))?;
            if !self.found.is_ignored(&path) {
                self.entry(directory, OsStr::from_bytes(name), &path, depth)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, directory: &OwnedFd, name: &OsStr, path: &str, depth: usize) -> Result<(), Unfit> {
        // Opened before its type is checked, so that the checked file is the one that is read. A pipe does
        // not block.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = match openat(directory, name, flags, Mode::empty()) {
            Ok(opened) => opened,
            Err(Errno::LOOP | Errno::MLINK) => {
                let target =
                    readlinkat(directory, name, Vec::new()).map_err(|error| unreadable(path, error))?;
                return self.found.link(self.root, path, target.as_bytes());
            }
            // A socket, or a device without a driver.
            Err(Errno::NXIO | Errno::OPNOTSUPP) => {
                return Err(Unfit { path: path.to_owned(), reason: UnfitReason::Special });
            }
            Err(error) => return Err(unreadable(path, error)),
        };
        let stat = fstat(&opened).map_err(|error| unreadable(path, error))?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => self.directory(&opened, path, depth + 1),
            FileType::RegularFile => {
                self.found.room(path, u64::try_from(stat.st_size).unwrap_or_default())?;
                self.found.add(path, File::from(opened))
            }
            _ => Err(Unfit { path: path.to_owned(), reason: UnfitReason::Special }),
        }
    }
}

fn unreadable(path: &str, error: Errno) -> Unfit {
    Unfit { path: path.to_owned(), reason: UnfitReason::Unreadable(error.into()) }
}
