//! Reads JSON text as tokens, as a tree with positions, and as exact numbers. The rest of the crate builds on
//! it.

mod dom;
mod error;
mod frame;
pub mod make;
pub(crate) mod number;
mod print;
pub(crate) mod reader;
mod scan;

pub use dom::{Kind, Member, Node, Parsed, object_in, parse, read};
pub use error::{Error, ErrorKind, position};
pub use reader::DEPTH;
pub use skills_text::push_quoted as quoted;
