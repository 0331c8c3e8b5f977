//! The tables a bundle of skills compiles to, the handles that read them, and the texts a model sees.
//!
//! ```text
//! Record… -> write -> Parts -> Tables -> Registry -> Skill, Resource, prompt
//! ```
//!
//! A build writes the tables (`skills-build`), a program reads them where they lie: nothing is parsed, copied or
//! allocated when it starts. Skills on disk become the same tables at run time. The crate depends on nothing.

mod available;
pub mod catalog;
mod duration;
mod hash;
mod layout;
mod list;
mod nearest;
mod not_found;
mod record;
mod registry;
mod resource;
mod skill;
mod tables;
mod tool;
mod write;

pub use available::is_on_path;
pub use catalog::{Prompt, Style};
pub use duration::{parse_timeout, write_timeout};
pub use list::{McpServer, McpServers, Texts};
pub use nearest::nearest;
pub use not_found::NotFound;
pub use record::{FileRecord, McpRecord, Record, SignatureRecord};
pub use registry::{Registry, Skills};
pub use resource::{Resource, Resources};
pub use skill::{Mode, Skill};
pub use tables::Tables;
pub use tool::ToolFormat;
pub use write::{Layout, Parts, TooLarge, write};

/// The format of the rows: a build of another format is never read.
pub const FORMAT: u32 = 2;
