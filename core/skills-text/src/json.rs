//! Reads JSON text as tokens and as a tree with positions, and prints trees.

mod dom;
mod error;
pub mod make;
mod print;
#[doc(hidden)]
pub mod reader;

pub use dom::{Kind, Member, Node, ParsedJson, object_in, parse, read};
pub use error::{Error, ErrorKind, position};
pub use print::push_quoted as quoted;
pub use reader::DEPTH;
