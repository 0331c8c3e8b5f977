//! Directories in which nothing is reached through a link; all reading and writing at a target goes through them.
//!
//! On Unix a [`Dir`] is an open descriptor and every step from it is one system call that refuses links, so that a
//! link put there in the middle of a run is not followed either. Elsewhere it is a path that is looked at first.

pub(super) mod fault;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;

use skills_registry::path_below;

#[cfg(not(unix))]
pub(super) use portable::{Busy, Dir};
#[cfg(unix)]
pub(super) use unix::{Busy, Dir};

/// A SHA-256 digest.
pub(super) type Digest = [u8; 32];

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing.
    Missing,
    /// A regular file; on systems without executable bits `executable` is unknown.
    File { digest: Digest, executable: Option<bool> },
    /// A link, a directory, a device, …
    Other,
    /// Nobody knows: on the way stands something that is no directory.
    Unreachable,
}

impl Dir {
    /// Enters a directory, and makes it first when it is missing.
    pub(super) fn enter_or_make(&self, name: &OsStr) -> io::Result<Self> {
        match self.enter(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match self.make(name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => self.enter(name),
            },
            result => result,
        }
    }

    /// Tells what stands at a path below.
    pub(super) fn look_below(&self, path: &str) -> io::Result<Found> {
        let Some((first, rest)) = path.split_once('/') else {
            return self.look(path.as_ref());
        };
        match self.enter(first.as_ref()) {
            Ok(below) => below.look_below(rest),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Missing),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Found::Unreachable),
            Err(error) => Err(error),
        }
    }

    /// Tells whether a directory below holds nothing but these files, given by their paths from here, and the
    /// directories on the way to them.
    pub(super) fn holds_only(&self, path: &str, files: &BTreeSet<String>) -> io::Result<bool> {
        let leads_to = |file: &String| path_below(file, path).is_some_and(|rest| !rest.is_empty());
        if !files.iter().any(leads_to) {
            return Ok(false);
        }
        let below = match self.in_parent(path, false, &mut |parent, name| parent.enter(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(false),
            below => below?,
        };
        for name in below.names()? {
            let inner = name.to_str().map(|name| format!("{path}/{name}"));
            match inner {
                Some(inner) if files.contains(&inner) || self.holds_only(&inner, files)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Runs `then` in the directory that a path below lies in, with the path's last part.
    pub(super) fn in_parent<T>(
        &self,
        path: &str,
        make: bool,
        then: &mut dyn FnMut(&Self, &OsStr) -> io::Result<T>,
    ) -> io::Result<T> {
        let Some((first, rest)) = path.split_once('/') else {
            return then(self, path.as_ref());
        };
        let below = if make { self.enter_or_make(first.as_ref()) } else { self.enter(first.as_ref()) };
        below?.in_parent(rest, make, then)
    }

    /// Removes the directories of a path below that are empty, from the innermost out.
    pub(super) fn remove_empty_parents(&self, path: &str) -> io::Result<()> {
        let Some((first, rest)) = path.split_once('/') else {
            return Ok(());
        };
        match self.enter(first.as_ref()) {
            Ok(below) => below.remove_empty_parents(rest)?,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        self.remove_if_empty(first.as_ref())
    }

    /// Removes a directory that has nothing in it; one that has stays.
    pub(super) fn remove_if_empty(&self, name: &OsStr) -> io::Result<()> {
        use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, NotADirectory, NotFound};
        match self.remove_dir(name) {
            Err(error)
                if !matches!(error.kind(), DirectoryNotEmpty | AlreadyExists | NotFound | NotADirectory) =>
            {
                Err(error)
            }
            _ => Ok(()),
        }
    }

    /// Removes whatever stands at a name, with all that is below; links are removed, not followed.
    pub(super) fn remove_all(&self, name: &OsStr) -> io::Result<()> {
        match self.enter(name) {
            Ok(below) => {
                for inner in below.names()? {
                    below.remove_all(&inner)?;
                }
                self.remove_dir(name)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => self.remove_file(name),
            Err(error) => Err(error),
        }
    }
}

/// Reads a file to its end and returns the digest.
fn digest(mut file: impl io::Read) -> io::Result<Digest> {
    let mut hash = hmac_sha256::Hash::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hash.finalize()),
            Ok(count) => hash.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Writes in two halves, so that a test can kill in between.
fn write_all(mut file: impl io::Write, bytes: &[u8]) -> io::Result<()> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all(first)?;
    fault::point()?;
    file.write_all(second)
}
