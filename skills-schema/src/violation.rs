//! What the interpreter reports: the rules that a value breaks, or the place where the text is no JSON.

use std::borrow::Cow;
use std::fmt;

use crate::document::keyword;
use crate::json;
use crate::malformed::Malformed;

/// One rule that a value breaks (SPEC 6.1, 6.4).
///
/// Shown as `POINTER: RULE: expected E, found A`; the root's empty pointer is shown as `(root)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON pointer (RFC 6901) to the value.
    pub pointer: String,
    /// The schema's keyword; `limit` when a limit of the interpreter was reached, `json` when the text is no JSON.
    pub rule: &'static str,
    /// What the rule asks for.
    pub expected: String,
    /// What the value is.
    pub found: String,
    /// The property of the value that is missing, where the rule is about one (`required`, `dependentRequired`).
    pub property: Option<String>,
}

impl Violation {
    /// Makes a violation that is about no missing property.
    pub fn new(
        pointer: impl Into<String>,
        rule: &'static str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (pointer, expected, found) = (pointer.into(), expected.into(), found.into());
        Self { pointer, rule, expected, found, property: None }
    }

    /// Finds the name of a rule, for a violation that was written down elsewhere; `limit` for what is none.
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

/// Why a text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invalid {
    /// The text is no JSON.
    Malformed(Box<Malformed>),
    /// The value breaks these rules, in the order they were met; never empty.
    Violations(Vec<Violation>),
}

impl Invalid {
    /// Says where a text is no JSON.
    #[must_use]
    pub fn malformed(text: &str, error: json::Error) -> Self {
        Self::Malformed(Box::new(Malformed::new(text, error)))
    }

    /// Returns the broken rules, never none: a text that is no JSON breaks the rule `json`, with line and column of the
    /// fault.
    #[must_use]
    pub fn violations(&self) -> Cow<'_, [Violation]> {
        match self {
            Self::Malformed(malformed) => {
                Cow::Owned(vec![Violation::new("", "json", "a JSON value", malformed.to_string())])
            }
            Self::Violations(violations) => Cow::Borrowed(violations),
        }
    }
}

/// One violation a line.
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
