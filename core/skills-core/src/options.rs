//! Options for reading and checking a directory, shared by the macro, the build script and the command.

use crate::levels::{Levels, Profile};
use crate::read::{Origin, ReadOptions};

pub use skills_schema::lower::Formats as FormatPolicy;

/// The options of [`load`](crate::load).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The rules that apply to the directory.
    pub profile: Profile,
    /// Levels that the user set.
    pub levels: Levels,
    /// The files to read, and their size limits.
    pub read: ReadOptions,
    /// The maximum estimated tokens of the catalog shown to a model (default 8,000).
    pub catalog_budget: usize,
    /// The treatment of a skill on disk without its own description.
    pub strictness: Strictness,
    /// The place that all skills come from, if `skills.lock` does not have them yet.
    pub origin: Option<Origin>,
    /// The meaning of `format` in a schema; by default the meaning in its draft.
    pub formats: FormatPolicy,
}

/// The treatment of a skill without a description in its frontmatter at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// It is left out, with an error.
    #[default]
    Standard,
    /// A line of its body is used instead, with a warning.
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
            origin: None,
            formats: FormatPolicy::default(),
        }
    }
}
