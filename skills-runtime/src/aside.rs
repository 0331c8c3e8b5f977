//! A directory that a process has for itself for a while; what a killed one leaves behind is removed by a later one
//! (SPEC 7.4, 13.10).

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

use crate::held::lock;
use crate::remove::remove_below;
use crate::run_id::RunId;

/// The directory, for this user alone; dropped, it is removed with all that is in it, unless it was renamed.
#[derive(Debug)]
pub(crate) struct Aside {
    path: PathBuf,
    /// The directory that it is in.
    base: OwnedFd,
    /// Locked as long as this process lives, where the file system has locks.
    _held: Option<File>,
}

impl Aside {
    /// Makes one below `base`; its name begins with `prefix`.
    pub(crate) fn new(base: &Path, prefix: &str) -> io::Result<Self> {
        let opened = openat(CWD, base, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        for _ in 0..8 {
            let name = format!("{prefix}{}", RunId::fresh());
            let path = base.join(&name);
            mkdirat(&opened, &name, Mode::RWXU)?;
            let held = match openat(&opened, &name, FLAGS, Mode::empty()) {
                Ok(open) => lock(open.into(), &path),
                Err(rustix::io::Errno::NOENT) => Ok(None),
                Err(error) => return Err(error.into()),
            };
            // Another may have swept it before it was locked.
            if !matches!(held, Ok(None)) {
                return Ok(Self { path, base: opened, _held: held.ok().flatten() });
            }
        }
        Err(io::Error::other("others keep removing the directory that is made"))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the directory where it is, and returns its path; what sweeps later may remove it.
    pub(crate) fn leave(mut self) -> PathBuf {
        std::mem::take(&mut self.path)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(name) = self.path.file_name() {
            remove_below(self.base.as_fd(), name);
        }
    }
}

/// A directory that is no link.
const FLAGS: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Removes those below `base` that processes of this user left which are gone; younger ones than `young` stay.
pub(crate) fn sweep(base: &Path, prefix: &str, young: Duration) {
    let user = rustix::process::geteuid().as_raw();
    let Ok(opened) = openat(CWD, base, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) else { return };
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        let is_left = |found: std::fs::Metadata| {
            let age = found.modified().ok().and_then(|at| at.elapsed().ok());
            found.is_dir() && found.uid() == user && age.unwrap_or_default() >= young
        };
        if is_ours
            && let Ok(open) = openat(&opened, entry.file_name(), FLAGS, Mode::empty()).map(File::from)
            && open.metadata().is_ok_and(is_left)
            && let Ok(Some(_held)) = lock(open, &entry.path())
        {
            remove_below(opened.as_fd(), &entry.file_name());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const PREFIX: &str = "skills-run-";

    // SPEC 13.10
    #[test]
    fn it_is_private_and_goes_with_all_that_is_in_it() {
        let outside = tempfile::tempdir().expect("a directory");
        std::fs::write(outside.path().join("kept"), "").expect("written");
        let aside = Aside::new(&std::env::temp_dir(), PREFIX).expect("made");
        let path = aside.path().to_owned();
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o700);
        std::fs::create_dir_all(path.join("a/b")).expect("made");
        std::fs::write(path.join("a/b/c"), "").expect("written");
        std::os::unix::fs::symlink(outside.path(), path.join("link")).expect("made");
        std::fs::set_permissions(path.join("a"), std::fs::Permissions::from_mode(0o000)).expect("set");
        drop(aside);
        assert!(!path.exists() && outside.path().join("kept").exists());
    }

    // SPEC 13.10: what a host that was killed has left is removed, what another one uses is not
    #[test]
    fn what_nobody_holds_is_swept() {
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
        let is_there = |name| base.path().join(name).exists();
        assert_eq!([left, used, other].map(is_there), [false, true, true]);
    }
}
