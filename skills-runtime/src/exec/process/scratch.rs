//! A directory for temporary files that a run has for itself, removed after it (SPEC 13.10).

use std::fs::File;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use skills_registry::remove_tree;

use crate::run_id::RunId;

/// How the names of such directories begin.
const PREFIX: &str = "skills-run-";

/// How long one is left alone that nobody holds: whoever has just made it may not have it yet.
const YOUNG: Duration = Duration::from_secs(600);

/// The directory; dropped, it is removed with all that is in it. One whose host was killed is removed by a later one, which
/// sees that nobody holds it any more.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
    /// Locked as long as this process lives.
    _held: File,
}

impl Scratch {
    /// Makes it, for this user alone.
    pub(super) fn new(run_id: &RunId) -> io::Result<Self> {
        static SWEPT: Once = Once::new();
        let base = std::env::temp_dir();
        let base = base.canonicalize().unwrap_or(base);
        SWEPT.call_once(|| sweep(&base, YOUNG));
        let path = base.join(format!("{PREFIX}{run_id}"));
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        let held = File::open(&path)?;
        // Where a file system has no locks, age alone decides.
        let _ = flock(&held, FlockOperation::NonBlockingLockExclusive);
        Ok(Self { path, _held: held })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove_tree(&self.path);
    }
}

/// Removes what hosts of this user have left that were killed.
fn sweep(base: &Path, young: Duration) {
    let user = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let Ok(found) = entry.metadata() else { continue };
        let is_old = found.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age >= young));
        if is_ours
            && found.is_dir()
            && found.uid() == user
            && is_old
            && let Ok(held) = File::open(entry.path())
            && flock(&held, FlockOperation::NonBlockingLockExclusive).is_ok()
        {
            remove_tree(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    // SPEC 13.10
    #[test]
    fn it_is_private_and_goes_with_all_that_is_in_it() {
        let outside = tempfile::tempdir().expect("a directory");
        std::fs::write(outside.path().join("kept"), "").expect("written");
        let scratch = Scratch::new(&RunId::fresh()).expect("made");
        let path = scratch.path().to_owned();
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o700);
        std::fs::create_dir_all(path.join("a/b")).expect("made");
        std::fs::write(path.join("a/b/c"), "").expect("written");
        std::os::unix::fs::symlink(outside.path(), path.join("link")).expect("made");
        std::fs::set_permissions(path.join("a"), std::fs::Permissions::from_mode(0o000)).expect("set");
        drop(scratch);
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
        let held = File::open(base.path().join(used)).expect("there");
        flock(&held, FlockOperation::NonBlockingLockExclusive).expect("locked");
        sweep(base.path(), YOUNG);
        assert!(base.path().join(left).exists(), "it is young");
        sweep(base.path(), Duration::ZERO);
        let is_there = |name| base.path().join(name).exists();
        assert_eq!([left, used, other].map(is_there), [false, true, true]);
    }
}
