//! Temporary directories of one process. If a process is killed, a later one removes its directories.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;

use crate::Dir;
use crate::private_file::Locked;
#[cfg(unix)]
use crate::private_file::lock;

/// A directory that only this user can access. Dropping it removes it with its contents, unless it was renamed.
#[derive(Debug)]
pub struct ScratchDir {
    path: PathBuf,
    base: Dir,
    /// The lock, if the file system supports locks. It is held until this process ends.
    _lock: Option<Locked>,
}

impl ScratchDir {
    /// Creates a directory below `base`; its name begins with `prefix`.
    ///
    /// # Errors
    /// If the directory cannot be created.
    pub fn new(base: &Path, prefix: &str) -> io::Result<Self> {
        let opened = Dir::open(base)?;
        for _ in 0..8 {
            // Each `RandomState` has keys from the system's random source.
            let random = RandomState::new().hash_one(std::process::id());
            let other = RandomState::new().hash_one(random);
            let name = format!("{prefix}{random:016x}{other:016x}");
            let path = base.join(&name);
            opened.create_private_dir(name.as_ref())?;
            match lock_below(&opened, &path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                lock => return Ok(Self { path, base: opened, _lock: lock? }),
            }
        }
        Err(io::Error::other("other processes keep removing the new directory"))
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the directory. A link in its place is refused.
    ///
    /// # Errors
    /// The error of the system.
    #[cfg(unix)]
    pub fn open(&self) -> io::Result<OwnedFd> {
        let name = self.path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok(OwnedFd::from(self.base.open_dir(name)?.into_file()))
    }

    /// Keeps the directory, and returns its path; a later [`sweep`] may remove it.
    pub fn leave(mut self) -> PathBuf {
        std::mem::take(&mut self.path)
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        if let Some(name) = self.path.file_name() {
            // A later sweep removes the entries that cannot be removed now.
            let _ = self.base.remove_tree(name);
        }
    }
}

/// Locks a new directory, so that no [`sweep`] removes it. Returns `None` if the file system does not support locks.
///
/// # Errors
/// `NotFound` if another process has removed the directory before it was locked.
#[cfg(unix)]
fn lock_below(base: &Dir, path: &Path) -> io::Result<Option<Locked>> {
    let open = base.open_dir(path.file_name().unwrap_or_default())?;
    match lock(open.into_file(), path) {
        Ok(None) => Err(io::ErrorKind::NotFound.into()),
        locked => Ok(locked.ok().flatten()),
    }
}

/// Does nothing: directories cannot be locked on these systems, and no process removes those of another.
#[cfg(not(unix))]
fn lock_below(_: &Dir, _: &Path) -> io::Result<Option<Locked>> {
    Ok(None)
}

/// Removes the directories below `base` that ended processes of this user left, unless they are younger than `young`.
#[cfg(unix)]
pub fn sweep(base: &Path, prefix: &str, young: Duration) {
    use std::os::unix::fs::MetadataExt;

    // A new directory belongs to the user of this process. Asking the system would need the feature `process` of rustix,
    // which adds 0.7 s to the build of a program that installs.
    let Ok(own) = ScratchDir::new(base, prefix).and_then(|own| std::fs::metadata(own.path())) else { return };
    let Ok(opened) = Dir::open(base) else { return };
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        if is_ours
            && let Ok(open) = opened.open_dir(&entry.file_name()).map(Dir::into_file)
            && open.metadata().is_ok_and(|found| {
                let age = found.modified().ok().and_then(|at| at.elapsed().ok());
                found.is_dir() && found.uid() == own.uid() && age.unwrap_or_default() >= young
            })
            && let Ok(Some(_held)) = lock(open, &entry.path())
        {
            // Entries that cannot be removed stay for the next sweep.
            let _ = opened.remove_tree(&entry.file_name());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const PREFIX: &str = "skills-run-";

    // SPEC 13.10
    #[test]
    fn it_is_private_and_removed_with_its_contents() {
        let outside = tempfile::tempdir().expect("a directory");
        std::fs::write(outside.path().join("kept"), "").expect("written");
        let scratch = ScratchDir::new(&std::env::temp_dir(), PREFIX).expect("made");
        let path = scratch.path().to_owned();
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o700);
        std::fs::create_dir_all(path.join("a/b")).expect("made");
        std::fs::write(path.join("a/b/c"), "").expect("written");
        std::os::unix::fs::symlink(outside.path(), path.join("link")).expect("made");
        std::fs::set_permissions(path.join("a"), std::fs::Permissions::from_mode(0o000)).expect("set");
        drop(scratch);
        assert!(!path.exists() && outside.path().join("kept").exists());
    }

    // SPEC 13.10: directories of a killed host are removed, those in use are not
    #[test]
    fn unlocked_directories_are_removed() {
        let base = tempfile::tempdir().expect("a directory");
        let (left, used, other) = ("skills-run-left", "skills-run-used", "other");
        for name in [left, used, other] {
            std::fs::create_dir(base.path().join(name)).expect("made");
        }
        let path = base.path().join(used);
        let _held = lock(File::open(&path).expect("there"), &path).expect("locked").expect("free");
        sweep(base.path(), PREFIX, Duration::from_secs(600));
        assert!(base.path().join(left).exists(), "it is young");
        sweep(base.path(), PREFIX, Duration::ZERO);
        assert_eq!([left, used, other].map(|name| base.path().join(name).exists()), [false, true, true]);
    }
}
