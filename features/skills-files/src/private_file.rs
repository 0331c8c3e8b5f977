//! Files and directories that only this user can read, and locks that end with their process.

use std::fs::OpenOptions;
use std::fs::{DirBuilder, File};
use std::io;
use std::path::Path;

/// Creates a directory and its parents, for this user alone.
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

/// Returns the options that open a file for writing, and create it for this user alone.
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
pub fn open_locked(path: &Path) -> io::Result<Option<File>> {
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
        /// The system's number for a file that another process keeps to itself.
        const SHARING_VIOLATION: i32 = 32;
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        match options.open(path) {
            Err(error) if cfg!(windows) && error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
            file => file.map(Some),
        }
    }
}

/// Locks the file that was opened at `path`. Returns `None` if another process has locked it, or removed it
/// before.
///
/// # Errors
/// Returns the error of the system.
#[cfg(unix)]
pub fn lock(open: File, path: &Path) -> io::Result<Option<File>> {
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{FlockOperation, flock};
    match rustix::io::retry_on_intr(|| flock(&open, FlockOperation::NonBlockingLockExclusive)) {
        Ok(()) => {}
        Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let held = open.metadata()?;
    let is_there =
        path.symlink_metadata().is_ok_and(|there| (there.dev(), there.ino()) == (held.dev(), held.ino()));
    Ok(is_there.then_some(open))
}
