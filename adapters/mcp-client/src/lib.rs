//! Connects to a server of the Model Context Protocol as a client, over stdio or streamable HTTP.
//!
//! ```text
//! ServerAddress -> Approved (typed, configured, or stored by the user's approval)
//!               -> Connection (opened when needed, opened again when lost)
//!               -> tools, call, read, skills, skill, changes
//! Servers       -> the connections by which a runner calls skills of mode `mcp`
//! ```
//!
//! The server may be hostile: sizes, times and messages have [`Limits`], and its requests are refused unless
//! the host has a handler ([`Input`]).

#![cfg_attr(docsrs, feature(doc_cfg))]

mod address;
mod approved;
mod command_line;
mod connection;
mod error;
mod guard;
mod handler;
#[cfg(feature = "host")]
pub mod host;
mod http;
#[cfg(feature = "oauth")]
mod oauth;
mod open;
mod options;
mod session;
mod skills;
mod task;
mod tools;

pub use address::ServerAddress;
pub use approved::{Approved, ProjectServer, ServerUse, keep_approvals};
pub use connection::{Call, Connection};
pub use error::Error;
pub use handler::{CallProgress, Changed, Input};
#[cfg(feature = "oauth")]
pub use oauth::Logins;
pub use options::{Limits, Options};
pub use rmcp::model;
pub use skills::Listing;
pub use skills_exec::{Budget, Exhausted};
pub use tools::Servers;

#[cfg(all(doctest, feature = "host"))]
#[doc = include_str!("../README.md")]
struct Readme;
