//! JSON Schema as static tables, and the one interpreter that runs them.
#![deny(missing_docs)]

pub mod json;
mod pattern;
mod pointer;
mod tape;
