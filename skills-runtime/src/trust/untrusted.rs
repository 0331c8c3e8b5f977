//! A skill that nobody answers for, and what to say so that it may run (SPEC 14.10).

use std::fmt;
use std::path::PathBuf;

/// Why a skill of a workspace does nothing. `Display` says so, and what to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrusted {
    /// The skill's name.
    pub skill: String,
    /// Its directory.
    pub directory: PathBuf,
    /// The directory of skills that it lies in: what `skills trust` is given.
    pub place: PathBuf,
    /// In what it differs from what was trusted once, a line for each file; nothing when it never was.
    pub changed: Option<String>,
}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { skill, directory, place, changed } = self;
        let (directory, place) = (directory.display(), place.display());
        match changed {
            None => write!(
                f,
                "skill \"{skill}\" is of a workspace that is not trusted: look at {directory}, then say `skills trust \
                 {place}`"
            ),
            Some(changed) => write!(
                f,
                "skill \"{skill}\" is of a workspace that has changed since it was trusted: look at {directory}, then \
                 say `skills trust {place}`\n{changed}"
            ),
        }
    }
}

impl std::error::Error for Untrusted {}
