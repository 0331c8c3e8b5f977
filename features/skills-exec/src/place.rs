//! The files of a skill become a directory that its program can run in: its own, or one in the cache (SPEC 7.4).

use std::path::PathBuf;

#[cfg(unix)]
use skills_registry::Resource;
use skills_registry::Skill;

use super::{NotRun, Request, RunOptions};
#[cfg(unix)]
use crate::cache::{Cache, File, Unpacked};

/// Where the files of a skill are. Keep it while the program runs: an unpacked directory may go with it.
#[derive(Debug)]
pub(super) enum Place {
    /// Where the skill lies.
    Own(PathBuf),
    /// Where the files of a skill of this program were written.
    #[cfg(unix)]
    Unpacked(Unpacked),
}

impl Place {
    /// Finds or makes the directory; on a system that runs no programs, none is made.
    pub(super) fn of(skill: Skill<'_>, options: &RunOptions) -> Result<Self, NotRun> {
        #[cfg(unix)]
        if options.directory.is_none() && skill.is_bundled() {
            return Self::unpack(skill.files(), &options.cache);
        }
        Ok(Self::Own(options.directory.clone().unwrap_or_else(|| PathBuf::from(skill.base()))))
    }

    /// Makes a directory of files in memory.
    #[cfg(unix)]
    pub(super) fn unpack<'f>(
        files: impl IntoIterator<Item = Resource<'f>>,
        cache: &Cache,
    ) -> Result<Self, NotRun> {
        let files: Vec<File<'_>> = files.into_iter().map(File::from).collect();
        cache.unpack(&files).map(Self::Unpacked).map_err(NotRun::Unpack)
    }

    /// Says in a request where its files are.
    pub(super) fn settle(&self, request: &mut Request) {
        let directory = match self {
            Self::Own(directory) => directory,
            #[cfg(unix)]
            Self::Unpacked(unpacked) => unpacked.path(),
        };
        request.program = directory.join(&request.program);
        request.directory = directory.to_path_buf();
    }
}
