//! Offers the skills of MCP servers as layers: a host of the Skills extension (SEP-2640).
//!
//! ```text
//! McpHost -> McpSkills (one server) -> entry (checked) -> skills_load::RemoteSkills -> Layer
//!                                   -> files (verified, cached)
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cache;
mod entry;
mod host;
mod skills;

pub use cache::Cache;
pub use host::McpHost;
pub use skills::McpSkills;
pub use skills_mcp_client::{Approved, Error, Limits, Options, ServerAddress};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
