//! Unpacks the files of a bundled skill into a directory, so that its programs can be run.
//!
//! ```text
//! [File] -> plan (paths checked) -> entry (built or verified, repaired) -> Unpacked
//! ```
//!
//! Each content has its own directory, named by a digest, so versions never mix. A directory is built in a
//! staging directory and renamed into place, so no process sees a half-written one. Before each use, every
//! file is compared with the bundled bytes. Files that differ are replaced. Extra files, such as a
//! `__pycache__`, are removed.
//!
//! An unusable root (read-only, full, owned by another user, or a link) is not an error. The files are then
//! unpacked into a private temporary directory, which is removed when the [`Unpacked`] is dropped. If the
//! process is killed, the directory stays until the system cleans up its temporary files.

mod entry;
mod plan;

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use skills_registry::CompiledFile as File;

use entry::CacheEntry;
use plan::DirectoryPlan;

use skills_files::ScratchDir;

/// Where skills are unpacked.
///
/// ```
/// use skills_exec::cache::{Cache, File};
/// # let temporary = std::env::temp_dir();
/// let cache = Cache::new(None, temporary);
/// let file = File { path: "bin/run", bytes: b"#!/bin/sh\n", executable: true, sha256: [7; 32] };
/// let unpacked = cache.unpack(&[file])?;
/// assert!(unpacked.path().join("bin/run").is_file());
/// # Ok::<(), skills_exec::cache::CacheError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    root: Option<PathBuf>,
    temporary: PathBuf,
}

impl Cache {
    /// Creates a cache below `root`. If there is no root, or it cannot be used, skills are unpacked below
    /// `temporary`.
    pub fn new(root: Option<PathBuf>, temporary: PathBuf) -> Self {
        Self { root, temporary }
    }

    /// Creates the user's cache from the values of `XDG_CACHE_HOME` and `HOME`: `skills/exec` below the
    /// first, or below the system's cache directory in the second. Relative values are ignored.
    pub fn of_user(xdg_cache_home: Option<OsString>, home: Option<OsString>, temporary: PathBuf) -> Self {
        let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = if cfg!(target_vendor = "apple") { "Library/Caches" } else { ".cache" };
        let base = absolute(xdg_cache_home).or_else(|| absolute(home).map(|home| home.join(caches)));
        Self::new(base.map(|base| base.join("skills").join("exec")), temporary)
    }

    /// Writes `files` to disk, or verifies and repairs the existing cache entry. The directory then holds
    /// exactly these files. Their digests name the cache entry; the check compares bytes.
    ///
    /// Any number of processes may call this at once, and a process may be killed at any point.
    ///
    /// # Errors
    ///
    /// Returns an error if a path leaves the directory or collides with another, or if the files can be
    /// written neither below the root nor into a temporary directory.
    pub fn unpack(&self, files: &[File<'_>]) -> Result<Unpacked, CacheError> {
        let plan = DirectoryPlan::from_files(files)?;
        let refused = match &self.root {
            None => "there is no cache directory".to_owned(),
            Some(root) => match CacheEntry::settle(root, &entry::key(files), &plan) {
                Ok(path) => return Ok(Unpacked { path, private: None }),
                Err(error) => format!("{}: {error}", root.display()),
            },
        };
        match unpack_scratch(&self.temporary, &plan) {
            Ok(aside) => Ok(Unpacked { path: aside.path().to_owned(), private: Some((aside, refused)) }),
            Err(error) => Err(self.unusable(&refused, &error)),
        }
    }

    /// Creates an empty directory for one run, below the root or else below the directory for temporary files.
    /// No other user can read or change it. Dropping the result removes it.
    ///
    /// # Errors
    ///
    /// Returns an error if neither of the two places can be used.
    pub fn scratch(&self) -> Result<ScratchDir, CacheError> {
        let refused = match self.root.as_deref().map(entry::scratch) {
            Some(Ok(scratch)) => return Ok(scratch),
            Some(Err(error)) => error.to_string(),
            None => "there is no cache directory".to_owned(),
        };
        temporary_scratch(&self.temporary).map_err(|error| self.unusable(&refused, &error))
    }

    fn unusable(&self, refused: &str, error: &io::Error) -> CacheError {
        CacheError::Unusable { refused: format!("{refused}; {}: {error}", self.temporary.display()) }
    }
}

fn temporary_scratch(temporary: &Path) -> io::Result<ScratchDir> {
    ScratchDir::new(&std::path::absolute(temporary)?, "skills-exec-")
}

fn unpack_scratch(temporary: &Path, plan: &DirectoryPlan<'_>) -> io::Result<ScratchDir> {
    let aside = temporary_scratch(temporary)?;
    entry::write_all(aside.path(), plan)?;
    Ok(aside)
}

/// A verified directory with the files of a skill. Keep this value while the program runs: dropping it
/// removes a temporary directory.
#[derive(Debug)]
pub struct Unpacked {
    path: PathBuf,
    private: Option<(ScratchDir, String)>,
}

impl Unpacked {
    /// Returns the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reason why the directory is temporary, or `None` if it is in the cache.
    pub fn why_temporary(&self) -> Option<&str> {
        self.private.as_ref().map(|(_, why)| why.as_str())
    }
}

/// The reason why a bundled skill cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheError {
    /// A path is empty, absolute, or has a component such as `..`.
    Path {
        /// The path as it was given.
        path: String,
    },
    /// A path is listed twice, or both as a file and as a directory.
    Collision {
        /// The second of the two paths.
        path: String,
    },
    /// Neither the cache nor a temporary directory can be used.
    Unusable {
        /// Each place with its reason.
        refused: String,
    },
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path { path } => {
                write!(f, "cannot unpack {path:?}: the path does not stay inside the skill")
            }
            Self::Collision { path } => write!(f, "cannot unpack {path:?}: another file has this path"),
            Self::Unusable { refused } => write!(f, "no place to unpack the skill: {refused}"),
        }
    }
}

impl Error for CacheError {}
