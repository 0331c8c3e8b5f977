//! Serves the skills of a program as an MCP server, over standard input and output or streamable HTTP.
//!
//! ```text
//! tools      every skill that can be called, with the schemas of its input and output
//! prompts    every skill that a user may call by its name, with `$ARGUMENTS` put in
//! skills     every SKILL.md, with the Skills extension (SEP-2640): frontmatter, and a digest for each file
//! resources  the files of these skills: skill://NAME/path
//! ```
//!
//! An agent can serve the skills of its bundle with one line:
//!
//! ```no_run
//! # async fn serve(runner: skills_call::Runner) -> std::io::Result<()> {
//! skills_mcp::stdio(skills_mcp::Server::new(runner)).await // `SKILLS.with(host)`, a runner of layers, …
//! # }
//! ```
//!
//! Skills that change are served by [`Server::live`], and a [`Notifier`] notifies clients.
//!
//! Gated and internal skills are treated like unknown ones. A skill that models must not see is not a tool
//! and not listed. It is still a prompt, since only users call prompts, and its files can be read.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod call;
mod changes;
mod charge;
mod handler;
mod offer;
mod server;
mod shared;
mod wire;
mod with_skills;

pub use changes::Notifier;
pub use server::Server;
pub use skills_serve::Budget;
#[cfg(feature = "http")]
pub use skills_serve::{Guard, bind};
#[cfg(feature = "http")]
pub use wire::http::http;
pub use wire::stdio::{serve, stdio};
pub use with_skills::WithSkills;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
