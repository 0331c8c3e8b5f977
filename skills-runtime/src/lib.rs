//! What generated code names: the registry and everything that runs a skill.

#[cfg(feature = "install")]
pub mod install;
