//! A directory in which something is made ready before it is renamed into place; one that a killed process left
//! behind is removed by the next that needs one (SPEC 7.4).

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::run_id::RunId;

const PREFIX: &str = ".staging-";

/// A locked directory below the root. The lock tells others that its maker lives; the system drops it with him.
#[derive(Debug)]
pub(super) struct Staging {
    path: PathBuf,
    _lock: File,
}

impl Staging {
    /// Makes an empty one, and clears away those whose makers are gone.
    pub(super) fn new(root: &Path) -> io::Result<Self> {
        clear(root)?;
        for _ in 0..8 {
            let path = root.join(format!("{PREFIX}{}", RunId::fresh()));
            DirBuilder::new().mode(0o700).create(&path)?;
            if let Some(lock) = lock(&path)? {
                return Ok(Self { path, _lock: lock });
            }
        }
        Err(io::Error::other("others keep removing the staging directory"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Gone already when it was renamed into place.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Locks the directory at `path`; nothing when another process has it, or cleared it away before the lock.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let directory = match File::open(path) {
        Ok(directory) => directory,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    hold(directory, path)
}

/// Locks what was opened at `path`; nothing when another has it, or removed it before the lock.
pub(crate) fn hold(open: File, path: &Path) -> io::Result<Option<File>> {
    match flock(&open, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let held = open.metadata()?;
    let there =
        fs::symlink_metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (held.dev(), held.ino()));
    Ok(there.then_some(open))
}

fn clear(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let is_staging = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_staging
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Ok(Some(lock)) = lock(&entry.path())
        {
            // Another may clear it too; what stays is cleared next time.
            let _ = fs::remove_dir_all(entry.path());
            drop(lock);
        }
    }
    Ok(())
}
