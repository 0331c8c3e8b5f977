//! The operations on a directory that need several calls and are the same on every system.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::{self, Read, Write};
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::metadata::Kind;
use crate::{Dir, fault};

impl Dir {
    /// Opens a directory, and makes it first when it is missing.
    ///
    /// # Errors
    /// As of the system; the kind is `NotADirectory` for a link, too.
    pub fn open_or_create_dir(&self, name: &OsStr) -> io::Result<Self> {
        match self.open_dir(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match self.create_dir(name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => self.open_dir(name),
            },
            result => result,
        }
    }

    /// Opens the directory that a path below leads to, without a link on the way; `creates` makes what is
    /// missing.
    ///
    /// # Errors
    /// Returns an error if a part of the path is a link or not a directory, or if the path leaves the
    /// directory.
    pub fn open_path(&self, path: &Path, creates: bool) -> io::Result<Self> {
        let mut at = self.try_clone()?;
        for component in path.components() {
            let name = match component {
                Component::Normal(name) => name,
                Component::CurDir => continue,
                _ => return Err(no_name()),
            };
            at = if creates { at.open_or_create_dir(name)? } else { at.open_dir(name)? };
        }
        Ok(at)
    }

    /// Opens the directory that a path below lies in, like [`open_path`](Self::open_path), and returns it
    /// with the last part.
    ///
    /// # Errors
    /// As [`open_path`](Self::open_path).
    pub fn open_parent<'p>(&self, path: &'p Path, creates: bool) -> io::Result<(Self, &'p OsStr)> {
        let (above, name) = path.parent().zip(path.file_name()).ok_or_else(no_name)?;
        Ok((self.open_path(above, creates)?, name))
    }

    /// Reads a regular file of at most `limit` bytes.
    ///
    /// # Errors
    /// As of the system; the kind is `InvalidInput` for all that is no regular file, `FileTooLarge` for a
    /// larger one.
    pub fn read(&self, name: &OsStr, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open_file(name)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|size| size <= limit) {
            return Ok(bytes);
        }
        let text = format!("it has more than {limit} bytes");
        Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
    }

    /// Writes a file that was not there; [`sync`](Self::sync) brings it to the disk.
    ///
    /// # Errors
    /// As of the system; the kind is `AlreadyExists` when something stands there.
    pub fn write_new(&self, name: &OsStr, bytes: &[u8], executable: bool) -> io::Result<()> {
        let mut file = self.create_file(name, executable)?;
        write_all(&mut file, bytes)?;
        if cfg!(not(target_os = "linux")) {
            file.sync_all()?;
        }
        Ok(())
    }

    /// Replaces a file, or makes it, by a rename: whoever reads it meets the old one or the new one. A new
    /// file has the permissions of the one that was there, or those given. A link in its place is replaced,
    /// not followed.
    ///
    /// # Errors
    /// The directory cannot be written in, or the disk is full; what was there is there still.
    pub fn replace(&self, name: &OsStr, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let aside = format!(".{}.{}-{count}.new", name.to_string_lossy(), std::process::id());
        let aside = OsStr::new(&aside);
        let before = || Ok::<_, io::Error>(self.metadata(name)?.filter(|found| found.kind == Kind::File));
        let permissions = match permissions {
            Some(permissions) => Some(permissions),
            None => before()?.map(|found| found.permissions),
        };
        // What is there by this name is nobody's of this process, and may be a link: it is refused.
        let mut file = self.create_file(aside, false)?;
        let written = (|| {
            write_all(&mut file, bytes)?;
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
            file.sync_all()?;
            self.rename(aside, self, name)
        })();
        if written.is_err() {
            // The reason to report is the first one.
            self.remove_file(aside).ok();
        }
        written
    }

    /// Returns `true` if two names are one file, where files have numbers.
    ///
    /// # Errors
    /// As of the system; the first is missing.
    pub fn is_same(&self, name: &OsStr, other: &Self, second: &OsStr) -> io::Result<bool> {
        let first = self.metadata(name)?.ok_or(io::ErrorKind::NotFound)?;
        let second = other.metadata(second)?;
        Ok(first.id.is_some() && second.is_some_and(|second| first.id == second.id))
    }

    /// Removes the directories of a path below that are empty, from the innermost out.
    ///
    /// # Errors
    /// As of the system.
    pub fn remove_empty_parents(&self, path: &Path) -> io::Result<()> {
        use io::ErrorKind::{NotADirectory, NotFound};
        for directory in path.ancestors().skip(1).filter(|directory| !directory.as_os_str().is_empty()) {
            match self.open_parent(directory, false) {
                Ok((above, name)) => above.remove_if_empty(name)?,
                Err(error) if matches!(error.kind(), NotFound | NotADirectory) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Removes a directory that has nothing in it; one that has stays.
    ///
    /// # Errors
    /// As of the system.
    pub fn remove_if_empty(&self, name: &OsStr) -> io::Result<()> {
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
}

/// Makes sure that a name is one name: a path would lead elsewhere.
pub(crate) fn part(name: &OsStr) -> io::Result<&OsStr> {
    let mut components = Path::new(name).components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(name),
        _ => Err(no_name()),
    }
}

fn no_name() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no name of a file")
}

pub(crate) fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is a link, or no regular file")
}

/// Writes in two halves, so that a test can kill in between.
fn write_all(mut file: impl Write, bytes: &[u8]) -> io::Result<()> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all(first)?;
    fault::point()?;
    file.write_all(second)
}
