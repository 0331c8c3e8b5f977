//! Resolves paths below a directory. Links that stay in it are followed, all others are refused.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::Dir;

/// A directory, and the paths below it.
///
/// A path with its links is resolved first, and the result must be inside. It is then opened by descriptors from the
/// root on, without following links. So nothing outside is read or written, even if directories are exchanged
/// meanwhile.
#[derive(Debug)]
pub struct Root {
    path: PathBuf,
    dir: Dir,
}

impl Root {
    /// Opens a directory. Links in the given path are followed, since the caller is responsible for it.
    ///
    /// # Errors
    /// If it is missing, not a directory, or not readable.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        Ok(Self { dir: Dir::open(&path)?, path })
    }

    /// Opens a directory like [`open`](Self::open), and creates it and its parents first if they are missing.
    ///
    /// # Errors
    /// See [`open`](Self::open); also if it cannot be created.
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

    /// Opens a directory below the root as a root of its own, following links that stay below this root.
    ///
    /// # Errors
    /// See [`open_dir`](Self::open_dir).
    pub fn below(&self, path: &Path) -> io::Result<Self> {
        let real = self.resolve(path)?;
        Ok(Self { dir: self.dir.open_path(&real, false)?, path: self.path.join(real) })
    }

    /// Opens the parent directory of a path, which is relative to the root or absolute and inside it. Returns it with
    /// the last part of the path. The last part is not checked: it may be a link, but no call of [`Dir`] follows
    /// links.
    ///
    /// # Errors
    /// If the path leads out of the root, or a directory on the way is missing.
    pub fn parent(&self, path: &Path) -> io::Result<(Dir, OsString)> {
        self.walk(path, false)
    }

    /// Opens the parent directory of a path like [`parent`](Self::parent), and creates missing directories.
    ///
    /// # Errors
    /// If the path leads out of the root, or a directory cannot be created.
    pub fn create_parent(&self, path: &Path) -> io::Result<(Dir, OsString)> {
        self.walk(path, true)
    }

    /// Opens a directory below the root, following links that stay below it. The empty path is the root.
    ///
    /// # Errors
    /// If the path leads out of the root, or not to a directory.
    pub fn open_dir(&self, path: &Path) -> io::Result<Dir> {
        self.dir.open_path(&self.resolve(path)?, false)
    }

    /// Opens a directory below the root like [`open_dir`](Self::open_dir), and creates missing directories.
    ///
    /// # Errors
    /// If the path leads out of the root, or a directory cannot be created.
    pub fn create_dir(&self, path: &Path) -> io::Result<Dir> {
        self.dir.open_path(&self.resolve(path)?, true)
    }

    /// Reads a regular file of at most `limit` bytes below the root, following links that stay below it.
    ///
    /// # Errors
    /// If the path leads out of the root; see also [`Dir::read`].
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let (dir, name) = self.find(path)?;
        dir.read(&name, limit)
    }

    /// Opens a regular file below the root for reading, following links that stay below it.
    ///
    /// # Errors
    /// If the path leads out of the root; see also [`Dir::open_file`].
    pub fn open_file(&self, path: &Path) -> io::Result<File> {
        let (dir, name) = self.find(path)?;
        dir.open_file(&name)
    }

    /// Replaces a file below the root like [`Dir::replace`], and creates missing directories.
    ///
    /// # Errors
    /// If the path leads out of the root; see also [`Dir::replace`].
    pub fn replace(&self, path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
        let (dir, name) = self.create_parent(path)?;
        dir.replace(&name, bytes, permissions)
    }

    /// Opens the directory that contains the target of a path, and returns the name of the target.
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

    /// Resolves the links of a path, and returns the result relative to the root. Missing parts stay as written.
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

/// Reads a regular file of at most `limit` bytes. Links in the path of its directory are followed.
///
/// # Errors
/// See [`Dir::read`].
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (dir, name) = named(path)?;
    dir.read(name, limit)
}

/// Replaces a file like [`Dir::replace`]. Links in the path of its directory are followed.
///
/// # Errors
/// See [`Dir::replace`].
pub fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let (dir, name) = named(path)?;
    dir.replace(name, bytes, permissions)
}

/// Removes an entry like [`Dir::remove_tree`]. Links in the path of its directory are followed.
///
/// # Errors
/// See [`Dir::remove_tree`].
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
