//! How a directory is judged: the one set of options that the macro, the build script and the command share.

use crate::levels::{Levels, Profile};
use crate::read::ReadOptions;

pub use skills_schema::lower::Formats as FormatPolicy;

/// The options of [`load`](crate::load).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// By what the directory is judged.
    pub profile: Profile,
    /// Levels that the user set.
    pub levels: Levels,
    /// What is read, and how much of it is allowed.
    pub read: ReadOptions,
    /// Estimated tokens that the catalog shown to a model may take (default 8,000; SPEC 2.11, 8.1).
    pub catalog_budget: usize,
    /// What becomes of a skill on disk that has no description of its own (SPEC 2.7).
    pub strictness: Strictness,
    /// What `format` in a schema means; by default as its draft says (SPEC 6.1).
    pub formats: FormatPolicy,
}

/// What becomes of a skill without a description in its frontmatter when it is judged as at run time (SPEC 2.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// It is left out, with an error.
    #[default]
    Standard,
    /// A line of its body stands in, with a warning.
    Lenient,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            levels: Levels::default(),
            read: ReadOptions::default(),
            catalog_budget: 8_000,
            strictness: Strictness::default(),
            formats: FormatPolicy::default(),
        }
    }
}
