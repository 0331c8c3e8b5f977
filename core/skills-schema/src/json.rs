//! JSON text: the reader and the tree of `skills-text`.

pub(crate) use skills_text::json::reader;
pub use skills_text::json::{
    DEPTH, Error, ErrorKind, Kind, Member, Node, ParsedJson, make, object_in, parse, position, quoted, read,
};

pub(crate) use crate::number;
