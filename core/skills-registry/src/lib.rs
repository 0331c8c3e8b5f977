//! The tables that a bundle of skills compiles to, the handles that read them, and the texts for models.
//!
//! ```text
//! Facts… -> write -> Parts -> Tables -> Registry -> Skill, Resource, prompt
//! ```
//!
//! A build writes the tables (`skills-build`), and a program reads them in place: nothing is parsed, copied
//! or allocated at start. Skills on disk are turned into the same tables at run time.

mod address;
mod arguments;
mod asked;
mod available;
mod backend;
pub mod catalog;
mod declared;
#[doc(hidden)]
pub mod document;
pub mod evals;
mod facts;
mod filter;
mod late;
mod layout;
mod list;
mod material;
mod metadata;
mod mode;
mod not_found;
mod parts;
mod permissions;
mod plugin_name;
mod project;
mod registry;
mod resource;
mod search;
mod skill;
mod source;
mod standard;
mod tables;
mod trigger;
mod verifier;
mod write;

pub use address::{SCHEME as SKILL_SCHEME, parse_skill_uri, skill_uri};
pub use arguments::fill as fill_arguments;
pub use asked::{AskedFault, AskedPath};
pub use available::{is_on_path, requirement};
pub use backend::Backend;
pub use catalog::{BUDGET as CATALOG_BUDGET, CatalogEntry, Prompt, Style, estimated_tokens};
pub use declared::Declared;
pub use facts::{Facts, FileMaterial, FunctionFacts, Material, PinnedTool, ServerFacts};
pub use filter::Filter;
pub use late::{LateText, Piece, ReadLate};
pub use list::{McpServer, McpServers, Texts};
pub use material::{MATERIAL, is_material, is_never_material};
pub use metadata::Metadata;
pub use mode::Mode;
pub use not_found::NotFound;
pub use parts::{Layout, Parts, TooLarge};
pub use permissions::{Net, Permissions, host_covers};
pub use plugin_name::plugin_name_fault;
pub use project::Project;
pub use registry::{Registry, Skills, all_tools};
pub use resource::{MAX_BYTES, MAX_FILES, Resource, Resources};
pub use search::{Hit, Hits, ranked};
pub use skill::Skill;
pub use skills_text::ToolFormat;
pub use source::Source;
pub use standard::{ident_key, is_standard_name, same_directory, standard_name};
pub use tables::Tables;
pub use trigger::Triggers;
pub use verifier::SkillVerifier;
pub use write::write;

/// The version of the row format. Tables of another version are not read.
pub const FORMAT: u32 = 10;
