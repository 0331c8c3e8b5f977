//! The private copy of a skill whose files were checked before a run.

use std::path::{Path, PathBuf};

#[cfg(unix)]
use skills_files::ScratchDir;

/// A private copy of the files of a skill, made while their digests were checked. The program runs from it, so
/// nobody can exchange a file between the check and the start.
///
/// Keep this value while the program runs: dropping it removes the copy.
#[derive(Debug)]
pub struct CheckedCopy {
    directory: PathBuf,
    #[cfg(unix)]
    _scratch: ScratchDir,
}

impl CheckedCopy {
    /// Creates a copy from the directory of the skill and the temporary directory that contains it.
    #[cfg(unix)]
    pub fn new(directory: PathBuf, scratch: ScratchDir) -> Self {
        Self { directory, _scratch: scratch }
    }

    /// Returns the directory of the skill in the copy.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}
