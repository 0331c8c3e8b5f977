//! Records who vouches for the source of a skill, which decides whether the skill may do anything.
//!
//! ```text
//! directory of a workspace -> Book, or a predicate of the program -> Trust
//! ```
//!
//! Skills of a workspace, which may be a repository that was just cloned, do nothing until the user trusts them: they
//! are not run, not called, not shown to a model, and bring no MCP servers.

mod check;
mod decision;
mod file;
mod store;

pub(crate) use check::CheckFault;
pub(crate) use decision::{Lost, Predicate, TrustChecker, TrustDecision};
pub use file::Entry;
pub use skills_runtime::trust::{Trust, TrustReason, Untrusted};
pub use store::{TrustStatus, TrustStore, TrustStoreError, permissions};

/// A skill of a workspace, for a predicate that says whether it may do anything.
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
