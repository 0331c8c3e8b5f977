//! Trust in the places that skills come from, which decides whether skills are active.
//!
//! ```text
//! directory of a workspace -> Book, or a predicate of the program -> Trust
//! ```
//!
//! Skills of a workspace, which may be a freshly cloned repository, are inactive until the user trusts them:
//! they are not run, not called, not shown to a model, and bring no MCP servers.

#[cfg(feature = "load")]
mod book;
#[cfg(feature = "load")]
mod file;
#[cfg(feature = "load")]
mod judge;
mod untrusted;

#[cfg(feature = "load")]
pub use book::{Book, BookError, Standing};
#[cfg(feature = "load")]
pub use file::Entry;
#[cfg(feature = "load")]
pub(crate) use judge::{Judge, Lost, Predicate, Word};
pub use untrusted::{Doubt, Untrusted};

/// A skill of a workspace, as the argument of a trust predicate.
#[cfg(feature = "load")]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The skill's name.
    pub name: &'a str,
    /// The real path of the directory of skills.
    pub root: &'a std::path::Path,
    /// The directory of the skill, below the root.
    pub directory: &'a std::path::Path,
}

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
    Said,
    /// Not trusted: it is in a workspace, and the user has not trusted it.
    Nobody,
}

impl Trust {
    /// Returns `true` if the skill may be run, called and shown to a model, and may bring MCP servers.
    pub fn may_run(self) -> bool {
        self != Self::Nobody
    }

    /// Returns `true` if the trust in these files lasts beyond this run: they are part of the program, in a
    /// directory of the user, or in a workspace that the user trusted. A directory that was only named is
    /// trusted for this run.
    pub fn is_lasting(self) -> bool {
        !matches!(self, Self::Named | Self::Nobody)
    }
}
