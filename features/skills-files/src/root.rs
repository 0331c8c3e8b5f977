//! Paths below a directory: links that stay in it are followed, all others are refused.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::Dir;

/// A directory, and the paths below it.
///
/// A path is resolved first, links and all, which must stay inside. What it resolved to is then walked by descriptors from
/// the root on, without a link: whatever is exchanged meanwhile, nothing outside is read or written.
#[derive(Debug)]
pub struct Root {
    path: PathBuf,
    dir: Dir,
}

impl Root {
    /// Opens the directory that the caller names; links on the way to it are the caller's.
    ///
    /// # Errors
    /// It is missing, no directory, or may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        Ok(Self { dir: Dir::open(&path)?, path })
    }

    /// Opens the directory that the caller names, and makes it first when it is missing, with those above it.
    ///
    /// # Errors
    /// As [`open`](Self::open), or it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        Self::open(path)
    }

    /// Returns the real path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the directory itself.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Opens a directory below the root as a root of its own, links to others below it followed.
    ///
    /// # Errors
    /// As [`open_dir`](Self::open_dir).
    pub fn below(&self, path: &Path) -> io::Result<Self> {
        let real = self.resolve(path)?;
        Ok(Self { dir: self.dir.open_path(&real, false)?, path: self.path.join(real) })
    }

    /// Opens the directory of a path, relative to the root or a whole one in it, and returns it with the last part of the
    /// path. That part is not looked at: it may be a link, which no call of [`Dir`] follows.
    ///
    /// # Errors
    /// The path leads out of the root, or a directory on the way is missing.
    pub fn parent(&self, path: &Path) -> io::Result<(Dir, OsString)> {
        self.walk(path, false)
    }

    /// Opens the directory of a path like [`parent`](Self::parent), and makes the directories that are missing.
    ///
    /// # Errors
    /// The path leads out of the root, or a directory cannot be made.
    pub fn create_parent(&self, path: &Path) -> io::Result<(Dir, OsString)> {
        self.walk(path, true)
    }

    /// Opens a directory below the root, links to others below it followed; the empty path is the root.
    ///
    /// # Errors
    /// The path leads out of the root, or to no directory.
    pub fn open_dir(&self, path: &Path) -> io::Result<Dir> {
        self.dir.open_path(&self.resolve(path)?, false)
    }

    /// Opens a directory below the root like [`open_dir`](Self::open_dir), and makes the directories that are missing.
    ///
    /// # Errors
    /// The path leads out of the root, or a directory cannot be made.
    pub fn create_dir(&self, path: &Path) -> io::Result<Dir> {
        self.dir.open_path(&self.resolve(path)?, true)
    }

    /// Reads a regular file below the root of at most `limit` bytes, links to others below it followed.
    ///
    /// # Errors
    /// The path leads out of the root; otherwise as [`Dir::read`].
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let (dir, name) = self.find(path)?;
        dir.read(&name, limit)
    }

    /// Opens a regular file below the root for reading, links to others below it followed.
    ///
    /// # Errors
    /// The path leads out of the root; otherwise as [`Dir::open_file`].
    pub fn open_file(&self, path: &Path) -> io::Result<File> {
        let (dir, name) = self.find(path)?;
        dir.open_file(&name)
    }

    /// Replaces a file below the root as [`Dir::replace`] does, and makes the directories on the way.
    ///
    /// # Errors
    /// The path leads out of the root; otherwise as [`Dir::replace`].
    pub fn replace(&self, path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
        let (dir, name) = self.create_parent(path)?;
        dir.replace(&name, bytes, permissions)
    }

    /// Opens the directory in which what a path leads to lies, and returns its name there.
    fn find(&self, path: &Path) -> io::Result<(Dir, OsString)> {
        let real = self.resolve(path)?;
        let (dir, name) = self.dir.open_parent(&real, false).map_err(|error| match real.file_name() {
            Some(_) => error,
            None => outside(path),
        })?;
        Ok((dir, name.to_owned()))
    }

    fn walk(&self, path: &Path, creates: bool) -> io::Result<(Dir, OsString)> {
        let (above, name) = path.parent().zip(path.file_name()).ok_or_else(|| outside(path))?;
        Ok((self.dir.open_path(&self.resolve(above)?, creates)?, name.to_owned()))
    }

    /// Returns where a path leads, as a path from the root without links; what is not there yet is taken as it is written.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let mut real = self.path.clone();
        for component in path.strip_prefix(&self.path).unwrap_or(path).components() {
            match component {
                Component::Normal(name) => real.push(name),
                Component::CurDir => continue,
                _ => return Err(outside(path)),
            }
            if fs::symlink_metadata(&real).is_ok_and(|found| found.is_symlink()) {
                real = real.canonicalize()?;
            }
            if !real.starts_with(&self.path) {
                return Err(outside(path));
            }
        }
        real.strip_prefix(&self.path).map(Path::to_owned).map_err(|_| outside(path))
    }
}

/// Reads the regular file that the caller names, of at most `limit` bytes; links on the way to its directory are the caller's.
///
/// # Errors
/// As [`Dir::read`].
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (dir, name) = named(path)?;
    dir.read(name, limit)
}

/// Replaces the file that the caller names as [`Dir::replace`] does; links on the way to its directory are the caller's.
///
/// # Errors
/// As [`Dir::replace`].
pub fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let (dir, name) = named(path)?;
    dir.replace(name, bytes, permissions)
}

/// Removes what the caller names as [`Dir::remove_tree`] does; links on the way to its directory are the caller's.
///
/// # Errors
/// As [`Dir::remove_tree`].
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let (dir, name) = named(path)?;
    dir.remove_tree(name)
}

fn named(path: &Path) -> io::Result<(Dir, &OsStr)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((Dir::open(above)?, name))
}

fn outside(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{} leads out of the directory", path.display()))
}
