//! The files of a skill become a directory that its program can run in: its own, or one in the cache (SPEC 7.4).

use std::path::{Path, PathBuf};

use skills_registry::Skill;

#[cfg(unix)]
use super::NotRun;
use super::RunOptions;
#[cfg(unix)]
use crate::cache::{File, Unpacked};

/// Where the files of a skill are. Keep it while the program runs: an unpacked directory may go with it.
#[derive(Debug)]
pub(crate) enum Files {
    /// Where the skill lies.
    Own(PathBuf),
    /// Where the files of a skill of this program were written.
    #[cfg(unix)]
    Unpacked(Unpacked),
}

impl Files {
    /// Finds or makes the directory.
    ///
    /// # Errors
    /// The files can be written nowhere.
    #[cfg(unix)]
    pub(crate) fn of(skill: Skill<'_>, options: &RunOptions) -> Result<Self, NotRun> {
        if options.directory.is_none() && skill.is_bundled() {
            let files: Vec<File<'_>> = skill.files().map(File::from).collect();
            return options.cache.unpack(&files).map(Self::Unpacked).map_err(NotRun::Unpack);
        }
        Ok(Self::Own(own(skill, options)))
    }

    /// Returns the skill's own directory: no program runs here, so none is unpacked.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub(crate) fn of(skill: Skill<'_>, options: &RunOptions) -> Result<Self, super::NotRun> {
        Ok(Self::Own(own(skill, options)))
    }

    /// Returns the directory.
    pub(crate) fn directory(&self) -> &Path {
        match self {
            Self::Own(directory) => directory,
            #[cfg(unix)]
            Self::Unpacked(unpacked) => unpacked.path(),
        }
    }
}

/// Returns the directory that a skill is known to lie in, whether or not it is one.
pub(super) fn own(skill: Skill<'_>, options: &RunOptions) -> PathBuf {
    options.directory.clone().unwrap_or_else(|| PathBuf::from(skill.base()))
}
