//! The tables that a bundle of skills compiles to, the handles that read them, and the texts for models.
//!
//! ```text
//! Facts… -> write -> Parts -> Tables -> Registry -> Skill, Resource, prompt
//! ```
//!
//! A build writes the tables (`skills-build`), and a program reads them in place: nothing is parsed, copied
//! or allocated at start. Skills on disk are turned into the same tables at run time. The crate has no
//! dependencies.

mod address;
mod arguments;
mod asked;
mod available;
mod backend;
mod braces;
pub mod catalog;
mod cut;
mod decimal;
mod declared;
mod duration;
mod facts;
mod filter;
mod fold;
mod frontmatter;
mod hash;
mod hex;
mod home;
mod layout;
mod list;
mod loopback;
mod markup;
mod mode;
mod nearest;
mod not_found;
mod order;
mod parts;
mod percent;
mod permissions;
mod places;
mod plugin_name;
mod project;
mod quote;
mod registry;
mod rel_path;
mod resource;
mod row;
mod search;
mod secret;
mod shebang;
mod shell;
mod shown;
mod size;
mod skill;
mod standard;
mod tables;
mod tool;
mod trigger;
mod values;
mod words;
#[doc(hidden)]
pub mod work;
mod write;
mod yaml;

pub use address::{SCHEME as SKILL_SCHEME, parse_skill_uri, skill_uri};
pub use arguments::fill as fill_arguments;
pub use asked::{AskedFault, AskedPath};
pub use available::is_on_path;
pub use backend::Backend;
pub use braces::{plain_braces, raw_end};
pub use catalog::{BUDGET as CATALOG_BUDGET, Prompt, Style, estimated_tokens};
pub use cut::{cut, floor};
pub use decimal::{Decimal, is_digits};
pub use declared::Declared;
pub use duration::{FUNCTION_TIMEOUT_MS, parse_timeout, write_timeout};
pub use facts::{Facts, FileMaterial, Function, Material, Server};
pub use filter::Filter;
pub use frontmatter::{frontmatter_tag, unmarked};
pub use hex::{hex, unhex};
pub use home::expand_home;
pub use list::{McpServer, McpServers, Texts};
pub use loopback::is_loopback;
pub use markup::entity;
pub use mode::Mode;
pub use nearest::nearest;
pub use not_found::NotFound;
pub use order::{order, sort};
pub use parts::{Layout, Parts, TooLarge};
pub use percent::{percent_decoded, percent_decoded_text, percent_encoded, percent_encoded_path};
pub use permissions::{Net, Permissions};
pub use places::Places;
pub use plugin_name::plugin_name_fault;
pub use project::Project;
pub use quote::push_quoted;
pub use registry::{Registry, Skills, all_tools};
pub use rel_path::{is_exact_path, leads_up, path_below, path_fault, path_names};
pub use resource::{MOST_BYTES, MOST_FILES, Resource, Resources};
pub use search::{Hit, Hits, order_hits, ranked};
pub use secret::{is_secret_header, is_secret_name};
pub use shebang::{has_crlf_shebang, shebang};
pub use shell::{shell_path, shell_word};
pub use shown::{clean, hidden_runs, is_hidden, push_visible, visible};
pub use size::{parse_size, write_size};
pub use skill::Skill;
pub use standard::{ident_key, is_standard_name, same_directory, standard_name};
pub use tables::Tables;
pub use tool::ToolFormat;
pub use trigger::Triggers;
pub use values::json_values;
pub use words::split_words;
pub use write::write;
pub use yaml::{push_yaml_key, push_yaml_quoted, yaml_text};

/// The version of the row format. Tables of another version are not read.
pub const FORMAT: u32 = 6;
