//! Regular expressions of ECMA-262 with the `u` flag: compiled to a program of words when a schema is
//! lowered, and run with a step limit when a value is checked.

mod emit;
mod escape;
mod expr;
mod machine;
mod parse;
mod property;
#[cfg(test)]
mod tests;

pub(crate) use emit::compile;
pub(crate) use machine::{Properties, search};

/// The reason why a pattern is invalid, and the byte offset of the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatternFault {
    pub(crate) at: usize,
    pub(crate) reason: String,
}

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    Found,
    Missing,
    /// The search took more than [`STEPS`] steps.
    TooLong,
    /// A `\p{…}` needs the feature `patterns`.
    Unanswered,
}

/// The maximum number of steps in one search.
pub(crate) const STEPS: u32 = 1_000_000;

/// Returns `true` if the text is a valid pattern. Used for `format: regex`.
pub(crate) fn is_pattern(text: &str) -> bool {
    parse::parse(text).is_ok()
}
