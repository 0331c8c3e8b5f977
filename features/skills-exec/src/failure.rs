//! The error type for callers that run a skill with an input: the reason why the skill was not run.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use skills_registry::NotFound;
use skills_schema::{Invalid, Violation};

use super::Refusal;
use skills_runtime::trust::Untrusted;

/// The reason why no process was started. `Display` prints a text for people, which starts with
/// [`code`](Self::code).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRun {
    /// No skill has the name, or the host has not granted the capabilities that it requires.
    NotFound(NotFound),
    /// The skill comes from a workspace that is not trusted, or its files have changed since it was trusted.
    NotTrusted(Box<Untrusted>),
    /// The skill has no program, or the time limit is invalid.
    Refused(Refusal),
    /// The program has a typed input, and none was given.
    NoInput {
        /// The skill's name.
        name: String,
        /// The schema file.
        schema: String,
    },
    /// The input does not match the schema of the program.
    InvalidInput {
        /// The skill's name.
        name: String,
        /// The schema file.
        schema: String,
        /// All rules that the input breaks.
        invalid: Invalid,
    },
    /// The schema of the program cannot be used, so no input can be checked.
    BadSchema {
        /// The skill's name.
        name: String,
        /// The schema file.
        schema: String,
        /// The reason why the schema cannot be used.
        reason: String,
    },
    /// The files of the skill cannot be unpacked.
    #[cfg(unix)]
    Unpack(crate::cache::CacheError),
}

impl NotRun {
    /// Returns the machine-readable code: `not_found`, `not_trusted`, the code of the [`Refusal`],
    /// `invalid_input`, `invalid_schema` or `cache`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::NotTrusted(_) => "not_trusted",
            Self::Refused(refusal) => refusal.code(),
            Self::NoInput { .. } | Self::InvalidInput { .. } => "invalid_input",
            Self::BadSchema { .. } => "invalid_schema",
            #[cfg(unix)]
            Self::Unpack(_) => "cache",
        }
    }

    /// Returns the rules that the input breaks. There is at least one if [`code`](Self::code) is
    /// `invalid_input`, and the list is empty for all other codes.
    pub fn violations(&self) -> Cow<'_, [Violation]> {
        match self {
            Self::InvalidInput { invalid, .. } => invalid.violations(),
            Self::NoInput { .. } => Cow::Owned(vec![Violation::new("", "json", "a JSON value", "none")]),
            _ => Cow::Borrowed(&[]),
        }
    }
}

impl fmt::Display for NotRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Refused(refusal) = self {
            return refusal.fmt(formatter);
        }
        write!(formatter, "{}: ", self.code())?;
        match self {
            Self::Refused(_) => Ok(()),
            Self::NotFound(missing) => missing.fmt(formatter),
            Self::NotTrusted(untrusted) => untrusted.fmt(formatter),
            Self::NoInput { name, schema } => {
                write!(formatter, "skill \"{name}\" needs input that matches {schema}, and got none")
            }
            Self::InvalidInput { name, schema, invalid } => {
                write!(formatter, "skill \"{name}\" needs input that matches {schema}\n{invalid}")
            }
            Self::BadSchema { name, schema, reason } => {
                write!(formatter, "skill \"{name}\": no input can be checked by {schema}: {reason}")
            }
            #[cfg(unix)]
            Self::Unpack(error) => error.fmt(formatter),
        }
    }
}

impl Error for NotRun {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotFound(missing) => Some(missing),
            Self::NotTrusted(untrusted) => Some(untrusted),
            Self::Refused(refusal) => Some(refusal),
            Self::InvalidInput { invalid, .. } => Some(invalid),
            Self::NoInput { .. } | Self::BadSchema { .. } => None,
            #[cfg(unix)]
            Self::Unpack(error) => Some(error),
        }
    }
}

impl From<Untrusted> for NotRun {
    fn from(untrusted: Untrusted) -> Self {
        Self::NotTrusted(Box::new(untrusted))
    }
}

impl From<Refusal> for NotRun {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
