//! What generated code names: the registry and everything that runs a skill.

#[cfg(feature = "include_dir")]
mod dir;

#[cfg(feature = "include_dir")]
pub use dir::Dirs;
#[cfg(feature = "include_dir")]
pub use include_dir;
pub use skills_registry::{
    McpServer, McpServers, Mode, NotFound, Prompt, Registry, Resource, Resources, Skill, Skills, Style,
    Tables, Texts, is_on_path,
};
