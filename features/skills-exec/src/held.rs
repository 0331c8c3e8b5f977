//! Files and directories of this user alone, and locks on them, which the system takes back when their process dies.

use std::fs::OpenOptions;
use std::fs::{DirBuilder, File};
use std::io;
use std::path::Path;

/// Makes a directory, and those above it.
pub fn make_directory(path: &Path) -> io::Result<()> {
    let mut directories = DirBuilder::new();
    directories.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut directories, 0o700);
    directories.create(path)
}

/// How a file is opened for writing that nobody else reads once it is made.
pub fn writing() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Opens and locks a file, which is made when there is none; nothing when another has it.
pub fn hold(path: &Path) -> io::Result<Option<File>> {
    let mut options = writing();
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

/// Locks what was opened at `path`; nothing when another has it, or removed it before the lock.
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
