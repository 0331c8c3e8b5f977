//! Whether a skill may run, be called and be shown to a model.

pub use crate::untrusted::{Doubt, Untrusted};

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
