//! Options for reading and checking a directory, shared by the macro, the build script and the command.

use std::fmt::Debug;
use std::sync::Arc;

use crate::levels::{Levels, Profile};
use crate::read::{ReadOptions, SkillOrigin};
use crate::report::Report;
use crate::span::Span;

pub use skills_schema::lower::Formats as FormatPolicy;

/// The options of [`load`](crate::load).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The rules that apply to the directory.
    pub profile: Profile,
    /// Whether the skills are for Claude: then values that only its clients read are checked, too.
    pub is_for_claude: bool,
    /// Levels that the user set.
    pub levels: Levels,
    /// The files to read, and their size limits.
    pub read: ReadOptions,
    /// The maximum estimated tokens of the catalog shown to a model, if it is set; see [`budget`](Self::budget).
    pub catalog_budget: Option<usize>,
    /// The treatment of a skill on disk without its own description.
    pub strictness: Strictness,
    /// The source of all skills, if they are not in `skills.lock` yet.
    pub origin: Option<SkillOrigin>,
    /// The meaning of `format` in a schema; by default the meaning in its draft.
    pub formats: FormatPolicy,
    /// Whether the Rust blocks of the texts are documentation tests. Then rustdoc also reads a block without a
    /// language as Rust.
    pub doctest: bool,
    /// An additional check of the texts, such as a check against the commands of a program.
    pub texts: TextChecks,
}

/// A check of the Markdown texts of skills against facts from outside the skills, such as the commands of a program.
/// Its problems use rules of the rule table, so levels, fixes and reports work as for all other problems.
pub trait TextCheck: Debug + Send + Sync {
    /// Checks one text; `place` is its span in the source map.
    fn check(&self, text: &str, place: Span, report: &mut Report);

    /// Returns the environment variables that the programs read, which a text may tell the user to set.
    fn environment(&self) -> Vec<&str> {
        Vec::new()
    }
}

/// An optional [`TextCheck`]. Two are equal if they are the same object.
#[derive(Clone, Debug, Default)]
pub struct TextChecks(Option<Arc<dyn TextCheck>>);

impl TextChecks {
    /// Wraps a check.
    pub fn new(check: impl TextCheck + 'static) -> Self {
        Self(Some(Arc::new(check)))
    }

    pub(crate) fn get(&self) -> Option<&dyn TextCheck> {
        self.0.as_deref()
    }
}

impl PartialEq for TextChecks {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}

impl Eq for TextChecks {}

/// The treatment of a skill without a description in its frontmatter at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strictness {
    /// It is left out, with an error.
    #[default]
    Standard,
    /// A line of its body is used instead, with a warning.
    Lenient,
}

impl Options {
    /// Returns the maximum estimated tokens of the catalog (default 8,000).
    pub fn budget(&self) -> usize {
        self.catalog_budget.unwrap_or(8_000)
    }
}
