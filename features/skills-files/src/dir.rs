//! The operations on a directory that need several calls and are the same on every system.

use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{Dir, fault};

impl Dir {
    /// Opens a directory like [`open`](Self::open), and creates it and its parents first if they are missing. The
    /// function of the standard library would add 4 KB to a program.
    ///
    /// # Errors
    /// The error of the system.
    pub fn create_all(path: &Path) -> io::Result<Self> {
        match Self::open(path) {
            Err(error) if is(&error, io::ErrorKind::NotFound) => {}
            opened => return opened,
        }
        let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let above = Self::create_all(above)?;
        match path.file_name().map(|name| above.create_dir(name)) {
            Some(Err(error)) if !is(&error, io::ErrorKind::AlreadyExists) => Err(error),
            _ => Self::open(path),
        }
    }

    /// Opens a directory, and creates it first if it is missing.
    ///
    /// # Errors
    /// The error of the system. The kind is `NotADirectory` for a link, too.
    pub fn open_or_create_dir(&self, name: &OsStr) -> io::Result<Self> {
        match self.open_dir(name) {
            Err(error) if is(&error, io::ErrorKind::NotFound) => match self.create_dir(name) {
                Err(error) if !is(&error, io::ErrorKind::AlreadyExists) => Err(error),
                _ => self.open_dir(name),
            },
            result => result,
        }
    }

    /// Opens a directory by its path below this one. Links on the way are refused. With `creates`, missing
    /// directories are created.
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

    /// Opens the parent directory of a path, like [`open_path`](Self::open_path), and returns it with the last part
    /// of the path.
    ///
    /// # Errors
    /// See [`open_path`](Self::open_path).
    pub fn open_parent<'p>(&self, path: &'p Path, creates: bool) -> io::Result<(Self, &'p OsStr)> {
        let (above, name) = path.parent().zip(path.file_name()).ok_or_else(no_name)?;
        Ok((self.open_path(above, creates)?, name))
    }

    /// Reads a regular file of at most `limit` bytes.
    ///
    /// # Errors
    /// The error of the system. The kind is `InvalidInput` for anything but a regular file, and `FileTooLarge` for a
    /// larger one.
    pub fn read(&self, name: &OsStr, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        read_parts(self.open_file(name)?, &mut |part| {
            bytes.extend_from_slice(part);
            if u64::try_from(bytes.len()).is_ok_and(|size| size <= limit) {
                return Ok(());
            }
            let text = format!("it has more than {limit} bytes");
            Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
        })?;
        Ok(bytes)
    }

    /// Writes a new file; [`sync`](Self::sync) writes it to the disk.
    ///
    /// # Errors
    /// The error of the system. The kind is `AlreadyExists` if the name exists.
    pub fn write_new(&self, name: &OsStr, bytes: &[u8], executable: bool) -> io::Result<()> {
        let mut file = self.create_file(name, executable)?;
        write_all(&mut file, bytes)?;
        if cfg!(not(target_os = "linux")) {
            file.sync_all()?;
        }
        Ok(())
    }

    /// Creates a file, or replaces it by a rename, so that a reader sees either the old or the new contents. A new
    /// file gets the given permissions, or those of the replaced one. A link in its place is replaced, not followed.
    ///
    /// # Errors
    /// If the directory is not writable, or the disk is full. The old file is then unchanged.
    pub fn replace(&self, name: &OsStr, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let aside = format!(".{}.{}-{count}.new", name.to_string_lossy(), std::process::id());
        let aside = OsStr::new(&aside);
        let permissions = match permissions {
            Some(permissions) => Some(permissions),
            None => (Ok::<_, io::Error>(self.metadata(name)?.filter(|found| found.kind == FileKind::File)))?
                .map(|found| found.permissions),
        };
        // If the name exists, another process created the entry. It may be a link, so it is refused.
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
            // The first error is reported.
            self.remove_file(aside).ok();
        }
        written
    }

    /// Returns `true` if two names are the same file, on systems where files have numbers.
    ///
    /// # Errors
    /// If the first file is missing, or the error of the system.
    pub fn is_same(&self, name: &OsStr, other: &Self, second: &OsStr) -> io::Result<bool> {
        let first = self.metadata(name)?.ok_or(io::ErrorKind::NotFound)?;
        let second = other.metadata(second)?;
        Ok(first.id.is_some() && second.is_some_and(|second| first.id == second.id))
    }

    /// Removes the empty directories of a path below this directory, from the innermost to the outermost.
    ///
    /// # Errors
    /// The error of the system.
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

    /// Removes a directory if it is empty.
    ///
    /// # Errors
    /// The error of the system.
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

/// Reads a file to its end, in parts.
///
/// # Errors
/// The error of the system, or of `each`.
pub fn read_parts(mut file: File, each: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut buffer = [0; 16 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => each(&buffer[..count])?,
            Err(error) if is(&error, io::ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns `true` if an error has this kind.
///
/// It is not inlined, because each copy of [`io::Error::kind`] has a table of 500 bytes.
#[inline(never)]
pub fn is(error: &io::Error, kind: io::ErrorKind) -> bool {
    error.kind() == kind
}

/// Checks that a name is a single name, because a path could lead elsewhere.
pub(crate) fn part(name: &OsStr) -> io::Result<&OsStr> {
    let mut components = Path::new(name).components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(name),
        _ => Err(no_name()),
    }
}

fn no_name() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a file name")
}

pub(crate) fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is a link, or not a regular file")
}

/// Writes in two halves, so that a test can kill the process in between.
fn write_all(mut file: impl Write, bytes: &[u8]) -> io::Result<()> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all(first)?;
    fault::point()?;
    file.write_all(second)
}

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, a socket, a device, …
    Other,
}

/// The metadata of a directory entry.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Metadata {
    /// The kind of the entry.
    pub kind: FileKind,
    /// Whether its owner may execute it. `None` on systems without such bits.
    pub is_executable: Option<bool>,
    /// The permissions.
    pub permissions: Permissions,
    /// The numbers of its file system and of the file, if the system has them. Two names with equal numbers are the
    /// same file.
    pub id: Option<(u64, u64)>,
}
