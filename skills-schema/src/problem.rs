//! What can be wrong with a schema, as typed values with a place; made by `lower`, shown by the caller.

use crate::draft::Draft;
use crate::json;
use std::fmt;
use std::ops::Range;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The tables stand, but the author has likely made a slip.
    Warning,
    /// The tables must not be used.
    Error,
}

/// A problem in a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Byte offsets in the document's text.
    pub span: Range<usize>,
    /// Which text: 0 is the schema itself, n is the n-th that [`Document::gather`](crate::Document::gather) found, from 1.
    pub document: usize,
}

impl Problem {
    /// Returns whether this is an error or a warning.
    #[must_use]
    pub const fn level(&self) -> Level {
        match self.kind {
            ProblemKind::ContradictoryBounds { .. }
            | ProblemKind::DefaultMismatch { .. }
            | ProblemKind::RequiredUnknown { .. }
            | ProblemKind::UnknownKeyword { .. }
            | ProblemKind::IgnoredBesideRef { .. } => Level::Warning,
            _ => Level::Error,
        }
    }
}

/// What is wrong with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// Error: the text is not JSON (SPEC 3.3).
    Json(json::ErrorKind),
    /// Error: a schema is neither an object nor a boolean.
    NotSchema {
        /// What stands there.
        found: &'static str,
    },
    /// Error: `type` names no JSON type.
    UnknownType {
        /// The name.
        name: String,
        /// The type that was likely meant.
        suggestion: Option<&'static str>,
    },
    /// Error: a `$ref` leads nowhere in the schema.
    UnresolvedRef {
        /// The reference.
        reference: String,
    },
    /// Error: a `$ref` leads to another document that was not handed in.
    RemoteRef {
        /// The reference.
        reference: String,
        /// The URI it resolves to.
        uri: String,
    },
    /// Error: a `$ref` leads back to itself before it reaches a schema.
    RefLoop {
        /// The reference.
        reference: String,
    },
    /// Error: a `pattern` or a key of `patternProperties` is no ECMA-262 pattern (`u` flag).
    InvalidPattern {
        /// The pattern.
        pattern: String,
        /// Why, in a few words.
        reason: String,
        /// The byte of the (unescaped) pattern at fault.
        at: usize,
    },
    /// Error: a keyword has a value of the wrong kind.
    WrongKind {
        /// The keyword.
        keyword: String,
        /// What it takes.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// Error: `$schema` names none of the three drafts (SPEC 3.2).
    UnknownDraft {
        /// The value of `$schema`.
        uri: String,
    },
    /// Warning: two bounds exclude each other, the tables refuse every value of the kind.
    ContradictoryBounds {
        /// The lower bound's keyword.
        low: &'static str,
        /// The upper bound's keyword.
        high: &'static str,
    },
    /// Warning: `default` does not fit its own schema.
    DefaultMismatch {
        /// The rules it breaks.
        violations: Vec<crate::Violation>,
    },
    /// Warning: `required` names a property that `properties` does not declare, and no schema around it can.
    RequiredUnknown {
        /// The name.
        name: String,
        /// The property that was likely meant.
        suggestion: Option<String>,
    },
    /// Warning: no keyword of the draft.
    UnknownKeyword {
        /// The key.
        name: String,
        /// The keyword that was likely meant.
        suggestion: Option<&'static str>,
        /// What to write instead.
        note: Option<String>,
    },
    /// Warning: draft-07 ignores what stands beside `$ref`.
    IgnoredBesideRef {
        /// The keyword that is ignored.
        keyword: String,
    },
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(kind) => kind.fmt(f),
            Self::NotSchema { found } => write!(f, "a schema must be an object or a boolean, not {found}"),
            Self::UnknownType { name, .. } => write!(f, "unknown type `{name}`"),
            Self::UnresolvedRef { reference } => write!(f, "`{reference}` leads nowhere in this schema"),
            Self::RemoteRef { reference, .. } => write!(f, "`{reference}` leads to another document"),
            Self::RefLoop { reference } => write!(f, "`{reference}` leads back to itself"),
            Self::InvalidPattern { pattern, reason, .. } => write!(f, "`{pattern}` is no pattern: {reason}"),
            Self::WrongKind { keyword, expected, found } => {
                write!(f, "`{keyword}` takes {expected}, not {found}")
            }
            Self::UnknownDraft { uri } => write!(
                f,
                "unknown draft `{uri}`; known are {}, {}, {}",
                Draft::Draft7.uri(),
                Draft::Draft2019.uri(),
                Draft::Draft2020.uri()
            ),
            Self::ContradictoryBounds { low, high } => write!(f, "`{low}` and `{high}` exclude each other"),
            Self::DefaultMismatch { violations } => {
                f.write_str("`default` does not fit its own schema")?;
                violations.first().map_or(Ok(()), |first| write!(f, ": {first}"))
            }
            Self::RequiredUnknown { name, .. } => {
                write!(f, "`required` names `{name}`, which `properties` does not declare")
            }
            Self::UnknownKeyword { name, .. } => write!(f, "unknown keyword `{name}`"),
            Self::IgnoredBesideRef { keyword } => write!(f, "draft-07 ignores `{keyword}` beside `$ref`"),
        }
    }
}
