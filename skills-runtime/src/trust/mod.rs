//! Who answers for the place that a skill comes from, and so whether it may do anything (SPEC 14.8 to 14.15, 14.18).
//!
//! ```text
//! directory of a workspace -> Book, or a predicate of the program -> Trust
//! ```
//!
//! Skills of a workspace, which may be a repository that was just cloned, do nothing until somebody says that they may: they
//! are not run, not called, not shown to a model, and bring no MCP servers.

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

/// A skill of a workspace, for a predicate that says whether it may do anything.
#[cfg(feature = "load")]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The skill's name.
    pub name: &'a str,
    /// The directory of skills, by its real path.
    pub root: &'a std::path::Path,
    /// The directory of the skill, below that.
    pub directory: &'a std::path::Path,
}

/// Who answers for a skill: its program, the user, or nobody.
///
/// What nobody answers for runs nothing; see [`Trust::may_run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trust {
    /// It is part of the program, or lies in the directory that its bundle is made of.
    Program,
    /// It lies in a directory of the user's own, below the home.
    User,
    /// It lies in a directory that was named for this run, by the program or on the command line.
    Named,
    /// It lies in a workspace, and somebody said once that it may run: its files are as they were then.
    Said,
    /// It lies in a workspace, and nobody has said so.
    Nobody,
}

impl Trust {
    /// Tells whether the skill may be run, called and shown to a model, and may bring MCP servers.
    pub fn may_run(self) -> bool {
        self != Self::Nobody
    }

    /// Tells whether somebody answers for these very files beyond this run: the program, the user whose directory it is, or
    /// whoever said so of a workspace. A directory that was merely named for a run has nobody's word but that.
    pub fn is_lasting(self) -> bool {
        !matches!(self, Self::Named | Self::Nobody)
    }
}
