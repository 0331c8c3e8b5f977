//! JSON Schema compiled to static tables, and one interpreter for them.
//!
//! [`Document::read`] reads a schema and resolves its references, at compile time or when a skill is read
//! from disk. [`lower`] compiles it to [`Tables`] and reports problems, and [`validate_str`] checks JSON text
//! with the tables. [`json`] has the parser of `skills-text`.
#![deny(missing_docs)]

mod document;
mod draft;
pub mod files;
mod format;
pub mod json;
pub mod lower;
mod malformed;
mod number;
mod pattern;
pub mod pointer;
mod problem;
mod run;
mod tables;
mod tape;
pub mod tools;
mod uri;
mod violation;

pub use document::{Document, Part, PartMember, Value};
pub use format::TypedFormat;
pub use malformed::Malformed;
pub use run::{Decoded, Repair, Repaired, Slot, decode_str, insert_defaults, parse_str, repair_str};
pub use run::{is_valid_str, one_of, validate_str};
pub use skills_text::json::reader::ValueType;
pub use tables::Tables;
pub use violation::{Invalid, Violation};
