//! The results of a failed check: the rules that a value breaks, or the JSON error in the text.

use std::borrow::Cow;
use std::fmt;

use crate::document::keyword;
use crate::json;
use crate::malformed::Malformed;

/// A rule that a value breaks.
///
/// Displayed as `POINTER: RULE: expected E, found A`, with `(root)` for the root's empty pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON pointer (RFC 6901) to the value.
    pub pointer: String,
    /// The keyword of the schema; `limit` if a limit of the interpreter was reached, `json` if the text is
    /// not JSON.
    pub rule: &'static str,
    /// The value that the rule expects.
    pub expected: String,
    /// The value that was found.
    pub found: String,
    /// The missing property, for the rules `required` and `dependentRequired`.
    pub property: Option<String>,
}

impl Violation {
    /// Creates a violation without a missing property.
    pub fn new(
        pointer: impl Into<String>,
        rule: &'static str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (pointer, expected, found) = (pointer.into(), expected.into(), found.into());
        Self { pointer, rule, expected, found, property: None }
    }

    /// Returns the static name of a rule, for a violation that was stored as text. Returns `limit` for an
    /// unknown name.
    pub fn rule_of(word: &str) -> &'static str {
        if word == "json" { "json" } else { keyword::named(word).unwrap_or("limit") }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_empty() { "(root)" } else { &self.pointer };
        write!(f, "{pointer}: {}: expected {}, found {}", self.rule, self.expected, self.found)
    }
}

/// The reason why a text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Invalid {
    /// The text is not JSON.
    Malformed(Box<Malformed>),
    /// The value breaks these rules, in the order they were found. Never empty.
    Violations(Vec<Violation>),
}

impl Invalid {
    /// Creates the error for a text that is not JSON.
    pub fn malformed(text: &str, error: json::Error) -> Self {
        Self::Malformed(Box::new(Malformed::new(text, error)))
    }

    /// Returns the broken rules, which are never empty: a text that is not JSON breaks the rule `json`, with
    /// the line and column of the error.
    pub fn violations(&self) -> Cow<'_, [Violation]> {
        match self {
            Self::Malformed(malformed) => {
                Cow::Owned(vec![Violation::new("", "json", "a JSON value", malformed.to_string())])
            }
            Self::Violations(violations) => Cow::Borrowed(violations),
        }
    }
}

/// Writes one violation per line.
impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.violations().iter().enumerate() {
            f.write_str(if i > 0 { "\n" } else { "" })?;
            violation.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}
