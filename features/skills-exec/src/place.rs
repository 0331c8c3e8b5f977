//! Finds the directory in which the program of a skill runs: the directory of the skill, or one in the cache.

use std::path::PathBuf;
use std::sync::Arc;

#[cfg(unix)]
use skills_registry::Resource;
use skills_registry::Skill;

use super::{CheckedCopy, NotRun, Request, RunOptions};
#[cfg(unix)]
use crate::cache::{Cache, CacheError, File, Unpacked};

/// The location of the files of a skill. Keep it while the program runs: dropping it may remove an unpacked
/// directory.
#[derive(Debug)]
pub(super) enum RunFiles {
    /// The directory of the skill itself.
    Own(PathBuf),
    /// A private copy of checked files.
    Copy(Arc<CheckedCopy>),
    /// The directory into which a skill that is compiled into this program was unpacked.
    #[cfg(unix)]
    Unpacked(Unpacked),
}

impl RunFiles {
    /// Finds or creates the directory. Creates none on systems where programs cannot run.
    pub(super) fn choose(skill: Skill<'_>, options: &RunOptions) -> Result<Self, NotRun> {
        #[cfg(unix)]
        if options.directory.is_none() && skill.is_bundled() {
            return Self::unpack(skill.files(), &options.cache);
        }
        Ok(Self::Own(options.directory.clone().unwrap_or_else(|| PathBuf::from(skill.base()))))
    }

    /// Unpacks files in memory into a directory.
    #[cfg(unix)]
    pub(super) fn unpack<'f>(
        files: impl IntoIterator<Item = Resource<'f>>,
        cache: &Cache,
    ) -> Result<Self, NotRun> {
        let mut read = Vec::new();
        for file in files {
            if let Some(reason) = file.fault() {
                return Err(NotRun::Unpack(CacheError::Unusable { refused: reason.to_owned() }));
            }
            read.push(File::from(file));
        }
        cache.unpack(&read).map(Self::Unpacked).map_err(NotRun::Unpack)
    }

    /// Writes the paths of the files into a request.
    pub(super) fn settle(&self, request: &mut Request) {
        let directory = match self {
            Self::Own(directory) => directory.as_path(),
            Self::Copy(copy) => copy.directory(),
            #[cfg(unix)]
            Self::Unpacked(unpacked) => unpacked.path(),
        };
        request.program = directory.join(&request.program);
        request.directory = directory.to_path_buf();
    }
}
