//! A request: the bundle, the target and the options. `draft` computes the answer.

use std::io;
use std::path::PathBuf;

use skills_files::{Dir, Root, fault, is};
use skills_registry::Registry;

use super::error::{Fallible, InstallError};
use super::options::InstallOptions;
use super::target::Target;

/// The operation that is requested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    /// The bundle to install. `None` for a removal.
    pub(super) registry: Option<&'a Registry>,
    pub(super) target: &'a Target,
    pub(super) options: &'a InstallOptions,
    /// Whether only the states of the installed skills are asked for.
    pub(super) is_status: bool,
}

impl Request<'_> {
    /// Returns the path of the directory of the skills.
    #[inline(never)]
    pub(super) fn path(&self) -> PathBuf {
        self.target.skills()
    }

    /// Opens that directory. Returns `None` if it is missing.
    pub(super) fn open(&self) -> Fallible<Option<Dir>> {
        let below = self.target.below;
        let opened = self.open_target(false).and_then(|target| match below {
            "" => Ok(target),
            _ => {
                let skills = target.open_dir(below.as_ref());
                skills.map_err(|error| InstallError::refused("open", &self.target.above, &[below], error))
            }
        });
        match opened {
            Ok(skills) => Ok(Some(skills)),
            Err(error) => match &*error {
                InstallError::Io { source, .. } if is(source, io::ErrorKind::NotFound) => {
                    error.discard();
                    Ok(None)
                }
                _ => Err(error),
            },
        }
    }

    /// Creates the target and the directory of the skills.
    pub(super) fn create(&self) -> Fallible<Dir> {
        let above = &self.target.above;
        fault::point().map_err(|error| InstallError::refused("make", above, &[], error))?;
        let target = self.open_target(true)?;
        let below = self.target.below;
        if below.is_empty() {
            return Ok(target);
        }
        let skills = target.open_or_create_dir(below.as_ref());
        skills.map_err(|error| InstallError::refused("make", above, &[below], error))
    }

    /// Opens the target, and refuses a link that leads it out of the directory that must contain it. With `creates`,
    /// missing directories are created.
    fn open_target(&self, creates: bool) -> Fallible<Dir> {
        let above = &self.target.above;
        let opened = match &self.options.within {
            None if creates => Dir::create_all(above),
            None => Dir::open(above),
            Some(within) => open_within(within, above, creates),
        };
        opened.map_err(|error| match &self.options.within {
            Some(within) if is(&error, io::ErrorKind::InvalidInput) => {
                Box::new(InstallError::LeadsOut { target: above.clone(), within: within.clone() })
            }
            _ => InstallError::refused(if creates { "make" } else { "open" }, above, &[], error),
        })
    }
}

/// Opens or creates a target that must be in a directory.
fn open_within(within: &std::path::Path, above: &std::path::Path, creates: bool) -> io::Result<Dir> {
    let target = std::env::current_dir()?.canonicalize()?.join(above);
    let root = Root::open(within)?;
    if creates { root.create_dir(&target) } else { root.open_dir(&target) }
}
