//! The tables that a bundle of skills compiles to, the handles that read them, and the texts for models.
//!
//! ```text
//! CompiledSkill… -> write -> Parts -> Tables -> Registry -> Skill, Resource, prompt
//! ```
//!
//! A build writes the tables (`skills-build`), and a program reads them in place: nothing is parsed, copied
//! or allocated at start. Skills on disk are turned into the same tables at run time.

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
mod metadata;
mod names;
mod not_found;
mod permissions;
mod project;
mod registry;
mod resource;
mod rows;
mod search;
mod servers;
mod skill;
mod tables;
mod trigger;
mod write;

pub use arguments::fill as fill_arguments;
pub use asked::{AskedFault, AskedPath};
pub use available::{is_on_path, requirement};
pub use backend::{Backend, Mode};
pub use catalog::{BUDGET as CATALOG_BUDGET, CatalogEntry, Prompt, Style, estimated_tokens};
pub use declared::Declared;
pub use facts::{CompiledFile, CompiledSkill, Facts, FunctionFacts, PinnedTool};
pub use filter::Filter;
pub use metadata::Metadata;
pub use names::{ident_key, is_standard_name, plugin_name_fault, same_directory, standard_name};
pub use not_found::NotFound;
pub use permissions::{Net, Permissions, host_covers};
pub use project::Project;
pub use registry::{Registry, Skills, all_tools};
pub use resource::{
    MATERIAL, MAX_BYTES, MAX_FILES, Resource, Resources, SKILL_SCHEME, is_material, is_never_material,
    parse_skill_uri, skill_uri,
};
pub use rows::{Texts, TooLarge};
pub use search::{Hit, Hits, ranked};
pub use servers::{McpServer, McpServers, ServerFacts};
pub use skill::{Skill, SkillVerifier, Source};
pub use skills_text::ToolFormat;
pub use tables::{LateText, Piece, ReadLate, Tables};
pub use trigger::Triggers;
pub use write::{Layout, Parts, write};

/// The version of the row format. Tables of another version are not read.
///
/// It follows from the columns of all rows. The first number is raised if the meaning of a column changes, or the form of
/// data that is not a row, such as the search index.
pub const FORMAT: u32 = rows::hash_numbers(&[
    12,
    rows::Header::LAYOUT,
    rows::SkillRow::LAYOUT,
    rows::FileRow::LAYOUT,
    Facts::LAYOUT,
    FunctionFacts::LAYOUT,
    Declared::LAYOUT,
    ServerFacts::LAYOUT,
]);
