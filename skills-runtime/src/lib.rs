//! What generated code names: the registry and everything that runs a skill.

#[cfg(all(feature = "exec", unix))]
pub mod cache;
#[cfg(feature = "exec")]
pub mod exec;
