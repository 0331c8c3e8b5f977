//! Files become a checked [`Catalog`](catalog::Catalog), or diagnostics that say what to type.
//!
//! The stages, in order, each with one function and one type:
//!
//! ```text
//! files -> read -> SourceTree -> parse -> Parsed -> check -> Catalog
//! ```
//!
//! `skills-build` turns the catalog into Rust, the command line prints it, the runtime loads from it.

pub mod catalog;
pub mod diagnostic;
pub mod frontmatter;
pub mod lower;
pub mod parse;
pub mod print;
pub mod read;
pub mod rule;
pub mod span;
pub mod tree;
