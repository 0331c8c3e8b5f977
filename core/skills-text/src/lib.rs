//! Reads and writes the small notations in the texts of skills: escapes and quotes, numbers, sizes and
//! durations, relative paths, JSON, and hidden characters. Every other crate uses it.
//!
//! It also compares, indexes and sorts names with little generated code, because each build with the macro
//! compiles it.

mod braces;
mod decimal;
mod encoding;
pub mod json;
mod limits;
mod loopback;
mod named;
mod nearest;
mod order;
mod rel_path;
mod secret;
mod shell;
mod shown;
mod tool_format;
#[doc(hidden)]
pub mod work;
mod wrap;
mod yaml;

pub use braces::{plain_braces, raw_end};
pub use decimal::{Decimal, is_digits};
pub use encoding::{
    hex, percent_decoded, percent_decoded_text, percent_encoded, percent_encoded_path, unhex,
};
pub use json::quoted as push_quoted;
pub use limits::{FUNCTION_TIMEOUT_MS, parse_size, parse_timeout, write_size, write_timeout};
pub use loopback::is_loopback;
pub use named::UnknownName;
pub use nearest::{edit_distance, fold, fold_char, nearest};
pub use order::{Places, lower_bound, order, sort};
pub use rel_path::{expand_home, is_exact_path, leads_up, path_below, path_fault, path_names};
pub use secret::{is_secret_header, is_secret_name};
pub use shell::{has_crlf_shebang, shebang, shell_path, shell_word, split_words};
pub use shown::{clean, entity, hidden_runs, is_hidden, push_visible, visible};
pub use tool_format::ToolFormat;
pub use wrap::{cut, cut_start, floor, wrap};
pub use yaml::{frontmatter_tag, push_yaml_key, push_yaml_quoted, unmarked, yaml_text};
