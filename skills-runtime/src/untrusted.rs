//! A skill that nobody answers for, why, and what to say so that it may run (SPEC 14.6, 14.10).

use std::fmt;
use std::path::PathBuf;

use skills_registry::shell_path;

/// Why a skill does nothing. `Display` says so, and what to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrusted {
    /// The skill's name.
    pub skill: String,
    /// Its directory.
    pub directory: PathBuf,
    /// The directory of skills that it lies in: what `skills trust` is given.
    pub place: PathBuf,
    /// Why nobody answers for it.
    pub why: Doubt,
}

/// Why nobody answers for a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// It is of a workspace, and nobody has said that it may run.
    Unsaid,
    /// Somebody has, and its files are not those any more: a line for each file.
    Changed(String),
    /// A signature is required, and it is not what the key has signed: the reason, in one or more lines (SPEC 14.6).
    Unsigned(String),
}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { skill, directory, place, why } = self;
        let (directory, place) = (directory.display(), shell_path(place));
        match why {
            Doubt::Unsaid => write!(
                f,
                "skill \"{skill}\" is of a workspace that is not trusted: look at {directory}, then say `skills trust \
                 {place}`"
            ),
            Doubt::Changed(changed) => write!(
                f,
                "skill \"{skill}\" is of a workspace that has changed since it was trusted: look at {directory}, then \
                 say `skills trust {place}`\n{changed}"
            ),
            Doubt::Unsigned(reason) => write!(f, "skill \"{skill}\" is refused, at {directory}: {reason}"),
        }
    }
}

impl std::error::Error for Untrusted {}
