//! Decides whether a skill is trusted, by the source from which it comes. An untrusted skill may do nothing.
//!
//! ```text
//! directory of a workspace -> TrustStore, or a predicate of the program -> Trust
//! ```
//!
//! Skills of a workspace, which may be a repository that was just cloned, do nothing until the user trusts them: they
//! are not run, not called and not shown to a model, and their MCP servers are not used.

mod check;
mod decision;
mod file;
mod followed;
mod store;

pub(crate) use decision::{ChangedDirectory, Predicate, ReadRoot, TrustChecker, TrustDecision};
pub use file::Entry;
pub use followed::{FollowFault, FollowedDirectory};
pub use skills_runtime::trust::{CheckError, Trust, TrustReason, Untrusted};
pub use store::{TrustStatus, TrustStore, TrustStoreError, permissions, tool_servers};

/// A skill of a workspace, as the argument of a predicate that decides whether it is trusted.
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
