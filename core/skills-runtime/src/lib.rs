//! Gives generated code the handles of a bundle: skills, prompts, tools for models, and typed values.
//!
//! Programs use it through the facade `skills`. The crates that install, run, call and load skills build on it.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod bundle;
pub mod capabilities;
#[cfg(feature = "include_dir")]
mod dir;
#[cfg(feature = "layers")]
pub mod layers;
#[cfg(feature = "tools")]
pub mod listing;
mod macros;
pub mod tools;
pub mod trust;
#[cfg(feature = "typed")]
pub mod typed;

pub use bundle::Bundle;
#[cfg(feature = "include_dir")]
pub use dir::Dirs;
#[cfg(feature = "include_dir")]
pub use include_dir;
pub use skills_registry::{
    Backend, CatalogEntry, Filter, Hit, Hits, McpServer, McpServers, Metadata, Mode, Net, NotFound,
    Permissions, PinnedTool, Project, Prompt, Registry, Resource, Resources, Skill, Skills, Style, Tables,
    Texts, ToolFormat, Triggers, fill_arguments, ranked,
};
#[cfg(feature = "typed")]
pub use typed::{Invalid, Malformed, Repair, Violation};

#[cfg(feature = "typed")]
#[doc(hidden)]
pub use typed::names as p;
