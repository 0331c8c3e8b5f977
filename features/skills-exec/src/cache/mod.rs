//! Unpacks the files of a bundled skill into a directory that programs can run from.
//!
//! ```text
//! [File] -> plan (paths checked) -> entry (built or verified, repaired) -> Unpacked
//! ```
//!
//! There is one directory per content, named by a digest of it, so versions never mix. It is built aside and
//! renamed into place, so it is never seen half-written. Before each use every file is compared with the bundled
//! bytes; what differs is replaced, what does not belong there (a `__pycache__` too) is removed.
//!
//! A root that cannot be used (read-only, no space, not the user's own, a link) is not an error: the files are
//! unpacked into a private temporary directory, which lasts as long as the [`Unpacked`]
//! (and stays when its process is killed, for the system to clear away).

mod entry;
mod error;
mod key;
mod plan;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

pub use error::CacheError;
pub use skills_registry::FileMaterial as File;

use entry::CacheEntry;
use plan::Plan;

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
    /// Makes a cache below `root`; without one, and where the root cannot be used, below `temporary`.
    pub fn new(root: Option<PathBuf>, temporary: PathBuf) -> Self {
        Self { root, temporary }
    }

    /// Makes the user's cache from the values of `XDG_CACHE_HOME` and `HOME`: `skills/exec` below the first, or
    /// below the system's place for caches in the second. Relative values are ignored.
    pub fn of_user(xdg_cache_home: Option<OsString>, home: Option<OsString>, temporary: PathBuf) -> Self {
        let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = if cfg!(target_vendor = "apple") { "Library/Caches" } else { ".cache" };
        let base = absolute(xdg_cache_home).or_else(|| absolute(home).map(|home| home.join(caches)));
        Self::new(base.map(|base| base.join("skills").join("exec")), temporary)
    }

    /// Makes sure that `files` are on disk as they are in memory, and nothing beside them. Their digests name the cache
    /// entry; the bytes decide.
    ///
    /// Safe in any number of processes at once, and when one is killed at any point.
    ///
    /// # Errors
    ///
    /// When a path leaves the directory or collides with another, or when the files can be written neither below
    /// the root nor into a temporary directory.
    pub fn unpack(&self, files: &[File<'_>]) -> Result<Unpacked, CacheError> {
        let plan = Plan::of(files)?;
        let refused = match &self.root {
            None => "there is no cache directory".to_owned(),
            Some(root) => match CacheEntry::settle(root, &key::key(files), &plan) {
                Ok(path) => return Ok(Unpacked { path, private: None }),
                Err(error) => format!("{}: {error}", root.display()),
            },
        };
        match unpack_scratch(&self.temporary, &plan) {
            Ok(aside) => Ok(Unpacked { path: aside.path().to_owned(), private: Some((aside, refused)) }),
            Err(error) => Err(CacheError::Unusable {
                refused: format!("{refused}; {}: {error}", self.temporary.display()),
            }),
        }
    }
}

fn unpack_scratch(temporary: &Path, plan: &Plan<'_>) -> io::Result<ScratchDir> {
    let aside = ScratchDir::new(&std::path::absolute(temporary)?, "skills-exec-")?;
    entry::write_all(aside.path(), plan)?;
    Ok(aside)
}

/// A directory with the files of a skill, verified. Keep it while the program runs: a temporary one is removed
/// when this is dropped.
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

    /// Says why the directory is a temporary one; nothing when it is in the cache.
    pub fn why_temporary(&self) -> Option<&str> {
        self.private.as_ref().map(|(_, why)| why.as_str())
    }
}
