//! Whether a skill may run, be called and be shown to a model.

use std::fmt;
use std::path::PathBuf;

use skills_text::{shell_path, visible};

/// Whether and why a skill is trusted.
///
/// An untrusted skill runs nothing; see [`Trust::may_run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trust {
    /// Trusted: it is part of the program, or is in the source directory of its bundle.
    Program,
    /// Trusted: it is in a directory of the user, below the home.
    User,
    /// Trusted: it is in a directory that the program or the command line named for this run.
    Named,
    /// Trusted: it is in a workspace, the user trusted it, and its files have not changed since.
    Approved,
    /// Trusted: it is in a directory in which the user writes skills, so edits keep the trust.
    Followed,
    /// Not trusted: it is in a workspace, and the user has not trusted it.
    Untrusted,
}

impl Trust {
    /// Returns `true` if the skill may be run, called and shown to a model, and if its MCP servers may be
    /// used.
    pub fn may_run(self) -> bool {
        self != Self::Untrusted
    }

    /// Returns `true` if the trust in these files lasts beyond this run: they are part of the program, in a
    /// directory of the user, or in a workspace that the user trusted. A directory that was only named is
    /// trusted for this run.
    pub fn is_lasting(self) -> bool {
        !matches!(self, Self::Named | Self::Untrusted)
    }
}

/// The reason why a skill is inactive. `Display` includes the command to trust it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untrusted {
    /// The skill's name.
    pub skill: String,
    /// Its directory.
    pub directory: PathBuf,
    /// The directory of skills that contains it: the argument for `skills trust`.
    pub place: PathBuf,
    /// The reason.
    pub why: TrustReason,
}

/// The reason why a skill is not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrustReason {
    /// It is in a workspace that the user has not trusted.
    Undecided,
    /// The user trusted it, but its files have changed since: a line for each file.
    Changed(String),
    /// It is in a directory whose edits are followed, but the user has not written it.
    Added {
        /// The source that `skills.lock` names, or the path of the repository that contains it.
        source: String,
    },
    /// It is in a directory whose edits are followed, but its own are not: the reason, with what to do.
    NotFollowed(String),
    /// It is in a directory whose edits are followed, but the user or `skills add` has excluded it.
    Excluded,
    /// A signature is required, but the key has not signed the current files: the reason, in one or more
    /// lines.
    Unsigned(String),
    /// It is on a server, and the user has not approved its current files.
    Unapproved {
        /// The address of the server.
        server: String,
        /// How its files have changed since the user approved them: a line for each file.
        changed: Option<String>,
    },
}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { skill, directory, place, why } = self;
        let (directory, place) = (visible(&directory.to_string_lossy()), visible(&shell_path(place)));
        match why {
            TrustReason::Undecided => write!(
                f,
                "skill \"{skill}\" is in a workspace that is not trusted: review {directory}, then run `skills trust \
                 {place}`"
            ),
            TrustReason::Changed(changed) => write!(
                f,
                "skill \"{skill}\" is in a workspace that has changed since it was trusted: review {directory}, then \
                 run `skills trust {place}`\n{changed}"
            ),
            TrustReason::Added { source } => {
                let own = visible(&shell_path(&self.directory));
                write!(
                    f,
                    "skill \"{skill}\" comes from {source}, and is not trusted: review {directory}, then run `skills \
                     trust {own}`"
                )
            }
            TrustReason::NotFollowed(reason) => {
                write!(f, "skill \"{skill}\" is not trusted: {reason}")
            }
            TrustReason::Excluded => {
                let own = visible(&shell_path(&self.directory));
                write!(
                    f,
                    "skill \"{skill}\" is not trusted, because edits of its files are not followed: review {directory}, then \
                     run `skills trust {own}`"
                )
            }
            TrustReason::Unapproved { server, changed } => {
                let server = skills_text::shell_word(server);
                let what = match changed {
                    None => "is not approved",
                    Some(_) => "has changed since it was approved",
                };
                write!(
                    f,
                    "skill \"{skill}\" of an MCP server {what}: review it, then run `skills trust --mcp {server}`"
                )?;
                changed.iter().try_for_each(|changed| write!(f, "\n{changed}"))
            }
            TrustReason::Unsigned(reason) => {
                write!(f, "skill \"{skill}\" is refused, at {directory}: {reason}")
            }
        }
    }
}

impl std::error::Error for Untrusted {}

/// The reason why the program of a skill may not run, although the skill was trusted when it was read.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckError {
    /// Its files differ from the files that were trusted or signed.
    Untrusted(Box<Untrusted>),
    /// Its files cannot be copied.
    Copy(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untrusted(untrusted) => untrusted.fmt(f),
            Self::Copy(reason) => write!(f, "the files of the skill cannot be copied: {reason}"),
        }
    }
}

impl std::error::Error for CheckError {}

/// A fault of the files of a skill, without the name of the skill.
#[doc(hidden)]
#[derive(Debug)]
pub enum CheckFault {
    /// They differ from the files that were trusted or signed.
    Trust(TrustReason),
    /// They cannot be copied.
    Copy(String),
}

impl CheckFault {
    /// Adds the skill to the reason.
    #[cfg(all(feature = "layers", unix))]
    pub(crate) fn name_skill(self, name: impl FnOnce(TrustReason) -> Untrusted) -> CheckError {
        match self {
            Self::Trust(why) => CheckError::Untrusted(Box::new(name(why))),
            Self::Copy(reason) => CheckError::Copy(reason),
        }
    }
}
