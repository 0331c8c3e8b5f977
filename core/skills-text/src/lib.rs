//! Reads and writes the small notations in the texts of skills: escapes and quotes, numbers, sizes and
//! durations, relative paths, JSON, and hidden characters. Every other crate uses it.
//!
//! It also compares, indexes and sorts names with little generated code, because each build with the macro
//! compiles it.

mod braces;
mod cut;
mod decimal;
mod duration;
mod fold;
mod frontmatter;
mod hex;
mod home;
pub mod json;
mod loopback;
mod markup;
mod nearest;
mod order;
mod percent;
mod places;
mod quote;
mod rel_path;
mod secret;
mod shebang;
mod shell;
mod shown;
mod size;
mod tool_format;
mod words;
#[doc(hidden)]
pub mod work;
mod wrap;
mod yaml;

pub use braces::{plain_braces, raw_end};
pub use cut::{cut, floor};
pub use decimal::{Decimal, is_digits};
pub use duration::{FUNCTION_TIMEOUT_MS, parse_timeout, write_timeout};
pub use fold::{fold, fold_char};
pub use frontmatter::{frontmatter_tag, unmarked};
pub use hex::{hex, unhex};
pub use home::expand_home;
pub use loopback::is_loopback;
pub use markup::entity;
pub use nearest::{edit_distance, nearest};
pub use order::{lower_bound, order, sort};
pub use percent::{percent_decoded, percent_decoded_text, percent_encoded, percent_encoded_path};
pub use places::Places;
pub use quote::push_quoted;
pub use rel_path::{is_exact_path, leads_up, path_below, path_fault, path_names};
pub use secret::{is_secret_header, is_secret_name};
pub use shebang::{has_crlf_shebang, shebang};
pub use shell::{shell_path, shell_word};
pub use shown::{clean, hidden_runs, is_hidden, push_visible, visible};
pub use size::{parse_size, write_size};
pub use tool_format::ToolFormat;
pub use words::split_words;
pub use wrap::wrap;
pub use yaml::{push_yaml_key, push_yaml_quoted, yaml_text};
