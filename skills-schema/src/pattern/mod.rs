//! Patterns of ECMA-262 with the `u` flag: read and made into a program of words when a schema is lowered,
//! run under a step limit when a value is checked.

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

/// Why a pattern is none, and at which byte of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatternFault {
    pub(crate) at: usize,
    pub(crate) reason: String,
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    Found,
    Missing,
    /// More than [`STEPS`] steps.
    TooLong,
    /// A `\p{…}` that needs the feature `patterns`.
    Unanswered,
}

/// How many steps one search may take (SPEC 6.1).
pub(crate) const STEPS: u32 = 1_000_000;

/// Whether the text is a pattern; for `format: regex`.
pub(crate) fn is_pattern(text: &str) -> bool {
    parse::parse(text).is_ok()
}
