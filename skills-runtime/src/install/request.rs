//! What is asked for: of which bundle, at which target, and how; `draft` answers it.

use std::io;
use std::path::{Path, PathBuf};

use skills_files::Dir;
use skills_registry::Registry;

use super::error::InstallError;
use super::options::InstallOptions;

/// The directory below the target that holds the skills.
pub(super) const SKILLS: &str = "skills";

/// What is asked for.
#[derive(Clone, Debug)]
pub(super) struct Request<'a> {
    /// The bundle to install; none when skills are to be removed.
    pub(super) registry: Option<&'a Registry>,
    pub(super) target: PathBuf,
    pub(super) options: InstallOptions,
}

impl Request<'_> {
    /// Returns the path of the directory that holds the skills.
    pub(super) fn path(&self) -> PathBuf {
        self.target.join(SKILLS)
    }

    /// Opens that directory; nothing when it is missing.
    pub(super) fn open(&self) -> Result<Option<Dir>, InstallError> {
        let missing = |error: io::Error, path: &Path| match error.kind() {
            io::ErrorKind::NotFound => Ok(None),
            _ => Err(InstallError::at("open", path)(error)),
        };
        let target = match Dir::open(&self.target) {
            Ok(target) => target,
            Err(error) => return missing(error, &self.target),
        };
        target.open_dir(SKILLS.as_ref()).map(Some).or_else(|error| missing(error, &self.path()))
    }
}
