//! A directory for temporary files that a run has for itself, removed after it (SPEC 13.10).

use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::run_id::RunId;

/// The directory; dropped, it is removed with all that is in it.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes it, for this user alone.
    pub(super) fn new(run_id: &RunId) -> io::Result<Self> {
        let base = std::env::temp_dir();
        let base = base.canonicalize().unwrap_or(base);
        let path = base.join(format!("skills-run-{run_id}"));
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if std::fs::remove_dir_all(&self.0).is_err() {
            // The program has closed directories to its user, too. It has ended, so nothing changes meanwhile.
            open_all(&self.0);
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// Opens directories to their owner again, following no link.
fn open_all(top: &Path) {
    let mut open = vec![top.to_owned()];
    while let Some(path) = open.pop() {
        let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700));
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        open.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
}

#[cfg(test)]
mod tests {
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
}
