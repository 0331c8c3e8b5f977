//! Whether a skill may run, be called and be shown to a model.

pub use crate::untrusted::{TrustReason, Untrusted};

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
