//! The problems in a schema, as typed values with a position. `lower` creates them, the caller shows them.

use crate::draft::Draft;
use crate::json;
use std::fmt;
use std::ops::Range;

/// The severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SchemaLevel {
    /// The tables can be used, but the author probably made a mistake.
    Warning,
    /// The tables must not be used.
    Error,
}

/// A problem in a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaProblem {
    /// The kind of the problem.
    pub kind: ProblemKind,
    /// The byte range in the document's text.
    pub span: Range<usize>,
    /// The index of the document: 0 for the schema itself, n for the n-th that
    /// [`Document::gather`](crate::Document::gather) found.
    pub document: usize,
}

impl SchemaProblem {
    /// Returns the severity of the problem.
    pub const fn level(&self) -> SchemaLevel {
        match self.kind {
            ProblemKind::ContradictoryBounds { .. }
            | ProblemKind::EmptyEnum
            | ProblemKind::EnumType
            | ProblemKind::PropertyRefused { .. }
            | ProblemKind::DefaultMismatch { .. }
            | ProblemKind::RequiredUnknown { .. }
            | ProblemKind::UnknownKeyword { .. }
            | ProblemKind::IgnoredBesideRef { .. } => SchemaLevel::Warning,
            _ => SchemaLevel::Error,
        }
    }
}

/// The kind of a problem in a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// Error: the text is not JSON.
    Json(json::ErrorKind),
    /// Error: a schema is neither an object nor a boolean.
    NotSchema {
        /// The value that was found.
        found: &'static str,
    },
    /// Error: `type` is not the name of a JSON type.
    UnknownType {
        /// The name.
        name: String,
        /// The type that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// Error: a `$ref` has no target in the schema.
    UnresolvedRef {
        /// The reference.
        reference: String,
    },
    /// Error: a `$ref` leads to another document that was not provided.
    RemoteRef {
        /// The reference.
        reference: String,
        /// The URI it resolves to.
        uri: String,
    },
    /// Error: a chain of `$ref` leads back to its start.
    RefLoop {
        /// The reference.
        reference: String,
    },
    /// Error: a `pattern` or a key of `patternProperties` is not a valid ECMA-262 pattern (`u` flag).
    InvalidPattern {
        /// The pattern.
        pattern: String,
        /// The reason.
        reason: String,
        /// The byte offset of the error in the (unescaped) pattern.
        at: usize,
    },
    /// Error: a keyword has a value of the wrong kind.
    WrongKind {
        /// The keyword.
        keyword: String,
        /// The kind that it takes.
        expected: &'static str,
        /// The value that was found.
        found: String,
    },
    /// Error: `$schema` is not one of the three supported drafts.
    UnknownDraft {
        /// The value of `$schema`.
        uri: String,
    },
    /// Warning: two bounds exclude each other, so the tables refuse every value of that kind.
    ContradictoryBounds {
        /// The lower bound's keyword.
        low: &'static str,
        /// The upper bound's keyword.
        high: &'static str,
    },
    /// Warning: `enum` is empty, so the tables refuse every value.
    EmptyEnum,
    /// Warning: no value of `enum` has the type that the same schema requires.
    EnumType,
    /// Warning: a required property is refused by a closed object that applies to the same value.
    PropertyRefused {
        /// The property.
        name: String,
        /// The property that was probably meant.
        suggestion: Option<String>,
    },
    /// Warning: `default` does not fit its own schema.
    DefaultMismatch {
        /// The rules it breaks.
        violations: Vec<crate::Violation>,
    },
    /// Warning: `required` names a property that `properties` does not declare, and that no surrounding
    /// schema can declare.
    RequiredUnknown {
        /// The name.
        name: String,
        /// The property that was probably meant.
        suggestion: Option<String>,
    },
    /// Warning: the draft does not have this keyword.
    UnknownKeyword {
        /// The key.
        name: String,
        /// The keyword that was probably meant.
        suggestion: Option<&'static str>,
        /// The replacement to write.
        note: Option<String>,
    },
    /// Warning: draft-07 ignores keywords next to `$ref`.
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
            Self::InvalidPattern { pattern, reason, .. } => {
                write!(f, "`{pattern}` is not a valid pattern: {reason}")
            }
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
            Self::EnumType => f.write_str("no value of `enum` has the required `type`"),
            Self::PropertyRefused { name, .. } => {
                write!(
                    f,
                    "no object fits: `{name}` is required here, and a closed object around it refuses it"
                )
            }
            Self::EmptyEnum => f.write_str("`enum` is empty"),
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
