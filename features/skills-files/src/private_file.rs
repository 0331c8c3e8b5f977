//! Files and directories that only this user can read, and locks that end with their process.

use std::fs::OpenOptions;
use std::fs::{DirBuilder, File};
use std::io;
use std::ops::Deref;
use std::path::Path;

/// A file that this process has locked. Dropping it unlocks the file, even if a child process that was forked
/// meanwhile has inherited the descriptor and has not closed it yet.
#[derive(Debug)]
pub struct Locked(File);

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

#[cfg(unix)]
impl Drop for Locked {
    fn drop(&mut self) {
        // If this fails, closing the descriptor unlocks the file.
        let _ = rustix::fs::flock(&self.0, rustix::fs::FlockOperation::Unlock);
    }
}

/// Creates a directory and its parents with access for this user only.
///
/// # Errors
/// Returns the error of the system.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    let mut directories = DirBuilder::new();
    directories.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut directories, 0o700);
    directories.create(path)
}

/// Returns the options that open a file for writing, and create it with access for this user only.
pub fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Opens and locks a file, and creates it if there is none. Returns `None` if another process has locked it.
///
/// # Errors
/// Returns the error of the system.
pub fn open_locked(path: &Path) -> io::Result<Option<Locked>> {
    let mut options = private_options();
    options.create(true).truncate(false);
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let flags = i32::try_from(flags.bits()).unwrap_or_default();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
        lock(options.open(path)?, path)
    }
    #[cfg(not(unix))]
    {
        /// The error code of the system for a file that another process has opened exclusively.
        const SHARING_VIOLATION: i32 = 32;
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        match options.open(path) {
            Err(error) if cfg!(windows) && error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
            file => file.map(|file| Some(Locked(file))),
        }
    }
}

/// Locks the file that was opened at `path`. Returns `None` if another process has locked it, or has removed
/// it in the meantime.
///
/// # Errors
/// Returns the error of the system.
#[cfg(unix)]
pub fn lock(open: File, path: &Path) -> io::Result<Option<Locked>> {
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{FlockOperation, flock};
    match rustix::io::retry_on_intr(|| flock(&open, FlockOperation::NonBlockingLockExclusive)) {
        Ok(()) => {}
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let open = Locked(open);
    let held = open.metadata()?;
    let is_there =
        path.symlink_metadata().is_ok_and(|there| (there.dev(), there.ino()) == (held.dev(), held.ino()));
    Ok(is_there.then_some(open))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    // SPEC 11.6: a child that was forked during a run does not keep its lock
    #[test]
    fn a_lock_ends_with_its_holder_although_another_has_the_descriptor() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("lock");
        let held = open_locked(&path).expect("opened").expect("free");
        // A forked process would share the open file in the same way as this duplicate.
        let inherited = held.try_clone().expect("copied");
        assert!(open_locked(&path).expect("opened").is_none(), "it is held");
        drop(held);
        assert!(open_locked(&path).expect("opened").is_some(), "it is free");
        drop(inherited);
    }
}
