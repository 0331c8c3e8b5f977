//! One process after the other writes the file of what is trusted, so that no word is lost (SPEC 14.18).

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long another process may take.
const LONGEST: Duration = Duration::from_secs(20);

/// The turn of this process, until it is dropped.
pub(super) struct Turn {
    _held: fs::File,
}

impl Turn {
    /// Waits for the turn, by a file beside the one that is written; that one is replaced, and cannot be held itself.
    pub(super) fn take(path: &Path) -> io::Result<Self> {
        let above = path.parent().unwrap_or(Path::new("."));
        let mut directories = fs::DirBuilder::new();
        directories.recursive(true);
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            std::os::unix::fs::DirBuilderExt::mode(&mut directories, 0o700);
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
            let flags = i32::try_from(flags.bits()).unwrap_or_default();
            std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
        }
        directories.create(above)?;
        let held = options.open(above.join(".trust.json.lock"))?;
        let begin = Instant::now();
        while !is_held(&held)? {
            if begin.elapsed() > LONGEST {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another process writes it"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(Self { _held: held })
    }
}

#[cfg(unix)]
fn is_held(file: &fs::File) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Elsewhere the time between reading and writing is short, and nothing more.
#[cfg(not(unix))]
fn is_held(_: &fs::File) -> io::Result<bool> {
    Ok(true)
}
