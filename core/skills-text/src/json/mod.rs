//! Reads JSON text as tokens and as a tree with positions, and prints trees.

mod dom;
mod error;
mod kind;
pub mod make;
mod print;
#[doc(hidden)]
pub mod reader;
pub(crate) mod scan;

pub use crate::push_quoted as quoted;
pub use dom::{Kind, Member, Node, ParsedJson, object_in, parse, read};
pub use error::{Error, ErrorKind, position};
pub use reader::DEPTH;
