//! A temporary directory of one process, for a skill that cannot be cached (SPEC 7.4).

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::entry::write_all;
use super::plan::Plan;
use crate::run_id::RunId;

/// A directory that nobody else knows, removed when dropped.
#[derive(Debug)]
pub(super) struct Private(PathBuf);

impl Private {
    pub(super) fn unpack(temporary: &Path, plan: &Plan<'_>) -> io::Result<Self> {
        let path = std::path::absolute(temporary)?.join(format!("skills-exec-{}", RunId::fresh()));
        DirBuilder::new().mode(0o700).create(&path)?;
        let private = Self(path);
        write_all(private.path(), plan)?;
        Ok(private)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
