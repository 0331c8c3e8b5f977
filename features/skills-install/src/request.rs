//! A request: the bundle, the target and the options. `draft` computes the answer.

use std::io;
use std::path::PathBuf;

use skills_files::{Dir, Root, fault};
use skills_registry::Registry;

use super::error::InstallError;
use super::options::InstallOptions;
use super::target::Target;

/// The operation that is requested.
#[derive(Clone, Debug)]
pub(super) struct Request<'a> {
    /// The bundle to install. `None` for a removal.
    pub(super) registry: Option<&'a Registry>,
    pub(super) target: Target,
    pub(super) options: InstallOptions,
}

impl Request<'_> {
    /// Returns the path of the directory of the skills.
    pub(super) fn path(&self) -> PathBuf {
        self.target.skills()
    }

    /// Opens that directory. Returns `None` if it is missing.
    pub(super) fn open(&self) -> Result<Option<Dir>, InstallError> {
        let missing = |error: InstallError| match error {
            InstallError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => Ok(None),
            error => Err(error),
        };
        let target = match self.open_target(false) {
            Ok(target) => target,
            Err(error) => return missing(error),
        };
        let below = self.target.below;
        if below.is_empty() {
            return Ok(Some(target));
        }
        let skills = target.open_dir(below.as_ref()).map_err(InstallError::at("open", self.path()));
        skills.map(Some).or_else(missing)
    }

    /// Creates the target and the directory of the skills.
    pub(super) fn create(&self) -> Result<Dir, InstallError> {
        fault::point().map_err(InstallError::at("make", &self.target.above))?;
        let target = self.open_target(true)?;
        let below = self.target.below;
        if below.is_empty() {
            return Ok(target);
        }
        target.open_or_create_dir(below.as_ref()).map_err(InstallError::at("make", self.path()))
    }

    /// Opens the target, and refuses a link that leads it out of the directory that must contain it. With `creates`,
    /// missing directories are created.
    fn open_target(&self, creates: bool) -> Result<Dir, InstallError> {
        let doing = if creates { "make" } else { "open" };
        let Some(within) = &self.options.within else {
            let above = &self.target.above;
            let made = if creates { std::fs::create_dir_all(above) } else { Ok(()) };
            let opened = made.and_then(|()| Dir::open(above));
            return opened.map_err(InstallError::at(doing, above));
        };
        let open = || {
            let target = std::env::current_dir()?.canonicalize()?.join(&self.target.above);
            let root = Root::open(within)?;
            if creates { root.create_dir(&target) } else { root.open_dir(&target) }
        };
        open().map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => {
                InstallError::LeadsOut { target: self.target.above.clone(), within: within.clone() }
            }
            _ => InstallError::at(doing, &self.target.above)(error),
        })
    }
}
