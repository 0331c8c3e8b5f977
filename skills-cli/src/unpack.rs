//! The files of a skill become a directory that its program can run in: its own on disk, or one in the cache (SPEC 7.4).

use std::path::{Path, PathBuf};

use skills_registry::Skill;
#[cfg(unix)]
use skills_runtime::cache::{File, Unpacked};
#[cfg(unix)]
use skills_runtime::exec::RunOptions;

use crate::shelf::Item;

/// The directory of a skill. Keep it while the program runs: an unpacked one may go with it.
pub(crate) enum Place {
    /// Where the skill lies.
    Own(PathBuf),
    /// Where the files of a skill of this program were written.
    #[cfg(unix)]
    Unpacked(Unpacked),
}

impl Place {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Own(path) => path,
            #[cfg(unix)]
            Self::Unpacked(unpacked) => unpacked.path(),
        }
    }
}

/// Finds or makes the directory.
///
/// # Errors
/// The files can be written nowhere.
pub(crate) fn place(item: &Item<'_>) -> Result<Place, String> {
    match &item.directory {
        Some(directory) => Ok(Place::Own(directory.clone())),
        None => unpack(item.skill),
    }
}

#[cfg(unix)]
fn unpack(skill: Skill<'_>) -> Result<Place, String> {
    let files: Vec<File<'_>> = skill.files().map(File::from).collect();
    let unpacked = RunOptions::of_process().cache.unpack(&files);
    unpacked.map(Place::Unpacked).map_err(|error| format!("error: {error}"))
}

#[cfg(not(unix))]
fn unpack(skill: Skill<'_>) -> Result<Place, String> {
    Err(format!("error: skill \"{}\": the programs of skills run on Unix only", skill.name()))
}
