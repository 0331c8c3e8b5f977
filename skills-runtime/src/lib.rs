//! The registry of a program's skills and all that runs them, by features; the facade `skills` shows it to programs.

#[cfg(all(feature = "exec", unix))]
mod aside;
#[cfg(feature = "exec")]
pub mod at_hand;
#[cfg(feature = "call")]
mod boxed;
mod bundle;
#[cfg(all(feature = "exec", unix))]
pub mod cache;
#[cfg(feature = "call")]
pub mod call;
#[cfg(feature = "load")]
pub mod compat;
#[cfg(feature = "include_dir")]
mod dir;
#[cfg(any(feature = "call", feature = "install"))]
mod document;
#[cfg(feature = "eval")]
pub mod eval;
#[cfg(feature = "exec")]
pub mod exec;
#[cfg(feature = "graph")]
pub mod graph;
#[cfg(any(feature = "call", feature = "load", all(feature = "exec", unix)))]
mod held;
#[cfg(feature = "install")]
pub mod install;
#[cfg(feature = "listing")]
pub mod listing;
#[cfg(feature = "load")]
pub mod load;
mod macros;
#[cfg(feature = "call")]
pub mod model;
#[cfg(feature = "projects")]
pub mod projects;
#[cfg(all(feature = "exec", unix))]
mod remove;
#[cfg(feature = "exec")]
mod run_id;
#[cfg(any(feature = "exec", feature = "install", feature = "load"))]
mod setters;
#[cfg(feature = "signatures")]
pub mod signatures;
#[cfg(feature = "call")]
pub mod testing;
pub mod tools;
#[cfg(feature = "call")]
pub mod trace;
#[cfg(any(feature = "exec", feature = "load"))]
pub mod trust;
#[cfg(feature = "typed")]
pub mod typed;

pub use bundle::Bundle;
#[cfg(feature = "include_dir")]
pub use dir::Dirs;
#[cfg(feature = "call")]
pub use document::Published;
#[cfg(feature = "include_dir")]
pub use include_dir;
pub use skills_registry::{
    Filter, Hit, Hits, McpServer, McpServers, Mode, NotFound, Project, Prompt, Registry, Resource, Resources,
    Skill, Skills, Style, Tables, Texts, ToolFormat, Triggers, Way, collect_all_mcp_servers, fill_arguments,
    get_project_instructions, is_on_path, match_skill_triggers, ranked,
};
#[cfg(feature = "typed")]
pub use typed::{Invalid, Malformed, Repair, Violation};

#[cfg(feature = "call")]
#[doc(hidden)]
pub use call::names as c;
#[cfg(feature = "typed")]
#[doc(hidden)]
pub use typed::names as p;
